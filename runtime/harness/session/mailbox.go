// SPDX-License-Identifier: Apache-2.0

package session

import "sync"

// mailbox runs commands one at a time, in the order in which they came. It has
// no goroutine of its own: one is made when a command finds it at rest, and
// goes when nothing is left.
type mailbox struct {
	mu    sync.Mutex // guards what follows
	first letter     // as a rule one waits at most
	queue []letter   // those after it
	count int
	busy  bool // somebody drains
	dead  bool
}

// letter is one command: a request, or a function.
type letter struct {
	ticket *ticket
	run    func()
	gone   func()    // runs instead when the mailbox died first; may be nil
	done   chan bool // gets true after run, false when the mailbox died first; may be nil
}

// put adds a command. It says whether the mailbox took it, and whether the
// caller has to have it drained. limit bounds the queue, 0 does not.
func (m *mailbox) put(l letter, limit int) (taken, drain, full bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return false, false, false
	}
	if limit > 0 && m.count >= limit {
		return false, false, true
	}
	if m.count == 0 {
		m.first = l
	} else {
		m.queue = append(m.queue, l)
	}
	m.count++
	if m.busy {
		return true, false, false
	}
	m.busy = true
	return true, true, false
}

// next takes the next command out. False: none is left, and the caller drains
// no more.
func (m *mailbox) next() (letter, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.count == 0 {
		m.busy = false
		return letter{}, false
	}
	l := m.first
	m.first = letter{}
	if m.count--; m.count > 0 {
		m.first, m.queue[0] = m.queue[0], letter{}
		m.queue = m.queue[1:]
	} else {
		m.queue = nil
	}
	return l, true
}

// claim lets the caller run a command at once, if nobody drains and nothing
// waits. It must call release.
func (m *mailbox) claim() (claimed, dead bool) {
	m.mu.Lock()
	claimed, dead = !m.dead && !m.busy, m.dead
	m.busy = m.busy || claimed
	m.mu.Unlock()
	return claimed, dead
}

// release ends a claim. True: commands came meanwhile, and the caller has to
// have them drained.
func (m *mailbox) release() (drain bool) {
	m.mu.Lock()
	drain = m.count > 0
	m.busy = drain
	m.mu.Unlock()
	return drain
}

// kill ends the mailbox, if nothing waits or if it must; whoever drains may
// call it. What waited is told.
func (m *mailbox) kill(must bool) bool {
	m.mu.Lock()
	if m.dead || m.count > 0 && !must {
		m.mu.Unlock()
		return false
	}
	m.dead = true
	rest := m.queue
	if m.count > 0 {
		rest = append([]letter{m.first}, rest...)
	}
	m.first, m.queue, m.count = letter{}, nil, 0
	m.mu.Unlock()
	for _, l := range rest {
		if l.ticket != nil {
			l.ticket.c.e.post(l.ticket)
		}
		if l.gone != nil {
			l.gone()
		}
		if l.done != nil {
			l.done <- false
		}
	}
	return true
}
