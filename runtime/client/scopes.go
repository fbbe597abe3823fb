// SPDX-License-Identifier: Apache-2.0

package client

import (
	"sync"
	"sync/atomic"
)

// Scopes are the scopes of one kind on a connection, by id.
type Scopes[ID, T, K comparable] struct {
	make func(id ID) *Scope[T, K]
	tree tree

	mu     sync.Mutex // guards all below
	scopes map[ID]*Scope[T, K]
	lost   error
	gone   ScopeCounters // of scopes that were forgotten

	// Scopes that messages brought, and no call: the first to be forgotten.
	strangers []entered[ID, T, K]

	// Messages of one scope come in runs: the last one is remembered, for as long
	// as it is in the table.
	last atomic.Pointer[entered[ID, T, K]]
}

// entered is a scope of the table, with its id.
type entered[ID, T, K comparable] struct {
	id    ID
	scope *Scope[T, K]
}

// NewScopes returns no scopes yet; create makes one when it is first wanted.
func NewScopes[ID, T, K comparable](create func(id ID) *Scope[T, K]) *Scopes[ID, T, K] {
	return &Scopes[ID, T, K]{make: create, scopes: map[ID]*Scope[T, K]{}, tree: tree{live: map[any]*branch{}}}
}

// Enter returns the scope of an id for a call, which owes it Leave.
func (s *Scopes[ID, T, K]) Enter(id ID) *Scope[T, K] { return s.enter(id, false) }

// Attach is Enter for a call that brings the scope's messages to this
// connection: what is known of the scope is kept from then on.
func (s *Scopes[ID, T, K]) Attach(id ID) *Scope[T, K] { return s.enter(id, true) }

func (s *Scopes[ID, T, K]) enter(id ID, keep bool) *Scope[T, K] {
	s.mu.Lock()
	defer s.mu.Unlock()
	scope := s.find(id, true)
	if scope.leave == nil {
		scope.leave = func() { s.Leave(id, scope) }
	}
	scope.hold(keep)
	return scope
}

// Begin begins a call whose answer stands among the messages of a scope.
func (s *Scopes[ID, T, K]) Begin(c *Caller, m *Method, id ID) *Exchange {
	return c.Begin(m, s.enter(id, m.Attaches))
}

// Leave ends what Enter or Attach began. A scope of which nothing is known, or
// that is over, is forgotten.
func (s *Scopes[ID, T, K]) Leave(id ID, scope *Scope[T, K]) {
	scope.release()
	s.mu.Lock()
	defer s.mu.Unlock()
	if scope.useless() {
		s.forget(id, scope)
	}
}

// forget is called with the lock held.
func (s *Scopes[ID, T, K]) forget(id ID, scope *Scope[T, K]) {
	if s.scopes[id] == scope {
		s.gone.add(scope.Counters())
		delete(s.scopes, id)
		s.last.Store(nil)
	}
}

// Receive hands a message to the scope of an id. A scope of which there is no handle
// is made only if create says so: if a handler wants its messages.
func (s *Scopes[ID, T, K]) Receive(id ID, it *Item, create bool) {
	var none ID
	if _, whole := any(none).(struct{}); it.Broken && id == none && !whole {
		return // what it lacks is the id
	}
	if scope := s.Find(id, create); scope != nil {
		scope.Receive(it)
	}
}

// Find returns the scope of an id for a message that came. Without create it is
// nil if there is none yet.
func (s *Scopes[ID, T, K]) Find(id ID, create bool) *Scope[T, K] {
	if last := s.last.Load(); last != nil && last.id == id {
		return last.scope
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	scope := s.scopes[id]
	if scope == nil && create {
		scope = s.find(id, true)
		s.strange(id, scope)
	}
	if scope != nil {
		s.last.Store(&entered[ID, T, K]{id, scope})
	}
	return scope
}

// find is called with the lock held.
func (s *Scopes[ID, T, K]) find(id ID, create bool) *Scope[T, K] {
	scope := s.scopes[id]
	if scope == nil {
		if !create {
			return nil
		}
		scope = s.make(id)
		if _, whole := any(id).(struct{}); !whole {
			scope.id, scope.tree, scope.kin = id, &s.tree, func(id any, create bool) *Scope[T, K] { return s.Find(id.(ID), create) }
			scope.branch = s.tree.of(id)
		}
		s.scopes[id] = scope
		if s.lost != nil {
			scope.Fail(s.lost)
		}
	}
	return scope
}

// maxStrangers is how many scopes are kept that no call was made in. A peer may send
// messages of any number of them.
const maxStrangers = 1024

// strange notes a scope that a message brought. Of too many the first is forgotten
// that can be; what comes of it later is as if it were new. It is called with the
// lock held.
func (s *Scopes[ID, T, K]) strange(id ID, scope *Scope[T, K]) {
	s.strangers = append(s.strangers, entered[ID, T, K]{id, scope})
	for range 2 {
		if len(s.strangers) <= maxStrangers {
			return
		}
		first := s.strangers[0]
		s.strangers = s.strangers[1:]
		switch {
		case s.scopes[first.id] != first.scope || first.scope.known():
		case first.scope.stranger():
			s.forget(first.id, first.scope)
		default:
			s.strangers = append(s.strangers, first)
		}
	}
}

// Withholds reports whether all that is under way in a scope was interrupted.
func (s *Scopes[ID, T, K]) Withholds(id ID) bool {
	s.mu.Lock()
	scope := s.scopes[id]
	s.mu.Unlock()
	return scope != nil && scope.Withholds()
}

// Children returns the scopes that a scope began and that have not ended, in the
// order in which they began.
func (s *Scopes[ID, T, K]) Children(id ID) []Branch { return s.tree.children(id) }

// Drop forgets a scope that is over, once its messages have been handled, if it
// is of no use then.
func (s *Scopes[ID, T, K]) Drop(id ID) {
	scope := s.Find(id, false)
	if scope == nil {
		return
	}
	scope.Pass(false, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if scope.Idle() {
			s.forget(id, scope)
		}
	})
}

// Fail fails the open runs of all scopes, and those of scopes to come.
func (s *Scopes[ID, T, K]) Fail(err error) {
	s.mu.Lock()
	s.lost = err
	scopes := make([]*Scope[T, K], 0, len(s.scopes))
	for _, scope := range s.scopes {
		scopes = append(scopes, scope)
	}
	s.mu.Unlock()
	for _, scope := range scopes {
		scope.Fail(err)
	}
	for _, b := range s.tree.lose(err) {
		if scope := s.Find(b.ID.(ID), false); scope != nil {
			scope.orphan(err)
		}
	}
}

// Counters returns the sum over all scopes.
func (s *Scopes[ID, T, K]) Counters() ScopeCounters {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := s.gone
	for _, scope := range s.scopes {
		sum.add(scope.Counters())
	}
	return sum
}

func (c *ScopeCounters) add(other ScopeCounters) {
	c.Messages += other.Messages
	c.Merged += other.Merged
	c.Dropped += other.Dropped
	c.Unread += other.Unread
	c.Late += other.Late
	c.Broken += other.Broken
	c.Withheld += other.Withheld
	c.Lagged += other.Lagged
}
