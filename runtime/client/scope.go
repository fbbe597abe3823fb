// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"sync"
)

// DefaultLimit is how many bytes of messages may wait in a scope.
const DefaultLimit = 8 << 20

// Config is what a Scope is made of. Knowledge is required.
type Config[T, K comparable] struct {
	Knowledge Knowledge[T, K]
	// Kind says, in scopes with several kinds of activities, of which one a ticket or
	// a key is; nil: all are alike.
	Kind func(ticketOrKey any) int
	// Limit bounds the bytes that wait for handler and runs; 0 means
	// DefaultLimit. One message larger than that is let into a queue that
	// holds no other such one.
	Limit int
	// Owner runs the goroutine that calls the handler.
	Owner *Owner
	// Handle gets the scope's messages in order, one at a time; nil means that
	// they are not wanted. Its context is marked: calls made with it return at
	// once.
	Handle func(ctx context.Context, it *Item)
	// Lagging makes the error of handles that fell behind; after is the number
	// of the last message before the gap.
	Lagging func(after int64) error
	// LostAs is the outcome, by name, of runs whose connection is lost; empty:
	// Unsettled. Runs that fell behind are Unsettled.
	LostAs string
	// Lagged is called in the handler's place in the stream when the handler
	// fell behind. It gets nothing more until Reloaded.
	Lagged func(ctx context.Context, err error)
	// Withheld is called in the handler's place in the stream when interrupted
	// work ends of which the handler did not get all.
	Withheld func(ctx context.Context, what *Withheld)
	// Orphaned is called in the handler's place in the stream when the connection
	// was lost before the scope's end had come, if another scope began it.
	Orphaned func(ctx context.Context, err error)
}

// Scope is one ordered stream of messages and the work that is open in it. T is
// the type of the tickets that responses bring, K that of the activities' keys.
type Scope[T, K comparable] struct {
	cfg   Config[T, K]
	limit int

	leave func() // ends what a call in it began; guarded by the lock of its Scopes

	// Set before the scope is used, if it is one of several:
	id   any
	tree *tree
	kin  func(id any, create bool) *Scope[T, K] // another scope; without the lock alone

	cuts interruptions

	// The reading goroutine's:
	due    bool   // the owner knows that a waiter is to be notified
	staged []Item // live messages that have not been received yet: see land

	mu        sync.Mutex // guards all below, and the scope's streams and runs
	now       Item       // the message that is being received
	order     uint64
	used      int   // what waits in all streams
	compacted int   // used when neighbours were last merged; 0: not yet
	last      int64 // number of the last message that has one; -1: none yet
	counts    ScopeCounters

	handler stream
	pumping bool // the handler's goroutine runs
	gated   bool // the handler's queue waits for another scope's
	lagged  bool // the handler gets nothing until Reloaded

	waiting  map[T][]*Run[T, K]    // tickets that no activity has taken
	open     map[K]*activity[T, K] // activities that have not ended
	recent   *activity[T, K]       // the open one that the last message belongs to; nil: not known
	untold   []*stream             // whose consumers wait, though something came
	held     int                   // calls that have the scope in hand
	inFlight int                   // calls whose responses may bring tickets
	backlog  []entry[T, K]         // what came while some were in flight
	kept     int                   // the cost of the messages in it
	hole     bool                  // some messages are missing in it
	replays  []*Replay             // loads that want what is sent again
	over     error                 // the connection is lost
	attached bool                  // a call brought its messages here
	ended    bool                  // it is over, and no message has come since
	branch   *branch               // what is known of it as a part of another; nil: nothing
	since    int64                 // interruptions when the call began whose answer is being taken over

	marks Marks[T, K]
}

// ScopeCounters count what became of a scope's messages.
type ScopeCounters struct {
	Messages uint64 // read
	Merged   uint64 // live ones merged into others under pressure
	Dropped  uint64 // live ones dropped under pressure
	Unread   uint64 // ones that were not taken, dropped under pressure
	Late     uint64 // ones that came after the end of their activity
	Broken   uint64 // ones that lack a required member
	Withheld uint64 // ones of interrupted work that the handler did not get
	Lagged   uint64 // times at which handles fell behind
}

// activity is work that is under way at the peer.
type activity[T, K comparable] struct {
	key     K
	account Account
	runs    []*Run[T, K]
	opening []Item // its first messages, for runs that join a little later
	opened  bool   // opening is no longer complete
	silence silence
	swept   bool      // it is silent because it began while other work was being stopped
	kids    []*branch // the scopes that it began; guarded by the tree's lock
	ended   bool
	end     any // the settlement, once ended
	as      string
}

// entry is one message that may matter to a ticket that is still on its way.
type entry[T, K comparable] struct {
	it      Item
	held    bool // the message is kept; if not, only what it says is
	act     *activity[T, K]
	about   []T
	claims  []T
	settles []T
	end     any // the settlement of what it settles
	as      string
}

// New returns an empty scope.
func New[T, K comparable](cfg Config[T, K]) *Scope[T, K] {
	s := &Scope[T, K]{cfg: cfg, limit: cfg.Limit, last: -1, waiting: map[T][]*Run[T, K]{}, open: map[K]*activity[T, K]{}}
	if s.limit <= 0 {
		s.limit = DefaultLimit
	}
	if cfg.LostAs == "" {
		s.cfg.LostAs = Unsettled
	}
	if cfg.Handle != nil {
		s.handler.attached = 1
	}
	return s
}

// Counters returns what became of the scope's messages so far.
func (s *Scope[T, K]) Counters() ScopeCounters {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// Idle reports whether the scope's state is of no use: nothing is open, awaited
// or queued. Such a scope may be forgotten.
func (s *Scope[T, K]) Idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.idle()
}

// useless reports, in addition, that nothing is known of the scope, or that it
// is over.
func (s *Scope[T, K]) useless() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.idle() && (s.ended || !s.attached && s.cfg.Handle == nil && s.counts.Messages == 0)
}

func (s *Scope[T, K]) idle() bool {
	return len(s.waiting) == 0 && len(s.open) == 0 && s.held == 0 && s.inFlight == 0 && !s.busy()
}

// known reports whether a call brought the scope's messages here.
func (s *Scope[T, K]) known() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.attached
}

// stranger reports whether the scope can be forgotten although its work continues: no
// call was made in it, what came has been handled, and it is in no tree.
func (s *Scope[T, K]) stranger() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.attached || len(s.waiting) > 0 || s.held > 0 || s.inFlight > 0 || s.busy() || s.tree.of(s.id) != nil {
		return false
	}
	for _, act := range s.open {
		if len(act.runs) > 0 {
			return false
		}
	}
	return true
}

// hold keeps the scope from being forgotten; keep says that its messages come
// from now on.
func (s *Scope[T, K]) hold(keep bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held++
	if keep {
		s.attached, s.ended = true, false
	}
}

func (s *Scope[T, K]) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held--
}

// Leave implements Place.
func (s *Scope[T, K]) Leave() {
	if s.leave != nil {
		s.leave()
	}
}

// Receive takes the next message of the scope. It is called on the goroutine
// that reads, and never waits.
func (s *Scope[T, K]) Receive(it *Item) {
	later := s.cfg.Owner != nil && s.cfg.Owner.later(s, &s.due)
	if later && it.Live {
		s.stage(it)
		return
	}
	if then := s.receiveNow(it, later); then != nil {
		then()
	}
}

// receiveNow receives a message, and returns what is to be done without the lock.
func (s *Scope[T, K]) receiveNow(it *Item, later bool) (then func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.land()
	s.now = *it
	then = s.receive(&s.now)
	s.now = Item{}
	if !later {
		s.wake()
	}
	return then
}

// stage keeps a live message until it lands. Member by member: what has just been
// written in parts is slow to read as a whole.
func (s *Scope[T, K]) stage(it *Item) {
	if s.staged == nil {
		s.staged = s.cfg.Owner.stage()
	}
	n := len(s.staged)
	if n < cap(s.staged) {
		s.staged = s.staged[:n+1]
	} else {
		s.staged = append(s.staged, Item{})
	}
	to := &s.staged[n]
	to.Note, to.Size, to.Seq, to.Kind, to.Numbered, to.Live, to.Broken = it.Note, it.Size, it.Seq, it.Kind, it.Numbered, true, it.Broken
}

// land receives the live messages that are staged. They come in floods, and no
// waiter is notified before all that one read brought has been received: so
// they take the lock together. Any other operation of the reading goroutine on
// the scope lands them first.
func (s *Scope[T, K]) land() {
	if len(s.staged) == 0 {
		return
	}
	staged := s.staged
	s.staged = nil
	for i := range staged {
		s.receive(&staged[i])
	}
	s.cfg.Owner.staged(staged)
}

func (s *Scope[T, K]) receive(it *Item) (then func()) {
	s.counts.Messages++
	s.ended = false
	m := &s.marks
	m.reset()
	s.cfg.Knowledge.Read(it, m)
	if it.Broken {
		m.Derived = m.Derived[:0]
	}
	if m.Late {
		s.counts.Late++
		return nil
	}
	if m.Replay {
		if it.Broken {
			s.counts.Broken++
			return nil
		}
		s.replay(it)
		return nil
	}
	var act *activity[T, K]
	if m.Keyed {
		act = s.activity(m.Key, m.Begins)
		for _, t := range m.Claims {
			for _, run := range s.waiting[t] {
				run.join(act, s.order+1)
			}
		}
	}
	if m.First {
		s.derived(act, m.Derived)
	}
	var routed func()
	if m.Kin != NoKin && !it.Broken {
		routed, then = s.relate(it, m, act)
	}
	s.route(it, act, m)
	if routed != nil {
		routed()
	}
	if !m.First {
		s.derived(act, m.Derived)
	}
	s.conclude(it, act, m)
	if it.Numbered {
		s.last = it.Seq
	}
	return then
}

// Wake wakes those who wait for what came. Its owner calls it, on the goroutine
// that reads.
func (s *Scope[T, K]) Wake() {
	s.due = false
	s.mu.Lock()
	defer s.mu.Unlock()
	s.land()
	s.wake()
}

func (s *Scope[T, K]) wake() {
	s.startPump()
	for i, st := range s.untold {
		st.signal()
		s.untold[i] = nil
	}
	s.untold = s.untold[:0]
}

// activity returns the open activity of a key. One that was under way before
// this side began to listen is begun now.
func (s *Scope[T, K]) activity(key K, begins bool) *activity[T, K] {
	if s.recent != nil && s.recent.key == key {
		return s.recent
	}
	act := s.open[key]
	if act == nil {
		cut := s.cut(key)
		act = &activity[T, K]{key: key, account: s.cfg.Knowledge.Begin(key), opened: !begins, swept: cut.open > 0}
		act.silence.up, act.silence.cut, act.silence.kids = s.own(), cut, &act.kids
		act.silence.on.Store(act.swept)
		s.open[key] = act
	}
	s.recent = act
	return act
}

func (s *Scope[T, K]) derived(act *activity[T, K], items []Item) {
	if len(items) == 0 {
		return
	}
	var none Marks[T, K]
	for i := range items {
		s.route(&items[i], act, &none)
	}
}

// route hands one message to all who get it.
func (s *Scope[T, K]) route(it *Item, act *activity[T, K], m *Marks[T, K]) {
	s.order++
	it.order = s.order
	switch {
	case it.of != nil:
	case act != nil:
		it.of = &act.silence
	default:
		it.of = s.own()
	}
	if it.Broken {
		s.counts.Broken++
		if act != nil {
			act.account.Add(it)
		}
		return
	}
	switch {
	case it.of.holds(it):
		s.counts.Withheld++
	case s.cfg.Handle != nil && !s.lagged:
		s.push(&s.handler, it)
	}
	it.sole = it.Live && s.cfg.Handle == nil && s.inFlight == 0 && act != nil && act.opened && len(act.runs) == 1 &&
		len(m.About)+len(m.Claims)+len(m.Settles) == 0 && !m.Ends && m.Over == ""
	if act != nil {
		act.account.Add(it)
		act.keep(it)
		for _, run := range act.runs {
			run.take(it)
		}
	}
	for _, tickets := range [...][]T{m.About, m.Claims, m.Settles} {
		for _, t := range tickets {
			for _, run := range s.waiting[t] {
				run.take(it)
			}
		}
	}
	if s.inFlight > 0 && (act != nil || len(m.About)+len(m.Claims)+len(m.Settles) > 0) {
		s.remember(it, act, m)
	}
}

// conclude ends what a message ends.
func (s *Scope[T, K]) conclude(it *Item, act *activity[T, K], m *Marks[T, K]) {
	if len(m.Settles) > 0 {
		end := s.cfg.Knowledge.End(nil, ending(m.As, it))
		for _, t := range m.Settles {
			for _, run := range s.waiting[t] {
				run.finish(end, nil)
			}
		}
		if n := len(s.backlog); n > 0 && s.backlog[n-1].it.order == s.order {
			s.backlog[n-1].end = end
		}
	}
	if m.Ends && act != nil {
		s.end(act, m.As, it)
	}
	if m.Over != "" {
		s.finishAll(m.Over, it)
	}
}

func (s *Scope[T, K]) finishAll(as string, it *Item) {
	s.ended = true
	for _, act := range s.open {
		s.end(act, as, it)
	}
	for _, runs := range s.waiting {
		for _, run := range runs {
			run.finish(s.cfg.Knowledge.End(nil, ending(as, it)), nil)
		}
	}
}

// Over says that a response has ended the scope: what is still open settles as
// the named outcome. Peers that announce the end by a message have done so
// before, and then nothing is. It is called on the goroutine that reads.
func (s *Scope[T, K]) Over(as string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.land()
	s.finishAll(as, nil)
}

func (s *Scope[T, K]) end(act *activity[T, K], as string, it *Item) {
	act.ended, act.as = true, as
	act.end = s.cfg.Knowledge.End(act.account, ending(as, it))
	delete(s.open, act.key)
	s.recent = nil
	s.reportLocked(&act.silence)
	for _, run := range act.runs {
		run.finish(act.end, nil)
	}
	act.runs = nil
}

// What is kept of an activity's beginning for runs that join it a little later.
const (
	openingItems = 16
	openingBytes = 64 << 10
)

func (a *activity[T, K]) keep(it *Item) {
	if a.opened {
		return
	}
	size := it.Size
	for i := range a.opening {
		size += a.opening[i].Size
	}
	if len(a.opening) == openingItems || size > openingBytes {
		a.opened, a.opening = true, nil
		return
	}
	a.opening = append(a.opening, *it)
}

// remember keeps a message for tickets that are still on their way.
func (s *Scope[T, K]) remember(it *Item, act *activity[T, K], m *Marks[T, K]) {
	e := entry[T, K]{it: *it, act: act, as: m.As}
	e.about = append(e.about, m.About...)
	e.claims = append(e.claims, m.Claims...)
	e.settles = append(e.settles, m.Settles...)
	if cost := it.cost(); s.kept == 0 || s.kept+cost <= s.limit {
		s.kept += cost
		e.held = true
	} else {
		s.hole = true
		s.counts.Unread++
		e.it.Note = nil
		if len(e.about)+len(e.claims)+len(e.settles) == 0 {
			return // it says nothing about tickets
		}
	}
	s.backlog = append(s.backlog, e)
}

// Fail fails all open runs, because the connection is lost; later ones fail at
// once. What is queued stays to be read.
func (s *Scope[T, K]) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.land() // nothing is, or this is the reading goroutine
	if s.over != nil {
		return
	}
	s.over = err
	for _, act := range s.open {
		s.reportLocked(&act.silence)
	}
	s.fail(err, s.cfg.LostAs)
	s.dropReplays(err)
}

// fail fails all open runs; their activities continue without them.
func (s *Scope[T, K]) fail(err error, as string) {
	for _, act := range s.open {
		if len(act.runs) == 0 {
			continue
		}
		end := s.cfg.Knowledge.End(act.account, Ending{As: as, Err: err})
		for _, run := range act.runs {
			run.finish(end, err)
		}
		act.runs = nil
	}
	for _, runs := range s.waiting {
		for _, run := range runs {
			run.finish(s.cfg.Knowledge.End(nil, Ending{As: as, Err: err}), err)
		}
	}
}

// Reloaded says that the host has read again what it may have missed: the
// handler gets messages from here on. take, if not nil, takes over what the
// response said.
func (s *Scope[T, K]) Reloaded(take func(k Knowledge[T, K])) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if take != nil {
		take(s.cfg.Knowledge)
	}
	if s.lagged {
		s.lagged, s.handler.own = false, false
		s.used += s.handler.used
	}
}
