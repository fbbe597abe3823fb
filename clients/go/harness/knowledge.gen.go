package harness

import "github.com/accordkit/accord/runtime/contract/track"

// knowledge is what the protocol says about the messages of one session.
type knowledge struct {
	fold *inboxFold
	live liveText
}

func newKnowledge(SessionID) *knowledge { return &knowledge{fold: newInboxFold()} }

// Read says what a message means.
func (k *knowledge) Read(it *track.Item, m *track.Marks[MessageID, TurnID]) {
	switch p := it.Note.(type) {
	case *SessionEventParams:
		m.Replay = p.Replay
		m.Key, m.Keyed = p.Turn, p.Turn != 0
		switch d := p.Event.Data.(type) {
		case *TurnStart:
			m.Key, m.Keyed, m.Begins = d.Turn, true, true
		case *TurnEnd:
			m.Key, m.Keyed, m.Ends, m.As = d.Turn, true, true, string(outcomeOf(d.Reason))
		}
		k.fold.Read(p, m)
		if !m.Replay && !m.Late {
			k.live.Read(p, m)
		}
	case *SessionDelta:
		m.Key, m.Keyed = p.Turn, true
		m.Late = k.fold.Ended(p.Turn)
		k.live.Delta(p)
	case *SessionClosed:
		m.Over = string(OutcomeInterrupted)
		k.fold.Closed()
	case *SessionLost:
		m.Over = string(OutcomeInterrupted)
		k.fold.Closed()
	}
}

// Where tells which turn took a message.
func (k *knowledge) Where(ticket MessageID) (TurnID, bool) { return k.fold.Where(ticket) }

// Ended tells whether a turn is over.
func (k *knowledge) Ended(key TurnID) bool { return k.fold.Ended(key) }

// Begin returns the account of a turn.
func (k *knowledge) Begin(key TurnID) track.Account { return &account{turn: key} }

// End makes a settlement.
func (k *knowledge) End(a track.Account, outcome string, last *track.Item) any {
	acc, _ := a.(*account)
	return acc.settle(Outcome(outcome), last)
}

// Merge merges two deltas of one block.
func (k *knowledge) Merge(a, b any) (any, int) {
	x, ok := a.(*SessionDelta)
	y, also := b.(*SessionDelta)
	if !ok || !also || x.Turn != y.Turn || x.Step != y.Step || x.Attempt != y.Attempt || x.Index != y.Index ||
		x.Kind != y.Kind || x.ToolCallID != y.ToolCallID || y.N != x.N+max(x.Merged, 1) {
		return nil, 0
	}
	z := *x
	z.Text += y.Text
	z.Arguments += y.Arguments
	z.Merged = max(x.Merged, 1) + max(y.Merged, 1)
	return &z, len(y.Text) + len(y.Arguments)
}
