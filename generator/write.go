// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Report is what Write did. Paths are relative to the spec package's directory.
type Report struct {
	Written []string `json:"written,omitempty"`
	Removed []string `json:"removed,omitempty"`
	Same    []string `json:"same,omitempty"`
	Kept    []string `json:"kept,omitempty"` // no longer generated, but edited: from now on the editor's
}

// Write brings generated files to the disk, below and next to the spec
// package's directory. Files that are the same stay untouched. If one was
// edited by hand or was never generated, nothing at all is written, and the
// error names each; force overwrites them. Nothing is written either if one of
// them cannot be. Files that are no longer generated are removed, unless they
// were edited. Records are files that are written with the others, and are not
// meant to be edited.
func Write(dir string, files []File, force bool, records ...File) (*Report, error) {
	diffs, next, r, err := plan(dir, files)
	if err != nil {
		return nil, err
	}
	if err := refused(diffs); err != nil && !force {
		return nil, err
	}
	var b batch
	defer b.discard()
	var failed []error
	put := func(path string, content []byte, mode fs.FileMode) {
		if err := b.put(filepath.Join(dir, filepath.FromSlash(path)), content, mode); err != nil {
			failed = append(failed, fmt.Errorf("cannot write %s: %w", path, err))
		}
	}
	for _, d := range diffs {
		if d.Kind == Stale {
			r.Removed = append(r.Removed, d.Path)
			continue
		}
		put(d.Path, d.new, d.mode)
		r.Written = append(r.Written, d.Path)
	}
	// The manifest is last, so that whatever stops the run halfway leaves files
	// that differ from it only by being newer.
	for _, f := range append(records, File{Path: ManifestName, Content: next.encode()}) {
		if old, err := os.ReadFile(filepath.Join(dir, f.Path)); err != nil || !bytes.Equal(unix(old), f.Content) {
			put(f.Path, f.Content, 0)
		}
	}
	if len(failed) > 0 {
		return nil, fmt.Errorf("nothing was written:\n%w", errors.Join(failed...))
	}
	for _, path := range r.Removed {
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(path))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("nothing was written: cannot remove %s: %w", path, err)
		}
	}
	if err := b.commit(); err != nil {
		return nil, fmt.Errorf("not all was written: %w", err)
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
