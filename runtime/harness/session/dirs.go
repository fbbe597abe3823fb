// SPDX-License-Identifier: Apache-2.0

package session

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
)

// Dirs is what the engine asks about directories.
type Dirs interface {
	// Find returns the canonical absolute path of an existing directory, or an
	// error.
	Find(path string) (string, error)
}

// fileSystem is the machine's own file system.
type fileSystem struct{}

func (fileSystem) Find(path string) (string, error) {
	canonical, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	canonical, err = filepath.Abs(canonical)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(canonical)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%q is not a directory", path)
	}
	return canonical, nil
}

// errNoDir returns DSH's text for a directory that is not there.
func errNoDir(path string) error {
	return fmt.Errorf("working-directory: directory does not exist: %q", path)
}

// newID returns a random UUID.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
