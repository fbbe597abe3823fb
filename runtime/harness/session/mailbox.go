// SPDX-License-Identifier: Apache-2.0

package session

import "sync"

// command is something that is done to a family. Its mailbox runs it: a
// client's request, or a function.
type command interface {
	run(f *family)

	// gone is called instead of run if the family ended first.
	gone()
}

// change is a command that is a function; if the family ended first it is
// dropped.
type change func()

func (c change) run(*family) { c() }

func (change) gone() {}

// awaited is a change that its caller waits for.
type awaited struct {
	change
	done chan bool // gets true when the change was made and committed, false if the family ended first
}

func (a *awaited) gone() { a.done <- false }

// mailbox runs commands one at a time, in the order in which they came. It has
// no goroutine: one is started when a command finds it at rest, and ends when
// no command is left.
type mailbox struct {
	mu    sync.Mutex // guards what follows
	first command    // as a rule at most one command waits
	queue []command  // those after it
	count int
	busy  bool // a goroutine runs commands
	dead  bool
}

// put adds a command. It reports whether the mailbox took it, whether the
// caller must start a goroutine that runs the commands, and whether the queue
// is full. limit bounds the queue; 0 does not.
func (m *mailbox) put(c command, limit int) (taken, start, full bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return false, false, false
	}
	if limit > 0 && m.count >= limit {
		return false, false, true
	}
	if m.count == 0 {
		m.first = c
	} else {
		m.queue = append(m.queue, c)
	}
	m.count++
	start = !m.busy
	m.busy = true
	return true, start, false
}

// next takes the next command out. It returns nil if none is left, and the
// caller then runs no more.
func (m *mailbox) next() command {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.count == 0 {
		m.busy = false
		return nil
	}
	c := m.first
	m.first = nil
	if m.count--; m.count > 0 {
		m.first, m.queue[0] = m.queue[0], nil
		m.queue = m.queue[1:]
	} else {
		m.queue = nil
	}
	return c
}

// claim lets the caller run a command at once, if no command runs or waits. The
// caller must then call release, or start a goroutine that runs the commands.
func (m *mailbox) claim() (claimed, dead bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	claimed = !m.dead && !m.busy
	m.busy = m.busy || claimed
	return claimed, m.dead
}

// release ends a claim. It reports whether commands came meanwhile: the caller
// must then start a goroutine that runs them.
func (m *mailbox) release() (start bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy = m.count > 0
	return m.busy
}

// kill ends the mailbox, if no command waits or if must is set. Only the
// goroutine that runs commands may call it. It returns the commands that
// waited, whose gone the caller calls, and whether the mailbox ended now.
func (m *mailbox) kill(must bool) (waiting []command, ended bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead || m.count > 0 && !must {
		return nil, false
	}
	m.dead = true
	if m.count > 0 {
		waiting = append([]command{m.first}, m.queue...)
	}
	m.first, m.queue, m.count = nil, nil, 0
	return waiting, true
}
