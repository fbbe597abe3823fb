// SPDX-License-Identifier: Apache-2.0

//go:build unix

package listen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

type unixListener struct {
	l    *net.UnixListener
	path string
	once sync.Once
	err  error
}

func openUnix(path string) (Listener, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if err := privateFolder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := removeStale(path); err != nil {
		return nil, err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	// The folder is what protects it; some systems ignore a socket's own mode.
	if err := os.Chmod(path, 0o600); err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("listen: %w", err)
	}
	return &unixListener{l: l, path: path}, nil
}

// privateFolder makes sure that a folder is this user's alone; one that is not
// there is made so.
func privateFolder(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("listen: the socket's folder: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("listen: the socket's folder: %w", err)
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return fmt.Errorf("listen: %s is not a folder", dir)
	case ok && int(st.Uid) != os.Geteuid():
		return fmt.Errorf("listen: %s belongs to user %d, not to this one: choose a folder of your own", dir, st.Uid)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("listen: others may enter %s (mode %o): chmod 700 it, or choose another folder", dir, info.Mode().Perm())
	}
	return nil
}

// removeStale removes the socket of a process that is gone, and nothing else.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if info.Mode().Type() != fs.ModeSocket || ok && int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("listen: %s is there already and is not a socket of yours: choose another path", path)
	}
	c, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		_ = c.Close()
		return fmt.Errorf("listen: another process serves %s: choose another path, or end it", path)
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("listen: %s is there, and who serves it cannot be told: %w", path, err)
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	return nil
}

func (u *unixListener) Addr() string { return "unix:" + u.path }

func (u *unixListener) Accept(ctx context.Context) (io.ReadWriteCloser, error) {
	stop := context.AfterFunc(ctx, func() { _ = u.l.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	for {
		c, err := u.l.AcceptUnix()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				_ = c.Close()
			}
			return nil, ctx.Err()
		case errors.Is(err, net.ErrClosed):
			return nil, ErrClosed
		case err != nil:
			return nil, fmt.Errorf("listen: %w", err)
		}
		if uid, known := peerUser(c); known && uid != os.Geteuid() {
			_ = c.Close()
			continue
		}
		return c, nil
	}
}

// Close also removes the socket from its folder.
func (u *unixListener) Close() error {
	u.once.Do(func() { u.err = u.l.Close() })
	return u.err
}
