// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// link is the player's end of the sockets to its peers: the lines that the
// client wrote, and the orders to the peer.
type link struct {
	dir      string // temporary folder of the socket
	path     string
	listener net.Listener
	wg       sync.WaitGroup

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced at every change below
	conns    []net.Conn
	launches int
	wanted   int // launches that the host asked for
	partial  []byte
	lines    []line // written by the client, not yet taken
	total    int    // lines ever written
	eof      bool   // the client closed the runtime's stdin
	gone     bool   // the peer's process ended
	all      []line
}

// line is one line of the client's, with the time at which it was read.
type line struct {
	data []byte
	at   time.Time
}

func newLink() (*link, error) {
	dir, err := os.MkdirTemp("", "accord-replay-")
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	k := &link{dir: dir, path: path, listener: l, changed: make(chan struct{})}
	k.wg.Add(1)
	go k.accept()
	return k, nil
}

// tally is the file in which a runtime of the case's own leaves its process's
// id, in a line, when it is launched.
func (k *link) tally() string { return filepath.Join(k.dir, "launches") }

func (k *link) close() {
	_ = k.listener.Close()
	k.mu.Lock()
	conns := k.conns
	k.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
	}
	k.wg.Wait()
	_ = os.RemoveAll(k.dir)
}

func (k *link) accept() {
	defer k.wg.Done()
	for {
		c, err := k.listener.Accept()
		if err != nil {
			return
		}
		k.mu.Lock()
		k.launches++
		k.conns = append(k.conns, c)
		k.gone = false
		k.eof = false
		k.partial = nil
		k.notify()
		k.mu.Unlock()
		k.wg.Add(1)
		go k.read(c)
	}
}

func (k *link) read(c net.Conn) {
	defer k.wg.Done()
	r := bufio.NewReaderSize(c, 64<<10)
	for {
		kind, data, err := readMessage(r)
		k.mu.Lock()
		switch {
		case err != nil:
			k.gone = true
			k.notify()
			k.mu.Unlock()
			return
		case kind == msgStdin:
			k.take(data)
		case kind == msgStdinEOF:
			k.eof = true
		}
		k.notify()
		k.mu.Unlock()
	}
}

// take cuts bytes into lines. k.mu is held.
func (k *link) take(data []byte) {
	now := time.Now()
	k.partial = append(k.partial, data...)
	for {
		i := bytes.IndexByte(k.partial, '\n')
		if i < 0 {
			return
		}
		l := line{data: bytes.Clone(k.partial[:i]), at: now}
		k.partial = k.partial[i+1:]
		k.lines = append(k.lines, l)
		k.all = append(k.all, l)
		k.total++
	}
}

// notify wakes everyone that waits for a change. k.mu is held.
func (k *link) notify() {
	close(k.changed)
	k.changed = make(chan struct{})
}

// await blocks until cond holds; it is called with k.mu held.
func (k *link) await(ctx context.Context, cond func() bool) error {
	for {
		k.mu.Lock()
		ok, changed := cond(), k.changed
		k.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// want announces a launch, so that its peer is waited for.
func (k *link) want() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.wanted++
}

var errPeerGone = errors.New("the runtime's process has ended")

// next takes the client's next line.
func (k *link) next(ctx context.Context) ([]byte, error) {
	var data []byte
	var gone bool
	err := k.await(ctx, func() bool {
		if len(k.lines) > 0 {
			data = k.lines[0].data
			k.lines = k.lines[1:]
			return true
		}
		gone = k.gone && k.launches >= k.wanted
		return gone
	})
	if err == nil && gone {
		err = errPeerGone
	}
	return data, err
}

// send gives the peer an order. Without a peer it is an error.
func (k *link) send(kind byte, data []byte) error {
	k.mu.Lock()
	if len(k.conns) == 0 {
		k.mu.Unlock()
		return errors.New("the client has not launched the runtime yet: a host step must come first")
	}
	c, gone := k.conns[len(k.conns)-1], k.gone
	k.mu.Unlock()
	if gone {
		return errPeerGone
	}
	if err := writeMessage(c, kind, data); err != nil {
		return fmt.Errorf("cannot reach the peer: %w", err)
	}
	return nil
}

// counted are the client's lines so far that a filter takes. k.mu is held.
func (k *link) counted(take func(method, session string) bool) []line {
	var out []line
	for _, l := range k.all {
		if take(methodOf(l.data)) {
			out = append(out, l)
		}
	}
	return out
}

func (k *link) count(take func(method, session string) bool) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.counted(take))
}

// countSince counts the client's lines from a time on that a filter takes.
func (k *link) countSince(at time.Time, take func(method, session string) bool) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := 0
	for _, l := range k.counted(take) {
		if !l.at.Before(at) {
			n++
		}
	}
	return n
}
