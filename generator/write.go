package generator

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/accordkit/accord/generator/internal/disk"
)

// Report is what Write did. Paths are relative to the spec package's directory.
type Report struct {
	Written []string `json:"written,omitempty"`
	Removed []string `json:"removed,omitempty"`
	Same    []string `json:"same,omitempty"`
	Kept    []string `json:"kept,omitempty"` // no longer generated, but edited: from now on the editor's
}

// Write brings generated files to the disk, below and beside the spec package's
// directory. Files that are the same stay untouched. If one was edited by hand
// or was never generated, nothing at all is written, and the error names each;
// force overwrites them. Files that are no longer generated are removed, unless
// they were edited.
func Write(dir string, files []File, force bool) (*Report, error) {
	diffs, next, r, err := plan(dir, files)
	if err != nil {
		return nil, err
	}
	if err := refused(diffs); err != nil && !force {
		return nil, err
	}
	for _, d := range diffs {
		full := filepath.Join(dir, filepath.FromSlash(d.Path))
		if d.Kind == Stale {
			if err := os.Remove(full); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return r, fmt.Errorf("cannot remove %s: %w", d.Path, err)
			}
			r.Removed = append(r.Removed, d.Path)
			continue
		}
		if err := disk.Replace(full, d.new, d.mode); err != nil {
			return r, fmt.Errorf("cannot write %s: %w", d.Path, err)
		}
		r.Written = append(r.Written, d.Path)
	}
	// Last, so that whatever stops the run halfway leaves files that differ
	// from the manifest only by being newer.
	full := filepath.Join(dir, ManifestName)
	content := next.encode()
	if old, err := os.ReadFile(full); err == nil && bytes.Equal(unix(old), content) {
		return r, nil
	}
	if err := disk.Replace(full, content, 0); err != nil {
		return r, fmt.Errorf("cannot write %s: %w", ManifestName, err)
	}
	return r, nil
}

// refused lists the files that are not the generator's to overwrite.
func refused(diffs []Difference) error {
	var lines []string
	for _, d := range diffs {
		switch d.Kind {
		case Edited:
			lines = append(lines, d.String()+": undo the edit, or give it up with --force")
		case Foreign:
			lines = append(lines, d.String()+": move it away, or give it up with --force")
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return errors.New("nothing was written, because of files that are not as the generator left them:\n" + strings.Join(lines, "\n"))
}
