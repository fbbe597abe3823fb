// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/accordkit/accord/spec/model"
)

// File is one generated file, or one region of a page that people write.
type File struct {
	Path    string // relative to the spec package's directory, with slashes
	Region  string // name of the region between markers; empty: the whole file
	Content []byte // text has LF line ends
}

// Emitter renders a model for one purpose. It is pure: the same model gives the
// same files, whatever the machine, the working directory and the day.
type Emitter interface {
	Name() string // as in accord.json, for messages
	Emit(m *model.Protocol) ([]File, error)
}

// Generate renders a model with every emitter, into files sorted by path. All
// emitters run even if one fails, side by side; no file comes from two of them.
func Generate(m *model.Protocol, emitters ...Emitter) ([]File, error) {
	var out []File
	var failed []error
	owner := map[string]string{}
	for i, r := range emitAll(m, emitters) {
		e := emitters[i]
		if r.err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", e.Name(), r.err))
			continue
		}
		for _, f := range r.files {
			if err := checkPath(f.Path); err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", e.Name(), err))
				continue
			}
			// Names that differ in case alone are one file on some machines.
			key := strings.ToLower(path.Clean(f.Path)) + "#" + f.Region
			if other, ok := owner[key]; ok {
				failed = append(failed, fmt.Errorf("%s and %s both generate %s", other, e.Name(), shownFile(f)))
				continue
			}
			owner[key] = e.Name()
			f.Path = path.Clean(f.Path)
			out = append(out, f)
		}
	}
	for _, f := range out {
		if _, whole := owner[strings.ToLower(f.Path)+"#"]; whole && f.Region != "" {
			failed = append(failed, fmt.Errorf("%s is generated as a whole, and its region %s too", f.Path, f.Region))
		}
	}
	if len(failed) > 0 {
		return nil, errors.Join(failed...)
	}
	slices.SortStableFunc(out, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return out, nil
}

// emitted is what one emitter gave.
type emitted struct {
	files []File
	err   error
}

// emitAll runs the emitters side by side: what each gives stands where it does.
func emitAll(m *model.Protocol, emitters []Emitter) []emitted {
	out := make([]emitted, len(emitters))
	var wg sync.WaitGroup
	for i, e := range emitters {
		wg.Go(func() { out[i].files, out[i].err = e.Emit(m) })
	}
	wg.Wait()
	return out
}

func checkPath(p string) error {
	if p == "" || path.IsAbs(p) || strings.ContainsAny(p, "\\\x00:") {
		return fmt.Errorf("%q is no relative path with slashes", p)
	}
	return nil
}

func shownFile(f File) string {
	if f.Region != "" {
		return f.Path + " (region " + f.Region + ")"
	}
	return f.Path
}
