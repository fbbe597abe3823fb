// SPDX-License-Identifier: Apache-2.0

//go:build unix

package jsonrpc

import (
	"io"
	"os"
	"syscall"
)

// tryWriter is a way to write what fits without blocking, if w has one: a pipe
// or a socket in non-blocking mode, or a writer with the method TryWrite.
func tryWriter(w io.Writer) func(b []byte) (int, error) {
	switch w := w.(type) {
	case interface{ TryWrite(b []byte) (int, error) }:
		return w.TryWrite
	case syscall.Conn:
		raw, err := w.SyscallConn()
		if err != nil || !nonblocking(raw) {
			return nil
		}
		t := &rawWriter{raw: raw}
		t.once = t.write
		return t.try
	}
	return nil
}

// rawWriter writes once to a descriptor. Its user has the pen.
type rawWriter struct {
	raw  syscall.RawConn
	once func(fd uintptr) bool
	b    []byte
	n    int
	err  error
}

func (t *rawWriter) try(b []byte) (int, error) {
	t.b, t.n, t.err = b, 0, nil
	err := t.raw.Write(t.once)
	t.b = nil
	if err != nil {
		return 0, err
	}
	return t.n, t.err
}

func (t *rawWriter) write(fd uintptr) bool {
	for {
		n, err := syscall.Write(int(fd), t.b)
		switch err {
		case nil:
			t.n = n
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
		default:
			t.err = os.NewSyscallError("write", err)
		}
		return true
	}
}

// tryReader is a way to read what is there without waiting, if r has one: 0 bytes
// without an error mean that nothing is, or that a read has something else to say.
func tryReader(r io.Reader) func(b []byte) int {
	conn, ok := r.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := conn.SyscallConn()
	if err != nil || !nonblocking(raw) {
		return nil
	}
	t := &rawReader{raw: raw}
	t.once = t.read
	return t.try
}

// rawReader reads once from a descriptor. It is the reading goroutine's.
type rawReader struct {
	raw  syscall.RawConn
	once func(fd uintptr) bool
	b    []byte
	n    int
}

func (t *rawReader) try(b []byte) int {
	t.b, t.n = b, 0
	_ = t.raw.Read(t.once) // what is wrong is wrong for the next read, too
	t.b = nil
	return t.n
}

func (t *rawReader) read(fd uintptr) bool {
	n, _ := syscall.Read(int(fd), t.b)
	t.n = max(n, 0)
	return true
}

func nonblocking(raw syscall.RawConn) bool {
	ok := false
	err := raw.Control(func(fd uintptr) {
		flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_GETFL, 0)
		ok = errno == 0 && flags&syscall.O_NONBLOCK != 0
	})
	return err == nil && ok
}
