// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// link is the player's end of the sockets to its peers. What the client writes is
// noted in the record, and taken from there in its order.
type link struct {
	rec      *record
	dir      string // temporary folder of the socket
	path     string
	listener net.Listener // nil with a runtime under test
	wg       sync.WaitGroup

	// What follows is guarded by rec.mu.
	conns   []net.Conn
	to      *gob.Encoder // to the last peer
	wanted  int          // launches that the host asked for
	gone    bool         // the last peer's process ended
	partial []byte
	taken   int // moments up to which next has come
}

func newLink(rec *record) (*link, error) {
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
	k := &link{rec: rec, dir: dir, path: path, listener: l}
	k.wg.Go(k.accept)
	return k, nil
}

// tally is the file in which a runtime of the case's own leaves its process's
// id, in a line, when it is launched.
func (k *link) tally() string { return filepath.Join(k.dir, "launches") }

func (k *link) close() {
	_ = k.listener.Close()
	k.rec.mu.Lock()
	conns := k.conns
	k.rec.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
	}
	k.wg.Wait()
	_ = os.RemoveAll(k.dir)
}

func (k *link) accept() {
	for {
		c, err := k.listener.Accept()
		if err != nil {
			return
		}
		k.rec.do(func() {
			k.rec.launches++
			k.conns, k.to = append(k.conns, c), gob.NewEncoder(c)
			k.gone, k.partial = false, nil
		})
		k.wg.Go(func() { k.read(c) })
	}
}

func (k *link) read(c net.Conn) {
	from := gob.NewDecoder(c)
	for {
		var got carried
		if err := from.Decode(&got); err != nil {
			k.rec.do(func() { k.gone = c == k.conns[len(k.conns)-1] })
			return
		}
		k.take(got.Data, sent)
	}
}

// take notes the lines of what one side wrote, blank ones left out. Only one goroutine
// calls it at a time.
func (k *link) take(data []byte, from string) {
	k.partial = append(k.partial, data...)
	for {
		line, rest, ok := bytes.Cut(k.partial, []byte("\n"))
		if !ok {
			return
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			k.rec.add(from, bytes.Clone(line), nil)
		}
		k.partial = rest
	}
}

var errPeerGone = errors.New("the runtime's process has ended")

// next takes the client's next line, whatever it is.
func (k *link) next(ctx context.Context) (got moment, err error) {
	var found, gone bool
	err = k.rec.await(ctx, func() bool {
		for ; k.taken < len(k.rec.moments) && !found; k.taken++ {
			got = k.rec.moments[k.taken]
			found = got.from == sent
		}
		gone = k.gone && k.rec.launches >= k.wanted
		return found || gone
	})
	if err == nil && !found {
		err = errPeerGone
	}
	return got, err
}

// left are the client's lines that no step has taken. The caller holds rec.mu.
func (k *link) left() (lines [][]byte) {
	for _, m := range k.rec.moments[k.taken:] {
		if m.from == sent && !m.isComplaint() {
			lines = append(lines, m.text)
		}
	}
	return lines
}

// send gives the peer what it is to do. It waits for the peer to be launched.
func (k *link) send(ctx context.Context, c carried, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var to *gob.Encoder
	var gone bool
	if err := k.rec.await(ctx, func() bool { to, gone = k.to, k.gone; return to != nil }); err != nil {
		return fmt.Errorf("the client has not launched the runtime within %v: a host step must come first", timeout)
	}
	if gone {
		return errPeerGone
	}
	if err := to.Encode(c); err != nil {
		return fmt.Errorf("cannot reach the peer: %w", err)
	}
	return nil
}
