// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
)

// ErrLocked is what FS.Lock returns while another has the lock.
var ErrLocked = errors.New("the lock is held by another")

// FS is the file operations of a home. Names are slash-separated and below the
// home.
type FS interface {
	fs.FS // for reading

	// Mkdir makes a directory for its owner alone; fs.ErrExist.
	Mkdir(name string) error
	// Create makes a file for its owner alone; fs.ErrExist.
	Create(name string) (File, error)
	// Append opens a file for writing at its end.
	Append(name string) (File, error)
	// Link gives a file another name; fs.ErrExist.
	Link(from, to string) error
	// Remove removes a file.
	Remove(name string) error
	// SyncDir makes the names in a directory durable.
	SyncDir(name string) error
	// Lock locks a file, which it makes if there is none; ErrLocked. The lock ends
	// with Close, and with the process.
	Lock(name string) (io.Closer, error)
}

// File is a file that is written.
type File interface {
	io.WriteCloser
	// Sync makes what was written durable.
	Sync() error
	// Truncate cuts the file to a size.
	Truncate(size int64) error
	// Stat describes the file.
	Stat() (fs.FileInfo, error)
}

// Home is a directory of the machine. Nothing outside of it is touched, also not
// through symbolic links.
type Home struct {
	fs.FS
	root *os.Root
}

// OpenHome opens a home, and makes its directory if there is none. Close it when
// none of its logs is open any more.
func OpenHome(dir string) (*Home, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Home{FS: root.FS(), root: root}, nil
}

// Close closes the home.
func (h *Home) Close() error { return h.root.Close() }

// Mkdir makes a directory.
func (h *Home) Mkdir(name string) error { return h.root.Mkdir(name, 0o700) }

// Create makes a file.
func (h *Home) Create(name string) (File, error) {
	return h.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// Append opens a file for writing at its end.
func (h *Home) Append(name string) (File, error) {
	return h.root.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
}

// Link gives a file another name.
func (h *Home) Link(from, to string) error { return h.root.Link(from, to) }

// Remove removes a file.
func (h *Home) Remove(name string) error { return h.root.Remove(name) }

// SyncDir makes the names in a directory durable.
func (h *Home) SyncDir(name string) error {
	d, err := h.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(syncDir(d), d.Close())
}

// Lock locks a file. The file that is locked is the one that has the name then:
// one that was removed meanwhile would let a second owner in.
func (h *Home) Lock(name string) (io.Closer, error) {
	const tries = 3
	for range tries {
		f, err := h.root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, err
		}
		if err := lock(f); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		locked, err := f.Stat()
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if named, err := h.root.Stat(name); err == nil && os.SameFile(named, locked) {
			return f, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	return nil, ErrLocked
}

// MkdirAll makes a directory and those above it, durably: also one that is there
// already, since the process that made it may have died before it was durable.
func MkdirAll(home FS, name string) error {
	if name == "." {
		return nil
	}
	parent := path.Dir(name)
	if err := MkdirAll(home, parent); err != nil {
		return err
	}
	if err := home.Mkdir(name); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return home.SyncDir(parent)
}

// Publish writes a file and gives it its name when it is durable: fs.ErrExist if
// there is one. Its directory exists.
func Publish(home FS, name string, write func(io.Writer) error) error {
	var random [6]byte
	_, _ = rand.Read(random[:])
	temp := name + "." + hex.EncodeToString(random[:]) + ".tmp"
	f, err := home.Create(temp)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = home.Link(temp, name)
	}
	if err == nil {
		err = home.SyncDir(path.Dir(name))
	}
	// A temporary file that stays does no harm: DSH ignores it too.
	_ = home.Remove(temp)
	return err
}
