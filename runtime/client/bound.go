// SPDX-License-Identifier: Apache-2.0

package client

// push queues an item within the scope's bound. When there is no room, live
// messages are merged, then records without a reader go, then live messages; if
// that is not enough, the slow readers have fallen behind.
func (s *Scope[T, K]) push(st *stream, it *Item) {
	switch {
	case st.lost:
		s.counts.Unread++
		return
	case st.closed:
		return
	}
	cost := it.cost()
	charged, big := cost, false
	switch {
	case cost > s.limit && st.big && it.Live:
		s.counts.Dropped++
		return
	case cost > s.limit && st.big:
		s.overflow(st, it)
		return
	case cost > s.limit:
		charged, big = 0, true
		st.big = true
	case s.used+cost > s.limit && !s.relieve(st, it, cost):
		return
	}
	s.used += charged
	if st.items == nil && it.Live {
		st.furnish()
	}
	st.push(it, charged, big)
	if st.waiting > 0 && !st.woken {
		st.woken = true
		s.untold = append(s.untold, st)
	}
}

// relieve makes room for cost bytes, and reports whether the item is still to
// be queued.
func (s *Scope[T, K]) relieve(st *stream, it *Item, cost int) bool {
	s.compact()
	if s.used+cost <= s.limit {
		return true
	}
	if it.Live && st.len() > 0 && s.used+it.Size <= s.limit { // it grows by no more
		if grown, ok := join(&st.items[len(st.items)-1], it, s.cfg.Knowledge.Merge); ok {
			st.used += grown
			s.used += grown
			s.counts.Merged++
			return false
		}
	}
	for s.used+cost > s.limit {
		unread := s.largestUnread()
		if unread == nil {
			break
		}
		s.lose(unread)
		if unread == st {
			s.counts.Unread++
			return false
		}
	}
	if s.used+cost <= s.limit {
		return true
	}
	if it.Live {
		s.counts.Dropped++
		return false
	}
	s.eachStream(func(st *stream) {
		dropped, freed := st.filter(func(it *Item) bool { return !it.Live })
		s.used -= freed
		s.counts.Dropped += uint64(dropped)
	})
	s.compacted = 0
	if s.used+cost <= s.limit {
		return true
	}
	s.overflow(st, it)
	return false
}

// compact merges neighbours in all streams. Doing that for each message would
// be quadratic: it waits until a part of the bound has come since.
func (s *Scope[T, K]) compact() {
	if s.compacted > 0 && s.used-s.compacted < s.limit/8 {
		return
	}
	s.eachStream(func(st *stream) {
		before := st.len()
		s.used -= st.compact(s.cfg.Knowledge.Merge)
		s.counts.Merged += uint64(before - st.len())
	})
	s.compacted = s.used
}

// overflow fails those who are behind. All runs fail, since what they would get
// has a hole; the handler does if it is its queue that is full.
func (s *Scope[T, K]) overflow(st *stream, it *Item) {
	switch {
	case it.sink == toReplays:
		s.dropReplays(s.cfg.Lagging(it.Seq - 1))
		return
	case st.attached == 0:
		s.lose(st)
		s.counts.Unread++
		return
	}
	s.counts.Lagged++
	err := s.cfg.Lagging(s.last)
	if st == &s.handler {
		s.lagged, st.own = true, true
		s.used -= st.used
		if lagged := s.cfg.Lagged; lagged != nil {
			st.push(&Item{mark: func() { s.host(func() { lagged(s.cfg.Owner.HandlerContext(), err) }) }}, 0, false)
			s.startPump()
		}
	}
	s.fail(err, Unsettled)
}

// largestUnread is the largest record without a reader.
func (s *Scope[T, K]) largestUnread() (found *stream) {
	s.eachStream(func(st *stream) {
		if st != &s.handler && st.attached == 0 && st.used > 0 && (found == nil || st.used > found.used) {
			found = st
		}
	})
	return found
}

// lose drops a record for good.
func (s *Scope[T, K]) lose(st *stream) {
	dropped, freed := st.clear()
	s.used -= freed
	s.counts.Unread += uint64(dropped)
	st.lost = true
	st.signal()
}

// eachStream visits the handler's queue and the records of open runs.
func (s *Scope[T, K]) eachStream(f func(*stream)) {
	f(&s.handler)
	for _, act := range s.open {
		for _, run := range act.runs {
			f(&run.events)
			f(&run.live)
		}
	}
	for _, runs := range s.waiting {
		for _, run := range runs {
			f(&run.events)
			f(&run.live)
		}
	}
}
