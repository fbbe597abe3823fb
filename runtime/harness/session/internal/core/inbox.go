// SPDX-License-Identifier: Apache-2.0

package core

import (
	"iter"
	"slices"

	"github.com/accordkit/accord/runtime/harness"
)

// item is a message that waits.
type item struct {
	msg    *harness.UserMessage
	parked bool // until the next prompt
	wakes  bool // starts a turn; what does not is taken by the next step there is
	prompt bool // a client's, not a notice
	client any  // asked for permissions
}

// inbox is the two lists of messages that wait: those that the next step
// takes, and those that each begin a turn.
type inbox struct {
	step []item
	turn []item
}

// waking yields the messages that would start a turn, parked ones included, in
// the order in which they would be taken.
func (b *inbox) waking() iter.Seq[*item] {
	return func(yield func(*item) bool) {
		for _, list := range [...][]item{b.step, b.turn} {
			for i := range list {
				if list[i].wakes && !yield(&list[i]) {
					return
				}
			}
		}
	}
}

// waiting reports whether something would start a turn now.
func (b *inbox) waiting() bool {
	for i := range b.waking() {
		if !i.parked {
			return true
		}
	}
	return false
}

// queued returns how many messages wait that would start a turn, parked ones
// included.
func (b *inbox) queued() (n int) {
	for range b.waking() {
		n++
	}
	return n
}

func (b *inbox) park(parked bool) {
	for i := range b.waking() {
		i.parked = parked
	}
}

// find finds a message that waits.
func (b *inbox) find(id harness.MessageID) (harness.InboxTarget, int, bool) {
	has := func(i item) bool { return i.msg.ID == id }
	if i := slices.IndexFunc(b.step, has); i >= 0 {
		return harness.InboxNextStep, i, true
	}
	if i := slices.IndexFunc(b.turn, has); i >= 0 {
		return harness.InboxNextTurn, i, true
	}
	return "", 0, false
}

func (b *inbox) list(target harness.InboxTarget) *[]item {
	if target == harness.InboxNextStep {
		return &b.step
	}
	return &b.turn
}

// insert puts a message at the end of a list. It returns the event, which the
// caller must write before it changes the inbox again.
func (s *Session) insert(target harness.InboxTarget, i item) *harness.InboxSpliced {
	list := s.inbox.list(target)
	*list = append(*list, i)
	return &harness.InboxSpliced{Target: target, Start: int64(len(*list) - 1), Inserted: []harness.UserMessage{*i.msg}}
}

// remove takes n messages out of a list.
func (s *Session) remove(target harness.InboxTarget, start, n int, outcome harness.SpliceOutcome) []item {
	list := s.inbox.list(target)
	s.row(&harness.InboxSpliced{
		Target: target, Start: int64(start), RemovedCount: int64(n),
		Inserted: []harness.UserMessage{}, Outcome: outcome,
	})
	out := slices.Clone((*list)[start : start+n])
	if *list = slices.Delete(*list, start, start+n); len(*list) == 0 {
		*list = nil
	}
	return out
}

// take takes out all messages of a list that are wanted: runs of neighbours
// together.
func (s *Session) take(target harness.InboxTarget, outcome harness.SpliceOutcome, wanted func(*item) bool) (out []item) {
	for i := 0; i < len(*s.inbox.list(target)); {
		list := *s.inbox.list(target)
		n := 0
		for i+n < len(list) && wanted(&list[i+n]) {
			n++
		}
		if n == 0 {
			i++
			continue
		}
		out = append(out, s.remove(target, i, n, outcome)...)
	}
	return out
}

// claimStep takes what the next step takes.
func (s *Session) claimStep() []item {
	return s.take(harness.InboxNextStep, "", func(i *item) bool { return !i.parked })
}

// claimTurn takes what begins the next turn: what the next step takes, and one
// message of the other list, unless the former begins a turn by itself.
func (s *Session) claimTurn() []item {
	claimed := s.claimStep()
	if slices.ContainsFunc(claimed, func(i item) bool { return i.wakes }) {
		return claimed
	}
	for i := range s.inbox.turn {
		if !s.inbox.turn[i].parked {
			return append(claimed, s.remove(harness.InboxNextTurn, i, 1, "")...)
		}
	}
	return claimed
}

// withdraw takes out all messages that would start a turn, and names them in
// the order in which they would have been taken.
func (s *Session) withdraw() []harness.MessageID {
	ids := []harness.MessageID{}
	for _, target := range []harness.InboxTarget{harness.InboxNextStep, harness.InboxNextTurn} {
		for _, gone := range s.take(target, harness.SpliceCanceled, func(i *item) bool { return i.wakes }) {
			ids = append(ids, s.withdrawn(&gone))
		}
	}
	return ids
}

// withdrawn settles a message that no turn takes.
func (s *Session) withdrawn(i *item) harness.MessageID {
	if k := s.keyOf(i.msg); k != nil {
		k.reason = &harness.EndWithdrawn{}
	}
	return i.msg.ID
}
