// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"io"
	"time"
)

// Who writes, and when.

const (
	flushAt = 16 << 10 // a write is at least so long under load: see gather

	// writeMost is what one write is at most: one as large as a pipe would have
	// the reader and the writer take turns.
	writeMost = 32 << 10

	// burstTick is how long a live frame waits at most for others to go with it,
	// while they come faster than they could be written one by one.
	burstTick = 500 * time.Microsecond
)

// when says how much hurry a frame has.
type when uint8

const (
	soon     when = iota // live frames: in a burst they gather
	byWriter             // the writer writes it
	now                  // the caller writes it, if that can be done without blocking
)

// todo is what a goroutine that added a frame does next, without the mutex: write,
// or wake the writer. The zero value is nothing. It has the pen unless it is that.
type todo struct {
	chunk []byte
	wake  bool
	hurry when
}

// kick decides how what was added is written: by the goroutine that has the pen, by
// the caller, or by the writer. mu is held.
func (o *output) kick(hurry when) todo {
	if o.pen || o.err != nil || o.corked && o.unsent() < flushAt || o.burst && hurry == soon && o.fresh < flushAt {
		return todo{}
	}
	if hurry != now && !o.burst || o.try == nil {
		o.pen = true
		return todo{wake: true}
	}
	if chunk := o.gather(); len(chunk) > 0 {
		o.pen = true
		return todo{chunk: chunk, hurry: hurry}
	}
	if o.waiting() { // only lanes that wait for their sources
		o.pen = true
		return todo{wake: true}
	}
	o.nothing()
	return todo{}
}

// do writes, if that can be done without blocking, or wakes the writer.
func (o *output) do(t todo) {
	if t.chunk != nil {
		n, err := o.try(t.chunk)
		o.mu.Lock()
		o.settle(t.chunk, n, err)
		t.wake = o.err == nil && (len(o.rest) > 0 || o.waiting() && (!o.burst || t.hurry != soon || o.urgent()))
		if !t.wake {
			o.pen = false
			o.nothing()
		}
		failed := o.err != nil
		o.mu.Unlock()
		if failed {
			o.conn.stop()
		}
	}
	if t.wake {
		o.wake <- struct{}{}
	}
}

// cork has frames gather until uncork, if there are not too many: the reader
// has more lines to handle.
func (o *output) cork(corked bool) {
	o.mu.Lock()
	o.corked = corked
	o.mu.Unlock()
}

// uncork writes what has gathered.
func (o *output) uncork() {
	var next todo
	o.mu.Lock()
	if o.corked = false; o.waiting() {
		next = o.kick(now)
	}
	o.mu.Unlock()
	o.do(next)
}

// settle accounts for a write. mu and the pen are held.
func (o *output) settle(chunk []byte, n int, err error) {
	o.writes++
	o.bytes += uint64(max(n, 0))
	if err != nil {
		o.fail(err)
		return
	}
	if n < len(chunk) {
		o.rest = chunk[n:]
		return
	}
	o.recycle(o.chunk)
	o.chunk, o.rest, o.inHand, o.owing = nil, nil, 0, 0
	if enough := o.conn.limits.Unsent / 2; o.room != nil && o.unsent() <= enough && o.owes() <= enough {
		close(o.room)
		o.room = nil
	}
}

// run is the writer.
func (o *output) run() {
	tick := time.NewTimer(burstTick)
	tick.Stop()
	for {
		select {
		case <-o.wake:
		case <-o.quit:
			return
		}
		for o.write() && o.sleep(tick) {
		}
	}
}

// write writes what there is, and gives back the pen, which it has. It is true if a
// burst has begun, or continues, and what is left may wait for a tick.
func (o *output) write() (burst bool) {
	o.mu.Lock()
	o.burst = false
	for o.err == nil && (len(o.rest) > 0 || o.waiting()) {
		chunk := o.rest
		if len(chunk) == 0 {
			chunk = o.gather()
			if len(chunk) == 0 {
				continue
			}
		}
		o.mu.Unlock()
		part := chunk[:min(len(chunk), writeMost)]
		n, err := o.w.Write(part)
		if err == nil && n < len(part) {
			err = io.ErrShortWrite
		}
		o.mu.Lock()
		o.settle(chunk, n, err)
		if o.try != nil && o.err == nil && len(o.rest) == 0 && 0 < o.fresh && o.fresh < flushAt && !o.urgent() {
			o.burst = true
			break
		}
	}
	burst = o.burst
	o.pen = false
	o.nothing()
	failed := o.err != nil
	o.mu.Unlock()
	if failed {
		o.conn.stop()
	}
	return burst
}

// sleep is the writer's during a burst. It is true when the writer has the pen,
// and false when the burst is over.
func (o *output) sleep(tick *time.Timer) bool {
	writes := uint64(0)
	for {
		tick.Reset(burstTick)
		select {
		case <-o.wake:
			return true
		case <-o.quit:
			return false
		case <-tick.C:
		}
		o.mu.Lock()
		switch {
		case o.pen: // its holder writes all there is, or hands it over
		case o.waiting():
			o.pen = true
			o.mu.Unlock()
			return true
		case o.writes == writes:
			o.burst = false
			o.mu.Unlock()
			return false
		}
		writes = o.writes
		o.mu.Unlock()
	}
}
