// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// module is the folder in which a spec's output lies: the one with the go.mod that is
// nearest above the spec, or the spec's own where there is none. Settings and
// manifests come with a clone, so what they name is written or removed in there
// alone, and never in what version control keeps for itself.
type module struct{ root string }

func moduleOf(dir string) (module, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return module{}, err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return module{at}, nil
		}
		if at == filepath.Dir(at) {
			return module{dir}, nil
		}
	}
}

// holds checks that a file, relative to the spec's folder, is in the module, whatever
// links lead to it; by is what names it.
func (m module) holds(dir, path, by string) error {
	at, err := filepath.Abs(filepath.Join(dir, filepath.FromSlash(path)))
	if err != nil {
		return err
	}
	if filepath.IsAbs(filepath.FromSlash(path)) {
		return fmt.Errorf("%s names %s: paths are relative to the spec package, so that they mean the same elsewhere", by, path)
	}
	rest := ""
	for real := ""; ; {
		if real, err = filepath.EvalSymlinks(at); err == nil {
			at = filepath.Join(real, rest)
			break
		}
		if at == filepath.Dir(at) {
			return err
		}
		at, rest = filepath.Dir(at), filepath.Join(filepath.Base(at), rest)
	}
	inside, err := filepath.Rel(m.root, at)
	if err != nil || inside == ".." || strings.HasPrefix(inside, ".."+string(filepath.Separator)) {
		return fmt.Errorf("%s names %s, which is outside of the module in %s: nothing is written or removed there", by, path, m.root)
	}
	for part := range strings.SplitSeq(filepath.ToSlash(inside), "/") {
		if strings.EqualFold(part, ".git") {
			return fmt.Errorf("%s names %s, which is version control's own: name another place", by, path)
		}
	}
	return nil
}
