// SPDX-License-Identifier: Apache-2.0

package generator

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

// batch is files that belong together: never half of one is left, nor some of them
// because another could not be written. They are first written next to their
// places, which is where most errors occur, and then all moved there: readers
// of each see the old or the new.
type batch struct {
	staged []staged
	made   []string // folders, the outermost first
	swept  map[string]bool
}

type staged struct{ path, temp string }

// put writes a file, for commit to put in place. A file that is there gets the
// mode; zero is what the umask makes of a new one.
func (b *batch) put(path string, content []byte, mode fs.FileMode) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a link stays one
	}
	if err := b.folder(filepath.Dir(path)); err != nil {
		return err
	}
	b.sweep(filepath.Dir(path))
	temp := path + tempMark + strconv.Itoa(os.Getpid()) + ".tmp"
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

// commit puts all files in place, in the order in which they were written.
func (b *batch) commit() error {
	defer b.discard()
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

// discard gives up what commit has not put in place.
func (b *batch) discard() {
	for _, s := range b.staged {
		_ = os.Remove(s.temp)
	}
	for i := len(b.made) - 1; i >= 0; i-- {
		_ = os.Remove(b.made[i])
	}
	b.staged, b.made = nil, nil
}

// folder makes a folder and those above it, and notes which it made.
func (b *batch) folder(dir string) error {
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

// tempMark is in the names of files that are not in place yet, before the number of
// the process that writes them.
const tempMark = ".accord-"

// sweep removes what a process that was killed has left in a folder.
func (b *batch) sweep(dir string) {
	if b.swept[dir] {
		return
	}
	if b.swept == nil {
		b.swept = map[string]bool{}
	}
	b.swept[dir] = true
	left, _ := filepath.Glob(filepath.Join(globEscape(dir), "*"+tempMark+"*.tmp"))
	for _, path := range left {
		name := strings.TrimSuffix(path, ".tmp")
		pid, err := strconv.Atoi(name[strings.LastIndex(name, tempMark)+len(tempMark):])
		if err == nil && pid != os.Getpid() && gone(pid) {
			_ = os.Remove(path)
		}
	}
}

var globs = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)

// globEscape makes a pattern of a path that matches it alone.
func globEscape(path string) string {
	if filepath.Separator == '\\' {
		return path // no escapes there, nor such names
	}
	return globs.Replace(path)
}

// gone reports whether there is no process of that number any more. In doubt
// there is.
func gone(pid int) bool {
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
