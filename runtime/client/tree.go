// SPDX-License-Identifier: Apache-2.0

package client

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

// Kin says what a message means for the life of another scope.
type Kin uint8

// A message begins the life of another scope, and is handed out before that scope's
// first message; ends it, and is handed out after the last that came before it; or
// says that it continues when the work that began it is over.
const (
	NoKin Kin = iota
	BeginsChild
	EndsChild
	DetachesChild
)

// Branch is a scope that another one began.
type Branch struct {
	ID, Parent any   // ids of scopes
	Began      any   // the message that began it
	Ended      any   // the message that ended it; nil: none has come
	Err        error // the connection was lost before that
}

// maxBranches bounds how many scopes a peer may begin without ending them. The
// messages of more are in the same order, but they are in no tree.
const maxBranches = 1 << 16

// tree is which scopes of a connection began which. It is used under the locks of
// scopes.
type tree struct {
	mu   sync.Mutex // guards all below, and the branches
	live map[any]*branch
	born uint64 // counts the branches
}

// branch is a Branch that is kept up to date.
type branch struct {
	Branch
	n        uint64 // in which order they began
	detached bool   // what began it does not wait for it
	silence  atomic.Pointer[silence]
	past     *silence // of what came before the end
	kids     []*branch
}

// errAgain is why a branch has no end that began again.
var errAgain = errors.New("it began again before its end came")

// begin adds a branch, which is silent if what began it is: quiet is asked under the
// lock, since that may be silenced at the same time.
func (t *tree) begin(b *branch, kids *[]*branch, quiet *silence) *branch {
	t.mu.Lock()
	defer t.mu.Unlock()
	q := &silence{}
	q.on.Store(quiet.silent())
	b.silence.Store(q)
	t.born++
	b.n = t.born
	before := t.live[b.ID]
	if before != nil {
		before.Err = errAgain
	} else if len(t.live) >= maxBranches {
		return b
	}
	t.live[b.ID] = b
	if up := t.live[b.Parent]; up != nil {
		up.kids = grow(up.kids, b)
	}
	if kids != nil {
		*kids = grow(*kids, b)
	}
	return b
}

// grow adds a branch to those of one scope or activity, of which there may be so
// many.
func grow(kids []*branch, b *branch) []*branch {
	if len(kids) >= maxBranches {
		return kids
	}
	return append(kids, b)
}

// of returns the branch of a scope; nil if it has none.
func (t *tree) of(id any) *branch {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.live[id]
}

// end notes the end of a branch. A scope that continues is silent no longer: the
// silence of what came before is returned.
func (t *tree) end(b *branch, note any) (was *silence) {
	t.mu.Lock()
	defer t.mu.Unlock()
	b.Ended = note
	delete(t.live, b.ID)
	b.past = b.silence.Swap(&silence{})
	return b.past
}

// part says that what began a branch does not wait for it. It and its own are silent
// no longer, and those that were are returned.
func (t *tree) part(b *branch) (revived []*branch) {
	t.mu.Lock()
	defer t.mu.Unlock()
	b.detached = true
	each([]*branch{b}, func(b *branch) bool {
		if b.silence.Load().on.Swap(false) {
			revived = append(revived, b)
		}
		return b.Ended == nil
	})
	return revived
}

// hush makes branches silent, and theirs, but those that continue by themselves. Of
// one that has ended, what has not been handed out yet is withheld.
func (t *tree) hush(kids *[]*branch) {
	t.mu.Lock()
	defer t.mu.Unlock()
	each(*kids, func(b *branch) bool {
		switch {
		case b.detached:
			return false
		case b.past != nil:
			b.past.on.Store(true)
		default:
			b.silence.Load().on.Store(true)
		}
		return true
	})
}

// each visits branches and theirs, each after what began it; f is false for those
// whose own are left out.
func each(kids []*branch, f func(b *branch) bool) {
	for _, b := range kids {
		if f(b) {
			each(b.kids, f)
		}
	}
}

// all returns branches and theirs.
func (t *tree) all(kids *[]*branch) (list []Branch) {
	t.mu.Lock()
	defer t.mu.Unlock()
	each(*kids, func(b *branch) bool {
		list = append(list, b.Branch)
		return true
	})
	return list
}

// lose notes that the connection is lost, and returns the branches whose end had
// not come, the last begun first: each before what began it.
func (t *tree) lose(err error) []*branch {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lost []*branch
	for _, b := range t.live {
		b.Err = err
		lost = append(lost, b)
	}
	clear(t.live)
	slices.SortFunc(lost, func(a, b *branch) int { return cmp.Compare(b.n, a.n) })
	return lost
}

// children returns the live branches of one scope, in the order in which they
// began.
func (t *tree) children(parent any) []Branch {
	t.mu.Lock()
	defer t.mu.Unlock()
	var found []*branch
	for _, b := range t.live {
		if b.Parent == parent {
			found = append(found, b)
		}
	}
	slices.SortFunc(found, func(a, b *branch) int { return cmp.Compare(a.n, b.n) })
	list := make([]Branch, len(found))
	for i, b := range found {
		list[i] = b.Branch
	}
	return list
}

// barrier holds one scope's queue until another's has come to a place.
type barrier struct {
	mu     sync.Mutex
	opened bool
	resume func()
}

// pass reports whether it is open; if not, resume is called when it is.
func (b *barrier) pass(resume func()) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.resume = resume
	return b.opened
}

func (b *barrier) open() {
	b.mu.Lock()
	b.opened = true
	resume := b.resume
	b.mu.Unlock()
	if resume != nil {
		resume()
	}
}

// relate notes what a message means for the life of another scope, before it is
// routed. It returns what is to be done after that, under the lock and without it.
func (s *Scope[T, K]) relate(it *Item, m *Marks[T, K], act *activity[T, K]) (routed, then func()) {
	if s.tree == nil || m.Child == s.id {
		return nil, nil
	}
	if act == nil {
		act = s.current()
	}
	switch child := m.Child; m.Kin {
	case BeginsChild:
		var kids *[]*branch
		quiet := s.own()
		if act != nil {
			kids, quiet = &act.kids, &act.silence
		}
		b := s.tree.begin(&branch{Branch: Branch{ID: child, Parent: s.id, Began: it.Note}}, kids, quiet)
		it.of = b.silence.Load()
		g := &barrier{}
		if s.cfg.Handle != nil {
			routed = func() { s.handler.push(&Item{mark: g.open}, 0, false) }
		}
		return routed, func() {
			if c := s.kin(child, s.cfg.Handle != nil); c != nil {
				c.born(b, g)
			}
		}
	case EndsChild:
		b := s.tree.of(child)
		var was *silence
		if b != nil {
			was = s.tree.end(b, it.Note)
			it.of = was
		}
		g := &barrier{}
		if s.cfg.Handle != nil {
			s.handler.push(&Item{until: g}, 0, false)
		}
		return nil, func() {
			if c := s.kin(child, false); c != nil {
				c.report(was)
				c.Pass(false, g.open)
				return
			}
			g.open()
		}
	case DetachesChild:
		b := s.tree.of(child)
		if b == nil {
			break
		}
		revived := s.tree.part(b)
		return nil, func() {
			for _, b := range revived {
				if c := s.kin(b.ID, false); c != nil {
					c.report(b.silence.Load())
				}
			}
		}
	}
	return nil, nil
}

// current returns the activity that messages belong to which do not name one: the
// only one that is open, or the one of the last message.
func (s *Scope[T, K]) current() *activity[T, K] {
	if len(s.open) == 1 {
		for _, act := range s.open {
			return act
		}
	}
	return s.recent
}

// born takes over what is known of the scope as one that another began. Its messages
// wait until the one that says so was handled.
func (s *Scope[T, K]) born(b *branch, said *barrier) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.land()
	s.branch = b
	if s.cfg.Handle != nil {
		s.handler.push(&Item{until: said}, 0, false)
		s.startPump()
	}
}

// resume continues after a barrier.
func (s *Scope[T, K]) resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gated = false
	s.startPump()
}

// orphan says that the connection was lost before the scope's end had come.
func (s *Scope[T, K]) orphan(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reportLocked(s.own())
	if f := s.cfg.Orphaned; f != nil {
		s.do(func(ctx context.Context) { f(ctx, err) })
	}
}

// do has a function of the host called in the handler's place in the stream.
func (s *Scope[T, K]) do(f func(ctx context.Context)) {
	s.handler.push(&Item{mark: func() { s.host(func() { f(s.cfg.Owner.HandlerContext()) }) }}, 0, false)
	s.startPump()
}

// Tree returns the scopes that the run's activity began, and those that they began,
// each after the one that began it.
func (r *Run[T, K]) Tree() []Branch {
	r.s.mu.Lock()
	act := r.act
	r.s.mu.Unlock()
	if act == nil || r.s.tree == nil {
		return nil
	}
	return r.s.tree.all(&act.kids)
}

// Owns reports whether a scope is in the run's tree.
func (r *Run[T, K]) Owns(id any) bool {
	return slices.ContainsFunc(r.Tree(), func(b Branch) bool { return b.ID == id })
}
