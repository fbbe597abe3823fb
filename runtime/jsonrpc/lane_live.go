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

// Room waits as Live does before it puts its frame into the lane.
func (l *Lane) Room() {
	o := &l.conn.out
	o.mu.Lock()
	if limit := l.conn.limits.Lane; l.pending() >= limit/4 {
		l.await(limit / 4)
	}
	o.mu.Unlock()
}

// Offer is Live without the wait, for producers that must not wait where they
// put their frames. Without room left they call Room where they may.
func (l *Lane) Offer(frame LiveFrame) (taken, room bool) {
	o := &l.conn.out
	o.mu.Lock()
	limit := l.conn.limits.Lane
	if l.closed || o.err != nil {
		o.mu.Unlock()
		return false, true
	}
	n := l.pending()
	if n < limit/4 {
		return l.append(frame.AppendFrame, soon) == nil, true
	}
	size := frame.Size()
	if n+size > limit && l.held > 0 && l.held+size > limit/4 { // a part is theirs, whatever else waits
		l.dropped.Dropped++
		o.mu.Unlock()
		l.conn.report(Diagnostic{Kind: LiveDropped, Bytes: int64(size)})
		return false, false
	}
	if m := l.tail(); m != nil && m.live != nil {
		before := m.live.Size()
		if m.live.Merge(frame) {
			l.held += m.live.Size() - before
			l.dropped.Merged++
			o.mu.Unlock()
			return true, false
		}
	}
	l.mark(&mark{live: frame.Keep()})
	l.held += size
	l.wakeUp()
	return true, false
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

// await waits until less than n bytes wait: for LiveWait if the reader takes
// nothing, and a few times as long if it does. A reader that is not there by
// then is behind, and is not waited for again until it has caught up. output.mu
// is held, and released while it waits.
func (l *Lane) await(n int) {
	o, wait := &l.conn.out, l.conn.limits.LiveWait/waitParts
	if wait == 0 || l.behind {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	taken, idle := o.bytes, 0
	for waits := 0; !l.closed && o.err == nil && l.pending() >= n; {
		if l.room == nil {
			l.room = make(chan struct{})
		}
		room := l.room
		o.mu.Unlock()
		late := false
		select {
		case <-room:
		case <-timer.C:
			late = true
		}
		o.mu.Lock()
		if !late {
			continue
		}
		idle++
		if o.bytes != taken {
			taken, idle = o.bytes, 0
		}
		if waits++; idle == waitParts || waits == waitParts*patience {
			l.behind = l.pending() >= n
			return
		}
		timer.Reset(wait)
	}
}

// letIn wakes those who wait for room. output.mu is held.
func (l *Lane) letIn() {
	if l.room != nil {
		close(l.room)
		l.room = nil
	}
}
