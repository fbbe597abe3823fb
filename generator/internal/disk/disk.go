// SPDX-License-Identifier: Apache-2.0

// Package disk puts files in place. It must never leave half of one, nor some of
// those that belong together because another could not be written.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Batch is files that belong together. They are first written next to their
// places, which is where most errors occur, and then all moved there: readers
// of each see the old or the new.
type Batch struct {
	staged []staged
	made   []string // folders, the outermost first
	swept  map[string]bool
}

type staged struct{ path, temp string }

// Put writes a file, for Commit to put in place. A file that is there gets the
// mode; zero is what the umask makes of a new one.
func (b *Batch) Put(path string, content []byte, mode fs.FileMode) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a link stays one
	}
	if err := b.folder(filepath.Dir(path)); err != nil {
		return err
	}
	b.sweep(filepath.Dir(path))
	temp := path + mark + strconv.Itoa(os.Getpid()) + ".tmp"
	b.staged = append(b.staged, staged{path, temp})
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o666)
	if err != nil {
		return reason(err)
	}
	_, err = f.Write(content)
	if err == nil && mode != 0 {
		err = f.Chmod(mode)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return reason(err)
}

// Commit puts all files in place, in the order in which they were written.
func (b *Batch) Commit() error {
	defer b.Discard()
	for len(b.staged) > 0 {
		s := b.staged[0]
		if err := os.Rename(s.temp, s.path); err != nil {
			return fmt.Errorf("%s: %w", s.path, reason(err))
		}
		b.staged = b.staged[1:]
		b.made = nil // they are in use
	}
	return nil
}

// Discard gives up what Commit has not put in place.
func (b *Batch) Discard() {
	for _, s := range b.staged {
		_ = os.Remove(s.temp)
	}
	for i := len(b.made) - 1; i >= 0; i-- {
		_ = os.Remove(b.made[i])
	}
	b.staged, b.made = nil, nil
}

// folder makes a folder and those above it, and notes which it made.
func (b *Batch) folder(dir string) error {
	var missing []string
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s is a file where a folder is needed", at)
		}
		if !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		missing = append(missing, at)
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if err := os.Mkdir(missing[i], 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("folder %s cannot be made: %w", missing[i], reason(err))
		}
		b.made = append(b.made, missing[i])
	}
	return nil
}

// mark is in the names of files that are not in place yet, before the number of
// the process that writes them.
const mark = ".accord-"

// sweep removes what a process that was killed has left in a folder.
func (b *Batch) sweep(dir string) {
	if b.swept[dir] {
		return
	}
	if b.swept == nil {
		b.swept = map[string]bool{}
	}
	b.swept[dir] = true
	left, _ := filepath.Glob(filepath.Join(escape(dir), "*"+mark+"*.tmp"))
	for _, path := range left {
		name := strings.TrimSuffix(path, ".tmp")
		pid, err := strconv.Atoi(name[strings.LastIndex(name, mark)+len(mark):])
		if err == nil && pid != os.Getpid() && over(pid) {
			_ = os.Remove(path)
		}
	}
}

var globs = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)

// escape makes a pattern of a path that matches it alone.
func escape(path string) string {
	if filepath.Separator == '\\' {
		return path // no escapes there, nor such names
	}
	return globs.Replace(path)
}

// over reports whether there is no process of that number any more. In doubt
// there is.
func over(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return true
	}
	defer p.Release()
	return errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// reason is what the system says, without the name of a temporary file.
func reason(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}
