// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"io"
	"syscall"
	"unsafe"
)

// poller is a way to wait for input without parking the goroutine: for leadTick
// at most, on the thread, which costs a round trip three system calls and two
// switches of goroutines less. Nil if r has none.
func poller(r io.Reader) (wait func() bool) {
	conn, ok := r.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := conn.SyscallConn()
	if err != nil || !nonblocking(raw) {
		return nil
	}
	p := &rawPoll{raw: raw}
	p.once = p.poll
	return p.wait
}

// rawPoll polls a descriptor. It belongs to the goroutine that reads.
type rawPoll struct {
	raw   syscall.RawConn
	once  func(fd uintptr)
	ready bool
}

// pollFd is struct pollfd of poll(2).
type pollFd struct {
	fd      int32
	events  int16
	revents int16
}

const pollIn = 1

// wait reports whether there is something to be read, the end included.
func (p *rawPoll) wait() bool {
	p.ready = false
	return p.raw.Control(p.once) == nil && p.ready
}

func (p *rawPoll) poll(fd uintptr) {
	one := pollFd{fd: int32(fd), events: pollIn}
	limit := syscall.NsecToTimespec(int64(leadTick))
	n, _, _ := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&one)), 1, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	p.ready = n == 1
}
