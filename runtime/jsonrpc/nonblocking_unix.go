// SPDX-License-Identifier: Apache-2.0

//go:build unix

package jsonrpc

import (
	"os"
	"syscall"
)

// Nonblocking opens a pipe or socket anew in non-blocking mode, so that reading
// it parks a goroutine and not a thread, and writing may be tried; f is closed.
// A child process wants it for its standard input and output, which it gets in
// blocking mode: answers of handlers that run in goroutines then take half the
// time. Any other file, a terminal above all, is returned as it is: the mode
// belongs to the open file, which other processes may share.
func Nonblocking(f *os.File) (*os.File, error) {
	var fd int
	open := func(raw uintptr) (err error) {
		var stat syscall.Stat_t
		if err := syscall.Fstat(int(raw), &stat); err != nil {
			return os.NewSyscallError("fstat", err)
		}
		if kind := stat.Mode & syscall.S_IFMT; kind != syscall.S_IFIFO && kind != syscall.S_IFSOCK {
			fd = -1
			return nil
		}
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		if fd, err = syscall.Dup(int(raw)); err != nil {
			return os.NewSyscallError("dup", err)
		}
		syscall.CloseOnExec(fd)
		return os.NewSyscallError("setnonblock", syscall.SetNonblock(fd, true))
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	var opened error
	if err := raw.Control(func(raw uintptr) { opened = open(raw) }); err != nil {
		return nil, err
	}
	if opened != nil || fd < 0 {
		return f, opened
	}
	name := f.Name()
	if err := f.Close(); err != nil {
		_ = syscall.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}
