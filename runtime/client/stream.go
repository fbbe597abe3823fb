// SPDX-License-Identifier: Apache-2.0

package client

import "sync"

// stream is a queue of items for one consumer. All of it is guarded by the
// lock of the scope that it belongs to.
type stream struct {
	items []Item // from head on
	head  int
	used  int // what its items are charged

	big      bool  // an item larger than the whole bound is in it
	attached int   // consumers that take from it now
	own      bool  // its items count no longer in the scope
	lost     bool  // its items were dropped, and no more are kept
	begun    bool  // after is known
	after    int64 // number of the last message before those in it
	closed   bool  // no more will come
	waiting  int   // consumers that wait for what comes
	woken    bool  // one of them is woken, and has not come yet
	wake     chan struct{}
}

func (st *stream) len() int { return len(st.items) - st.head }

// signal wakes one consumer that waits.
func (st *stream) signal() {
	if st.wake != nil {
		select {
		case st.wake <- struct{}{}:
		default:
		}
	}
}

// waiter returns the channel on which a consumer waits.
func (st *stream) waiter() <-chan struct{} {
	if st.wake == nil {
		st.wake = make(chan struct{}, 1)
	}
	return st.wake
}

// pass wakes another consumer that waits, if there is something for it: items,
// or the end.
func (st *stream) pass() {
	if st.waiting > 0 && (st.len() > 0 || st.closed || st.lost) {
		st.signal()
	}
}

func (st *stream) push(it *Item, charged int, big bool) {
	if it.Numbered && !st.begun {
		st.begun, st.after = true, it.Seq-1
	}
	st.items = append(st.items, *it)
	last := &st.items[len(st.items)-1]
	last.charged, last.big = charged, big
	st.used += charged
}

// pop takes the oldest item, and returns what that frees.
func (st *stream) pop() (it Item, freed int, ok bool) {
	if st.len() == 0 {
		return Item{}, 0, false
	}
	it = st.items[st.head]
	if it.Numbered {
		st.after = it.Seq
	}
	st.items[st.head] = Item{}
	st.head++
	st.tidy()
	return it, st.release(&it), true
}

// What take takes at most: so many items, and no more once so many bytes were
// taken, since they count no longer in the scope.
const (
	takenItems = 64
	takenBytes = 16 << 10
)

// take takes the oldest items into batch, whose memory it may use, and returns
// what that frees: as many as most, if that is not negative.
func (st *stream) take(batch []Item, most int) (taken []Item, freed int) {
	if most < 0 || most > takenItems {
		most = takenItems
	}
	if batch == nil {
		batch = make([]Item, 0, min(st.len(), most))
	}
	clear(batch)
	batch = batch[:0]
	for st.head < len(st.items) && len(batch) < most && freed < takenBytes {
		it := &st.items[st.head]
		if it.Numbered {
			st.after = it.Seq
		}
		freed += st.release(it)
		batch = append(batch, *it)
		*it = Item{}
		st.head++
		if batch[len(batch)-1].Size > takenBytes {
			break
		}
	}
	st.tidy()
	return batch, freed
}

// unread gives back what was taken and not read, and returns what that charges.
func (st *stream) unread(items []Item) (charged int) {
	if len(items) == 0 {
		return 0
	}
	for i := range items {
		it := &items[i]
		st.used += it.charged
		if it.big {
			st.big = true
		}
		if !st.own {
			charged += it.charged
		}
	}
	if first := &items[0]; first.Numbered {
		st.after = first.Seq - 1
	}
	rest := append(make([]Item, 0, len(items)+st.len()), items...)
	st.items, st.head = append(rest, st.items[st.head:]...), 0
	return charged
}

const (
	// keptItems is how much room an empty stream keeps, in items, while more may
	// come soon.
	keptItems = 4096
	// restItems is how much it keeps when it is at rest: there may be thousands.
	restItems = 64
)

// rooms is the room that streams at rest have given back, for all of them.
var rooms sync.Pool // of *[]Item

// vacate gives the room of an empty stream back, if it is much.
func (st *stream) vacate() {
	if cap(st.items) > restItems {
		room := st.items[:0]
		st.items, st.head = nil, 0
		rooms.Put(&room)
	}
}

// furnish has a stream without room get some that is not in use.
func (st *stream) furnish() {
	if room, ok := rooms.Get().(*[]Item); ok {
		st.items = *room
	}
}

// tidy gives room back.
func (st *stream) tidy() {
	switch {
	case st.head == len(st.items):
		st.items, st.head = st.items[:0], 0
		if cap(st.items) > keptItems {
			st.items = nil
		}
	case st.head > keptItems && st.head > len(st.items)/2:
		n := copy(st.items, st.items[st.head:])
		clear(st.items[n:])
		st.items, st.head = st.items[:n], 0
	}
}

// release takes an item's charge off.
func (st *stream) release(it *Item) int {
	if it.big {
		st.big = false
	}
	st.used -= it.charged
	if st.own {
		return 0
	}
	return it.charged
}

// clear drops all items; marks and barriers stay.
func (st *stream) clear() (dropped, freed int) {
	return st.filter(func(*Item) bool { return false })
}

// filter keeps marks, barriers and the items that keep says.
func (st *stream) filter(keep func(*Item) bool) (dropped, freed int) {
	kept := st.items[:st.head]
	for i := st.head; i < len(st.items); i++ {
		it := &st.items[i]
		if it.mark != nil || it.until != nil || keep(it) {
			kept = append(kept, *it)
			continue
		}
		dropped++
		freed += st.release(it)
	}
	clear(st.items[len(kept):])
	st.items = kept
	return dropped, freed
}

// mergeLimit bounds a merged message: merging copies, and what it saves is only
// what stands around the content.
const mergeLimit = 16 << 10

// join merges a live item into the one before it, if that can be, and returns
// by how much that grew.
func join(into, it *Item, merge func(a, b any) (any, int)) (grown int, ok bool) {
	if into.mark != nil || into.big || !into.Live || into.Kind != it.Kind || into.sink != it.sink || into.Size > mergeLimit {
		return 0, false
	}
	note, grown := merge(into.Note, it.Note)
	if note == nil {
		return 0, false
	}
	into.Note, into.Size, into.charged = note, into.Size+grown, into.charged+grown
	return grown, true
}

// compact merges neighbours all over the stream.
func (st *stream) compact(merge func(a, b any) (any, int)) (freed int) {
	if st.len() < 2 {
		return 0
	}
	out := st.items[:st.head+1]
	for i := st.head + 1; i < len(st.items); i++ {
		it := st.items[i]
		if it.Live && it.mark == nil {
			if grown, ok := join(&out[len(out)-1], &it, merge); ok {
				st.used += grown
				if !st.own {
					freed -= grown
				}
				freed += st.release(&it)
				continue
			}
		}
		out = append(out, it)
	}
	clear(st.items[len(out):])
	st.items = out
	return freed
}
