// SPDX-License-Identifier: Apache-2.0

package client

import "context"

// loop is one consumer of a stream.
type loop[T, K comparable] struct {
	s     *Scope[T, K]
	run   *Run[T, K]
	st    *stream
	batch []Item // a few at a time, since each time takes the lock
	next  int    // of them
	left  int    // how many may still be taken; negative: all that come
	waits bool   // it is one of those who wait
}

func (l *loop[T, K]) begin() (wake <-chan struct{}) {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	l.run.quieten() // while it does not count as a reader
	l.st.attached++
	return l.st.waiter()
}

// take takes the next items. If there are none, over says that none will come; if
// not, the loop is one of those who wait.
func (l *loop[T, K]) take(ctx context.Context) (over bool) {
	s, st := l.s, l.st
	s.mu.Lock()
	defer s.mu.Unlock()
	l.come()
	if l.left < 0 && ctx.Err() != nil {
		l.left = st.len() // and no more, however fast more come
	}
	l.run.quieten()
	var freed int
	l.batch, freed = st.take(l.batch, l.left)
	if l.next = 0; l.left > 0 {
		l.left -= len(l.batch)
	}
	s.used -= freed
	if st.closed && st.len() == 0 {
		st.vacate()
	}
	st.pass()
	over = st.closed || st.lost || l.left >= 0 || l.run.silent()
	if l.waits = len(l.batch) == 0 && !over; l.waits {
		st.waiting++
	}
	return over
}

// come says that the loop waits no more.
func (l *loop[T, K]) come() {
	if l.waits {
		l.st.waiting--
		l.st.woken, l.waits = false, false
	}
}

// end gives back what was taken and not handed out, to another loop perhaps. Of a
// run that was interrupted nothing is.
func (l *loop[T, K]) end() {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	l.come()
	l.s.used += l.st.unread(l.batch[l.next:])
	l.run.quieten()
	l.st.attached--
	l.st.pass()
}
