// SPDX-License-Identifier: Apache-2.0

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock locks f as DSH does. Locks of fcntl would be invisible to it.
func lock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrLocked
		default:
			return fmt.Errorf("%s cannot be locked, so that nothing keeps a second process out; use a file system that has flock: %w", f.Name(), err)
		}
	}
}

func syncDir(d *os.File) error { return d.Sync() }
