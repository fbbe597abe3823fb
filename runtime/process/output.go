// SPDX-License-Identifier: Apache-2.0

package process

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// held is how long a pipe may stay open after the child is gone: a grandchild
// may hold it, and no caller waits for that one.
const held = 200 * time.Millisecond

// output is our end of a pipe that the child writes to.
type output struct {
	f    *os.File
	over atomic.Bool // the child is gone; set under mu

	mu sync.Mutex // guards the deadline of f
}

func newOutput(f *os.File) *output { return &output{f: f} }

// end starts the short time in which the rest of the pipe is read.
func (o *output) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over.Store(true)
	if o.f.SetReadDeadline(time.Now().Add(held)) != nil {
		// No deadlines here (Windows): the pipe is closed instead.
		time.AfterFunc(held, func() { _ = o.f.Close() })
	}
}

// SetReadDeadline sets the deadline of reads, until the child is gone: then there
// is one already.
func (o *output) SetReadDeadline(t time.Time) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over.Load() {
		return nil
	}
	return o.f.SetReadDeadline(t)
}

// SyscallConn gives access to the descriptor, for reads that do not wait.
func (o *output) SyscallConn() (syscall.RawConn, error) { return o.f.SyscallConn() }

// Read reads what the child wrote.
func (o *output) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	n, err := o.f.Read(b)
	if n > 0 || err == nil || !o.over.Load() {
		return n, err
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		// What is already in the pipe was written in time, however late it
		// is read.
		if n := readNow(o.f, b); n > 0 {
			return n, nil
		}
		return 0, io.EOF
	}
	if errors.Is(err, os.ErrClosed) {
		return 0, io.EOF
	}
	return n, err
}

// Close ends reading.
func (o *output) Close() error { return o.f.Close() }
