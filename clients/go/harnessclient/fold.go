// SPDX-License-Identifier: Apache-2.0

package harnessclient

import (
	"encoding/json"

	"github.com/accordkit/accord/runtime/client"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// inboxFold is the fold "inbox" that leads from a message to the turn that took
// it. A splice that removes messages names only a list, a position and a count,
// so both lists are kept here; user/message, which comes later and carries the
// id, says the same and corrects what was never seen, such as messages that
// were parked before this client came.
type inboxFold struct {
	id       harness.SessionID
	live     liveText
	nextTurn []harness.MessageID
	nextStep []harness.MessageID
	seq      int64          // of the last event folded; -1: none
	open     harness.TurnID // the turn that is open; 0: none
	ended    harness.TurnID // the last turn that ended
	taken    []harness.MessageID
}

func newInboxFold(id harness.SessionID) *inboxFold { return &inboxFold{id: id, seq: -1} }

// Read adds what the declaration cannot say about a message.
func (f *inboxFold) Read(it *client.Item, m *client.Marks[harness.MessageID, harness.TurnID]) {
	switch p := it.Note.(type) {
	case *harness.SessionEventParams:
		f.event(p, m)
		if !m.Replay && !m.Late {
			f.live.Read(p, m)
		}
	case *harness.SessionDelta:
		m.Late = f.Ended(p.Turn)
		f.live.Delta(p)
	case *harness.SessionClosed, *harness.SessionLost:
		*f = *newInboxFold(f.id)
	}
}

// event folds one event, and says what it means for tickets and turns.
func (f *inboxFold) event(p *harness.SessionEventParams, m *client.Marks[harness.MessageID, harness.TurnID]) {
	if p.Replay && p.Event.Seq <= f.seq {
		return // folded before, when it was live
	}
	f.seq = p.Event.Seq
	f.place(p, m)
	data := p.Event.Data
	if odd, ok := data.(*harness.UnknownEvent); ok {
		if data = essence(odd, m.Key); data == nil {
			return
		}
		if end, ok := data.(*harness.TurnEnd); ok && end.Turn != 0 {
			m.Key, m.Keyed, m.Ends, m.As = end.Turn, true, true, string(outcomeOf(end.Reason))
		}
	}
	switch d := data.(type) {
	case *harness.TurnStart:
		f.open, f.taken = d.Turn, f.taken[:0]
	case *harness.TurnEnd:
		f.ended = max(f.ended, d.Turn)
		if d.Turn == f.open {
			f.open, f.taken = 0, f.taken[:0]
		}
	case *harness.UserMessage:
		if f.open != 0 {
			f.remove(d.ID)
			f.claim(m, d.ID)
		}
	case *harness.InboxSpliced:
		f.splice(d, m)
	}
}

// essence is what the fold must know of an event whose data have not the shape
// that they should have, so that no run waits for an end that has come: nil for
// kinds that say nothing about runs. turn is the one that it belongs to.
func essence(e *harness.UnknownEvent, turn harness.TurnID) harness.EventData {
	type message struct {
		ID harness.MessageID `json:"id"`
	}
	var v struct {
		message
		Target   harness.InboxTarget   `json:"target"`
		Start    int64                 `json:"start"`
		Removed  int64                 `json:"removedCount"`
		Inserted []message             `json:"inserted"`
		Outcome  harness.SpliceOutcome `json:"outcome"`
		Reason   json.RawMessage       `json:"reason"`
	}
	switch e.Type {
	case harness.EventTypeTurnEnd, harness.EventTypeUserMessage, harness.EventTypeInboxSpliced:
		// Members of another type than they should have are left out.
		_ = json.Unmarshal(e.Raw, &v)
	}
	switch e.Type {
	case harness.EventTypeTurnEnd:
		end := &harness.TurnEnd{Turn: turn}
		if v.Reason != nil {
			var d codec.Decoder
			d.Reset(v.Reason)
			end.Reason = harness.DecodeEndReason(&d)
		}
		return end
	case harness.EventTypeUserMessage:
		if v.ID == "" {
			return nil
		}
		return &harness.UserMessage{ID: v.ID}
	case harness.EventTypeInboxSpliced:
		s := &harness.InboxSpliced{Target: v.Target, Start: v.Start, RemovedCount: v.Removed, Outcome: v.Outcome}
		for _, in := range v.Inserted {
			s.Inserted = append(s.Inserted, harness.UserMessage{ID: in.ID})
		}
		return s
	}
	return nil
}

// place says to which turn an event belongs, where its frame does not: all that
// is written while a turn is open does, except splices of the inbox (rule E2).
func (f *inboxFold) place(p *harness.SessionEventParams, m *client.Marks[harness.MessageID, harness.TurnID]) {
	if m.Keyed {
		if f.open == 0 && m.Key > f.ended {
			f.open = m.Key // this client came in the middle of it
		}
		m.Late = m.Key <= f.ended && !p.Replay
		return
	}
	if _, splice := p.Event.Data.(*harness.InboxSpliced); !splice && f.open != 0 {
		m.Key, m.Keyed = f.open, true
	}
}

// mostParked bounds how many messages may have waited before this client came:
// a position behind them is not to be believed.
const mostParked = 1 << 16

func (f *inboxFold) splice(d *harness.InboxSpliced, m *client.Marks[harness.MessageID, harness.TurnID]) {
	list := &f.nextTurn
	if d.Target == harness.InboxNextStep {
		list = &f.nextStep
	}
	start := len(*list)
	if d.Start <= mostParked {
		start = max(int(d.Start), 0)
		for len(*list) < start {
			*list = append(*list, "") // parked before this client came
		}
	}
	end := start + int(max(min(d.RemovedCount, int64(len(*list)-start)), 0))
	for _, id := range (*list)[start:end] {
		switch {
		case id == "":
		case d.Outcome == harness.SpliceCanceled:
			m.Settles, m.As = append(m.Settles, id), string(OutcomeWithdrawn)
		case d.Outcome != "":
			m.Settles, m.As = append(m.Settles, id), string(OutcomeOther)
		case f.open != 0:
			f.claim(m, id)
		}
	}
	inserted := make([]harness.MessageID, 0, len(d.Inserted))
	for i := range d.Inserted {
		inserted = append(inserted, d.Inserted[i].ID)
		m.About = append(m.About, d.Inserted[i].ID)
	}
	rest := append(inserted, (*list)[end:]...)
	*list = append((*list)[:start], rest...)
}

func (f *inboxFold) claim(m *client.Marks[harness.MessageID, harness.TurnID], id harness.MessageID) {
	m.Key, m.Keyed = f.open, true
	m.Claims = append(m.Claims, id)
	f.taken = append(f.taken, id)
}

// remove takes a message out of whichever list still has it.
func (f *inboxFold) remove(id harness.MessageID) {
	for _, list := range [...]*[]harness.MessageID{&f.nextTurn, &f.nextStep} {
		for i, have := range *list {
			if have == id {
				*list = append((*list)[:i], (*list)[i+1:]...)
				return
			}
		}
	}
}

// Where reports whether the open turn took a message.
func (f *inboxFold) Where(id harness.MessageID) (harness.TurnID, bool) {
	for _, have := range f.taken {
		if have == id {
			return f.open, f.open != 0
		}
	}
	return 0, false
}

// Ended reports whether a turn is known to be over.
func (f *inboxFold) Ended(turn harness.TurnID) bool { return turn <= f.ended }

// Reopened takes over what a session brings with it when it is loaded or
// resumed: the messages that wait in its inbox.
func (f *inboxFold) Reopened(r *harness.LoadResult) {
	if r.NextSeq > 0 && f.seq == r.NextSeq-1 {
		return // all of it was seen
	}
	f.nextTurn, f.nextStep = append([]harness.MessageID(nil), r.PendingMessageIDs...), nil
	f.seq, f.ended = max(f.seq, r.NextSeq-1), max(f.ended, r.LastTurn)
	if r.State != harness.StateIdle && f.open == 0 && r.LastTurn > 0 {
		f.ended = r.LastTurn - 1 // it may be open
	}
}

// Begin returns the account of a turn.
func (f *inboxFold) Begin(turn harness.TurnID) client.Account { return &account{turn: turn} }

// End returns the settlement of a turn, or of a prompt that no turn took.
func (f *inboxFold) End(a client.Account, how client.Ending) any {
	taken, _ := a.(*account)
	return taken.settle(how)
}
