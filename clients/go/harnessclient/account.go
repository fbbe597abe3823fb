// SPDX-License-Identifier: Apache-2.0

package harnessclient

import (
	"github.com/accordkit/accord/runtime/client"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// Settlement is how a turn, or a prompt that no turn took, ended, as far as its
// handle knows.
type Settlement struct {
	// Outcome is the one terminal state. It is OutcomeConnectionLost if the
	// connection was lost before the end, and OutcomeUnsettled if this side fell
	// behind or did not wait for the end: Err says which.
	Outcome Outcome

	// Turn is the turn that took the prompt; 0 if none did.
	Turn harness.TurnID

	// Reason is the end as the runtime wrote it, an unknown one too; nil if no
	// turn/end came.
	Reason harness.EndReason

	// Text is the turn's answer: the text blocks of its last assistant message,
	// one after another, or what was streamed since if no message followed.
	Text string

	// Partial says that Text is not a finished answer.
	Partial bool

	// Usage is what the turn's model requests used, failed ones included.
	Usage harness.Usage

	// Message is the turn's last assistant message; nil if there was none.
	Message *harness.AssistantMessage

	// Event is the message that ended it; nil if none did: a turn/end, or the
	// splice that withdrew a prompt.
	Event *harness.SessionEventParams

	err error // why the handle knows no more
}

// OK reports whether the turn came to its natural end.
func (s *Settlement) OK() bool { return s.Outcome.OK() }

// Err returns nil if the turn came to its natural end, why its end is not known if
// it is not, and else an *OutcomeError with what the runtime says of it.
func (s *Settlement) Err() error {
	switch {
	case s.err != nil:
		return s.err
	case s.OK():
		return nil
	}
	e := &OutcomeError{Outcome: s.Outcome}
	if r, failed := s.Reason.(*harness.EndError); failed {
		e.Message = r.Error.Message
	}
	return e
}

// account collects what one turn's Settlement holds.
type account struct {
	turn    harness.TurnID
	message *harness.AssistantMessage
	reason  harness.EndReason
	usage   harness.Usage
	pending *harness.Usage // from a chunk of an attempt whose message is still to come

	step, attempt int64
	live          codec.Pieces // text streamed in this attempt
}

// Add sees the messages of the turn, in order.
func (a *account) Add(it *client.Item) {
	switch p := it.Note.(type) {
	case *harness.SessionDelta:
		if p.Step != a.step || p.Attempt != a.attempt {
			a.step, a.attempt = p.Step, p.Attempt
			a.live.Reset()
		}
		if p.Kind == harness.DeltaText {
			a.live.Add(p.Text)
		}
	case *harness.SessionEventParams:
		a.event(p)
	}
}

func (a *account) event(p *harness.SessionEventParams) {
	switch d := p.Event.Data.(type) {
	case *harness.TurnEnd:
		a.reason = d.Reason
	case *harness.AssistantMessage:
		a.message = d
		a.live.Reset()
		if d.Usage != nil {
			a.pending = d.Usage // the same report as the chunk's, if there was one
		}
		a.count()
	case *harness.AssistantAttempt:
		a.live.Reset()
		for _, r := range d.Stream {
			if c, ok := r.(*harness.ChunkRecord); ok {
				a.chunk(c.Chunk)
			}
		}
		a.count()
	case *harness.AssistantChunk:
		a.chunk(d.Chunk)
	case *harness.LLMRetryStarted:
		a.live.Reset()
		a.count()
	}
}

func (a *account) chunk(c harness.StreamChunk) {
	if u, ok := c.(*harness.UsageChunk); ok {
		a.pending = &u.Usage
	}
}

// count adds the usage of one model request.
func (a *account) count() {
	if u := a.pending; u != nil {
		a.usage.InputTokens += u.InputTokens
		a.usage.OutputTokens += u.OutputTokens
		add(&a.usage.CacheReadTokens, u.CacheReadTokens)
		add(&a.usage.CacheWriteTokens, u.CacheWriteTokens)
		add(&a.usage.ReasoningTokens, u.ReasoningTokens)
		add(&a.usage.TotalTokens, u.TotalTokens)
	}
	a.pending = nil
}

func add(sum **int64, n *int64) {
	if n == nil {
		return
	}
	total := *n
	if *sum != nil {
		total += **sum
	}
	*sum = &total
}

// settle returns the settlement. The account may continue afterwards, if it is only
// the handle that failed.
func (a *account) settle(how client.Ending) *Settlement {
	s := &Settlement{Outcome: Outcome(how.As), err: how.Err}
	s.Event, _ = how.Last.(*harness.SessionEventParams)
	if a == nil {
		return s
	}
	s.Turn, s.Message, s.Reason = a.turn, a.message, a.reason
	s.Partial = !s.OK()
	switch {
	case a.live.Len() > 0:
		s.Text, s.Partial = a.live.String(), true
	case a.message != nil:
		s.Text = harness.Words(a.message.Message.Content)
		s.Partial = s.Partial || a.message.Interrupted
	}
	if how.Last != nil {
		a.live.Reset()
	}
	sum := *a
	sum.live = codec.Pieces{}
	sum.count()
	s.Usage = sum.usage
	return s
}
