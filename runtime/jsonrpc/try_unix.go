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

// rawWriter writes once to a descriptor. Whoever uses it has the pen.
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

func nonblocking(raw syscall.RawConn) bool {
	ok := false
	err := raw.Control(func(fd uintptr) {
		flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_GETFL, 0)
		ok = errno == 0 && flags&syscall.O_NONBLOCK != 0
	})
	return err == nil && ok
}
