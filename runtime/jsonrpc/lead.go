// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"sync"
	"time"
)

// Who reads.
//
// One goroutine at a time reads and handles lines. As a rule it is the one that
// runs Serve. While all that comes are answers to single calls, that goroutine
// leaves reading to the callers: a caller that waits reads its own answer, which
// saves waking another goroutine on each round trip, and on machines of several
// cores a thread. Serve's goroutine returns as soon as anything else comes, when
// no call was made for a tick, and when a caller has waited for a tick, so that
// nothing but the answer of a lone call ever depends on a caller.

const (
	// leadAfter is how many answers, with nothing between them, come before
	// callers read.
	leadAfter = 8
	// leadTick bounds how long a message waits that comes while callers read and
	// none waits, and how long a caller reads: about twice this long. A shorter one
	// costs more than it saves: a timer that is due before the system's own tick has
	// each wait program the clock.
	leadTick = 5 * time.Millisecond
)

// lead is the right to read, when Serve's goroutine does not have it.
type lead struct {
	back chan struct{} // gives it to Serve's goroutine

	mu    sync.Mutex // guards what follows
	free  bool       // no goroutine has it
	taken uint64     // counts the callers that took it
}

// take gives the right to a caller, if it is free.
func (l *lead) take() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.free {
		return false
	}
	l.free = false
	l.taken++
	return true
}

// leave frees the right. Its holder has just done what it was for.
func (l *lead) leave() {
	l.mu.Lock()
	l.free = true
	l.mu.Unlock()
}

// alone reports whether callers may read: the last messages were answers, and no
// call waits for one. The caller has the right to read.
func (c *Conn) alone() bool {
	if c.in.deadline == nil || c.rd.answers < leadAfter {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.calls) == c.lost
}

// lead reads for a call that waits, if no other goroutine reads.
func (c *Conn) lead(call *Call) {
	if len(call.done) > 0 || !c.turn.take() {
		return
	}
	if len(call.done) == 0 { // it may have been answered just before
		c.lines(call)
	}
	if len(call.done) > 0 && c.alone() && !c.stopped.Load() {
		c.turn.leave()
		return
	}
	c.turn.back <- struct{}{}
}

// rest lets callers read until there is a reason not to. It is called by Serve's
// goroutine, which has the right to read before and after it.
func (c *Conn) rest(tick *time.Timer) {
	l := &c.turn
	l.leave()
	seen := uint64(0)
	for {
		tick.Reset(leadTick)
		select {
		case <-l.back:
			return
		case <-tick.C:
		}
		l.mu.Lock()
		idle, free := l.taken == seen, l.free
		seen = l.taken
		if idle && free {
			l.free = false
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
		if idle { // the caller that reads has waited for a tick
			_ = c.in.deadline(time.Unix(1, 0))
		}
	}
}
