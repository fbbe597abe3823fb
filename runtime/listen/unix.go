// SPDX-License-Identifier: Apache-2.0

//go:build unix && !solaris && !illumos && !aix

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
	made fs.FileInfo // of the socket: what is at the path later may be another's
	once sync.Once
	err  error
}

func openUnix(path string) (Listener, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	dir := filepath.Dir(path)
	if err := safeFolder(dir); err != nil {
		return nil, err
	}
	unlock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := removeStale(path); err != nil {
		return nil, err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	l.SetUnlinkOnClose(false)
	u := &unixListener{l: l, path: path}
	if err = os.Chmod(path, 0o600); err == nil {
		u.made, err = os.Lstat(path)
	}
	if err != nil {
		_ = os.Remove(path)
		_ = l.Close()
		return nil, fmt.Errorf("listen: %w", err)
	}
	return u, nil
}

// safeFolder makes sure that no other user can replace a socket in a folder: it
// is this user's or the system's, and others cannot write to it unless it is
// sticky, as /tmp is. One that is not there is made, for this user alone.
func safeFolder(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("listen: the socket's folder: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("listen: the socket's folder: %w", err)
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return fmt.Errorf("listen: %s is not a folder", dir)
	case ok && st.Uid != 0 && int(st.Uid) != os.Geteuid():
		return fmt.Errorf("listen: %s belongs to user %d, who could replace the socket: choose a folder of your own, or /tmp", dir, st.Uid)
	case info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0:
		return fmt.Errorf("listen: others may write to %s (mode %o) and could replace the socket: choose a folder that is yours alone, or /tmp", dir, info.Mode().Perm())
	}
	return nil
}

// lockWithin bounds the wait for others that open or close a socket in the same
// folder, which takes them an instant.
const lockWithin = 2 * time.Second

// lockFolder makes the check of a socket's path and what follows from it one
// step among processes: of several that find a stale socket one replaces it.
func lockFolder(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("listen: the socket's folder: %w", err)
	}
	for end := time.Now().Add(lockWithin); ; time.Sleep(5 * time.Millisecond) {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { _ = f.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) || time.Now().After(end) {
			_ = f.Close()
			return nil, fmt.Errorf("listen: the folder %s cannot be locked: try again, or choose another folder: %w", dir, err)
		}
	}
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
	for pause := time.Duration(0); ; {
		c, err := u.l.AcceptUnix()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				_ = c.Close()
			}
			return nil, ctx.Err()
		case errors.Is(err, net.ErrClosed):
			return nil, ErrClosed
		case err != nil && !passing(err):
			return nil, fmt.Errorf("listen: %w", err)
		case err != nil:
			pause = min(max(2*pause, leastPause), mostPause)
			select {
			case <-time.After(pause):
			case <-ctx.Done():
			}
			continue
		}
		if uid, known := peerUser(c); known && uid != os.Geteuid() {
			_ = c.Close()
			continue
		}
		return c, nil
	}
}

// Pauses between attempts to accept, as net/http has them.
const (
	leastPause = 5 * time.Millisecond
	mostPause  = time.Second
)

// passing reports whether an error of accepting is of the moment: no file
// descriptors are left, or the client has gone.
func passing(err error) bool {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED, syscall.EINTR, syscall.EAGAIN} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// Close also removes the socket from its folder, unless another process has
// taken the path since.
func (u *unixListener) Close() error {
	u.once.Do(func() {
		// While the socket is open its inode is not given to another.
		if unlock, err := lockFolder(filepath.Dir(u.path)); err == nil {
			if now, err := os.Lstat(u.path); err == nil && os.SameFile(now, u.made) {
				_ = os.Remove(u.path)
			}
			unlock()
		}
		u.err = u.l.Close()
	})
	return u.err
}

// defaultUnix is the socket of an endpoint that names none.
func defaultUnix() string {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		return filepath.Join(dir, "accord.sock")
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("accord-%d", os.Getuid()), "accord.sock")
}
