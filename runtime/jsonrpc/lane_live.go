// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import "time"

// LiveFrame is a frame that may be merged with its neighbours, or dropped, when
// the reader is slow. Generated types of live notifications are.
type LiveFrame interface {
	// AppendFrame appends the whole message, without a newline.
	AppendFrame(b []byte) []byte

	// Keep returns a copy that the lane may hold and merge into.
	Keep() LiveFrame

	// Merge adds next, which came right after the receiver, to it, or returns
	// false if the two may not be one. Only called on what Keep returned.
	Merge(next LiveFrame) bool

	// Size is about how many bytes the frame has on the wire.
	Size() int
}

// Live puts a live frame into the lane, and returns false if it was dropped.
// While the reader takes what it is sent, Live waits a short time for room, so
// that such a reader gets every frame; for one that has stopped it does not.
func (l *Lane) Live(frame LiveFrame) bool {
	l.Room()
	taken, _ := l.Offer(frame)
	return taken
}

// Room waits as Live does before it puts its frame into the lane: for LiveWait if
// the reader takes nothing, and a few times as long if it does. A reader that is not
// there by then is behind, and is not waited for again until it has caught up.
func (l *Lane) Room() {
	n, wait := l.conn.limits.Lane/4, l.conn.limits.LiveWait/waitParts
	room, taken := l.roomFor(n)
	if room == nil || wait == 0 {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for waits, idle := 0, 0; room != nil; {
		select {
		case <-room:
			room, _ = l.roomFor(n)
			continue
		case <-timer.C:
		}
		var now uint64
		room, now = l.roomFor(n)
		idle++
		if now != taken {
			taken, idle = now, 0
		}
		if waits++; idle == waitParts || waits == waitParts*patience {
			l.giveUp(n)
			return
		}
		timer.Reset(wait)
	}
}

// roomFor returns a channel that is closed when there may be room, nil if less than
// n bytes wait, or if the reader is not waited for. taken counts what the reader of
// the connection took.
func (l *Lane) roomFor(n int) (room <-chan struct{}, taken uint64) {
	o := &l.conn.out
	o.mu.Lock()
	defer o.mu.Unlock()
	if l.behind || l.closed || o.err != nil || l.pending() < n {
		return nil, o.bytes
	}
	if l.room == nil {
		l.room = make(chan struct{})
	}
	return l.room, o.bytes
}

// giveUp notes that a reader is behind: it is not waited for until it has caught up.
func (l *Lane) giveUp(n int) {
	l.conn.out.mu.Lock()
	l.behind = l.pending() >= n
	l.conn.out.mu.Unlock()
}

// Offer is Live without the wait, for producers that must not wait where they
// put their frames. Without room left they call Room where they may.
func (l *Lane) Offer(frame LiveFrame) (taken, room bool) {
	o := &l.conn.out
	o.mu.Lock()
	before := l.dropped.Dropped
	next, taken, room, err := l.offer(frame)
	dropped := l.dropped.Dropped != before
	o.mu.Unlock()
	o.do(next)
	if dropped {
		l.conn.report(Diagnostic{Kind: LiveDropped, Bytes: int64(frame.Size())})
	}
	return taken && l.conn.unwritten(err) == nil, room
}

// offer is Offer under output.mu.
func (l *Lane) offer(frame LiveFrame) (_ todo, taken, room bool, err error) {
	if l.closed || l.conn.out.err != nil {
		return todo{}, false, true, nil
	}
	n, limit := l.pending(), l.conn.limits.Lane
	if n < limit/4 {
		next, err := l.conn.out.put(l, soon, frame.AppendFrame)
		return next, true, true, err
	}
	size := frame.Size()
	if n+size > limit && l.held > 0 && l.held+size > limit/4 { // a part is theirs, whatever else waits
		l.dropped.Dropped++
		return todo{}, false, false, nil
	}
	if m := l.tail(); m != nil && m.live != nil {
		before := m.live.Size()
		if m.live.Merge(frame) {
			l.held += m.live.Size() - before
			l.dropped.Merged++
			return todo{}, true, false, nil
		}
	}
	l.mark(&mark{live: frame.Keep()})
	l.held += size
	return l.wakeUp(), true, false, nil
}

const (
	// waitParts are the parts of LiveWait. A wait is over when the reader took
	// nothing in any of them: not when the clock jumps because the whole machine
	// stood still.
	waitParts = 8
	// patience is how many times LiveWait a producer waits at most for a reader
	// that takes, but does not catch up.
	patience = 4
)

// letIn wakes those who wait for room. output.mu is held.
func (l *Lane) letIn() {
	if l.room != nil {
		close(l.room)
		l.room = nil
	}
}
