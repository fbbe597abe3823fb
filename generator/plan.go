// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	slash "path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Kind is how a file on disk relates to what is generated.
type Kind string

// The kinds of a Difference.
const (
	Missing Kind = "missing" // not there
	Changed Kind = "changed" // as last generated, and now it would be other
	Edited  Kind = "edited"  // changed by hand since it was generated
	Foreign Kind = "foreign" // there, but never generated
	Stale   Kind = "stale"   // generated once, and no longer
)

// Difference is one file that is not as generated.
type Difference struct {
	Path     string   `json:"path"` // relative to the spec package's directory
	Kind     Kind     `json:"kind"`
	Regions  []string `json:"regions,omitempty"` // the differing regions of a page
	Diff     string   `json:"diff,omitempty"`    // from the disk to the generated, unified, shortened
	old, new []byte
	mode     fs.FileMode
}

// What says how the file differs, after its name.
func (d Difference) What() string {
	what := map[Kind]string{
		Missing: "is missing", Changed: "is out of date", Edited: "was edited by hand",
		Foreign: "is there already and was not generated", Stale: "is no longer generated",
	}[d.Kind]
	if len(d.Regions) > 0 {
		return what + " (" + strings.Join(d.Regions, ", ") + ")"
	}
	return what
}

// String is one line about it.
func (d Difference) String() string { return d.Path + " " + d.What() }

// plan compares files with the disk. It also gives the manifest of what then
// is generated, and what is to be left alone.
func plan(dir string, files []File) (diffs []Difference, next *manifest, r *Report, err error) {
	last, err := readManifest(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	r = &Report{}
	next = &manifest{Format: 1, Files: map[string]string{}}
	pages := map[string]map[string][]byte{}
	var failed []error
	if failed, err = outside(dir, files, last); err != nil || len(failed) > 0 {
		return nil, nil, nil, errors.Join(append(failed, err)...)
	}
	compared := compareAll(dir, files, last)
	for i, f := range files {
		if f.Region != "" {
			if pages[f.Path] == nil {
				pages[f.Path] = map[string][]byte{}
			}
			pages[f.Path][f.Region] = f.Content
			continue
		}
		next.Files[f.Path] = compared[i].hash
		switch c := compared[i]; {
		case c.err != nil:
			failed = append(failed, c.err)
		case c.diff == nil:
			r.Same = append(r.Same, f.Path)
		default:
			diffs = append(diffs, *c.diff)
		}
	}
	for path, contents := range pages {
		d, err := comparePage(dir, path, contents, last, next)
		switch {
		case err != nil:
			failed = append(failed, err)
		case d == nil:
			r.Same = append(r.Same, path)
		default:
			diffs = append(diffs, *d)
		}
	}
	for path, was := range last.Files {
		if _, ok := next.Files[path]; ok || strings.Contains(path, "#") {
			continue // of a region that is no more, the markers are gone too
		}
		old, mode, err := read(dir, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			failed = append(failed, err)
		case hash(old) != was:
			// It was edited by hand: it is kept, and no longer owned.
			r.Kept = append(r.Kept, path)
		default:
			diffs = append(diffs, Difference{Path: path, Kind: Stale, old: old, mode: mode})
		}
	}
	slices.SortFunc(diffs, func(a, b Difference) int { return cmp.Compare(a.Path, b.Path) })
	slices.Sort(r.Same)
	slices.Sort(r.Kept)
	slices.SortFunc(failed, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	failed = slices.CompactFunc(failed, func(a, b error) bool { return a.Error() == b.Error() }) // one folder, many files
	return diffs, next, r, errors.Join(failed...)
}

// outside lists what settings and manifest name outside of the module.
func outside(dir string, files []File, last *manifest) (wrong []error, err error) {
	m, err := moduleOf(dir)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	check := func(path, by string) {
		path, _, _ = strings.Cut(path, "#")
		if !seen[path] {
			seen[path] = true
			if err := m.holds(dir, path, by); err != nil {
				wrong = append(wrong, err)
			}
		}
	}
	for _, f := range files {
		check(f.Path, ConfigName)
	}
	for _, path := range slices.Sorted(maps.Keys(last.Files)) {
		check(path, ManifestName)
	}
	return wrong, nil
}

// comparison is what is known of one whole file.
type comparison struct {
	hash string // of what is generated
	diff *Difference
	err  error
}

// compareAll looks at all whole files, side by side.
func compareAll(dir string, files []File, last *manifest) []comparison {
	out := make([]comparison, len(files))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(files); i = int(next.Add(1)) - 1 {
				if files[i].Region == "" {
					out[i].hash = hash(files[i].Content)
					out[i].diff, out[i].err = compare(dir, files[i], last)
				}
			}
		})
	}
	wg.Wait()
	return out
}

// compare looks at a whole file; nil if it is as generated.
func compare(dir string, f File, last *manifest) (*Difference, error) {
	old, mode, err := read(dir, f.Path)
	d := &Difference{Path: f.Path, old: old, new: f.Content, mode: mode}
	was, ours := last.Files[f.Path]
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.Kind = Missing
	case err != nil:
		return nil, err
	case bytes.Equal(unix(old), unix(f.Content)):
		return nil, nil
	case len(bytes.TrimSpace(old)) == 0: // it was emptied or truncated: nothing is lost
		d.Kind = Changed
	case !ours:
		d.Kind = Foreign
	case hash(old) != was:
		d.Kind = Edited
	default:
		d.Kind = Changed
	}
	return d, nil
}

// comparePage looks at the regions of a page that people write.
func comparePage(dir, path string, contents map[string][]byte, last, next *manifest) (*Difference, error) {
	old, mode, err := read(dir, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &PageError{path, fmt.Errorf("it does not exist: create it, with a pair of markers for each region that it shall have, or remove it from %s", ConfigName)}
	}
	if err != nil {
		return nil, err
	}
	page, found, err := fill(old, contents)
	if err != nil {
		return nil, &PageError{path, err}
	}
	if len(found) == 0 {
		return nil, &PageError{path, fmt.Errorf("it has no markers: put in, for example, <!-- accord:begin %[1]s --> and below it <!-- accord:end %[1]s -->", firstName(contents))}
	}
	d := &Difference{Path: path, Kind: Changed, old: old, new: page, mode: mode}
	for _, r := range found {
		key := path + "#" + r.name
		want := withEnds(old, r, contents[r.name])
		next.Files[key] = hash(want)
		have := old[r.start:r.end]
		if bytes.Equal(unix(have), unix(want)) {
			continue
		}
		d.Regions = append(d.Regions, r.name)
		if was, ours := last.Files[key]; ours && was != hash(have) && len(bytes.TrimSpace(have)) > 0 {
			d.Kind = Edited
		}
	}
	if len(d.Regions) == 0 {
		return nil, nil
	}
	return d, nil
}

// PageError is what is wrong with a page that people write, for its regions.
type PageError struct {
	Path string // relative to the spec package's directory
	Err  error
}

func (e *PageError) Error() string { return e.Path + ": " + e.Err.Error() }

func (e *PageError) Unwrap() error { return e.Err }

// firstName is the region that something is generated into, the first by name.
func firstName(contents map[string][]byte) string {
	var names, empty []string
	for name, content := range contents {
		if len(bytes.TrimSpace(content)) > 0 {
			names = append(names, name)
		} else {
			empty = append(empty, name)
		}
	}
	if len(names) == 0 {
		names = empty
	}
	return slices.Min(names)
}

func read(dir, path string) ([]byte, fs.FileMode, error) {
	full := filepath.Join(dir, filepath.FromSlash(path))
	info, err := os.Stat(full)
	if at := notFolder(dir, path); at != "" {
		return nil, 0, fmt.Errorf("%s is a file where a folder is needed: move it away", at)
	}
	if err != nil {
		return nil, 0, err
	}
	if info.IsDir() {
		return nil, 0, fmt.Errorf("%s is a folder where a file is generated: move it away", path)
	}
	data, err := os.ReadFile(full)
	return data, info.Mode().Perm(), err
}

// notFolder is the path above a file's that is another file; empty if none is.
func notFolder(dir, file string) string {
	for at := slash.Dir(file); at != "." && at != "/" && slash.Base(at) != ".."; at = slash.Dir(at) {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(at))); err == nil {
			if info.IsDir() {
				return ""
			}
			return at
		}
	}
	return ""
}
