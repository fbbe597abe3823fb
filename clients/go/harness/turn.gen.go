package harness

import (
	"context"
	"iter"

	"github.com/accordkit/accord/runtime/contract/track"
)

// Outcome is how a turn ended, as this client reports it.
type Outcome string

// The outcomes.
const (
	OutcomeCompleted      Outcome = "completed"
	OutcomeCancelled      Outcome = "cancelled"
	OutcomeFailed         Outcome = "failed"
	OutcomeBlocked        Outcome = "blocked"
	OutcomeMaxTokens      Outcome = "max-tokens"
	OutcomeInterrupted    Outcome = "interrupted"
	OutcomeWithdrawn      Outcome = "withdrawn"
	OutcomeOther          Outcome = "other"
	OutcomeConnectionLost Outcome = "connection-lost"
)

// OK tells whether the outcome is a success.
func (o Outcome) OK() bool { return o == OutcomeCompleted }

// outcomeOf maps the end of a turn.
func outcomeOf(r EndReason) Outcome {
	switch r.(type) {
	case *EndCompleted:
		return OutcomeCompleted
	case *EndAborted:
		return OutcomeCancelled
	case *EndError:
		return OutcomeFailed
	case *EndBlocked:
		return OutcomeBlocked
	case *EndMaxTokens:
		return OutcomeMaxTokens
	case *EndInterrupted:
		return OutcomeInterrupted
	}
	return OutcomeOther
}

// Turn follows one accepted prompt to its end.
type Turn struct {
	// Receipt is the response that accepted it.
	Receipt *PromptReceipt

	session *Session
	run     *track.Run[MessageID, TurnID]
}

// Session is the session that it belongs to.
func (t *Turn) Session() *Session { return t.session }

// Key waits until a turn has taken the prompt, and tells which; ok is false if
// none ever will.
func (t *Turn) Key(ctx context.Context) (key TurnID, ok bool, err error) { return t.run.Key(ctx) }

// Taken tells which turn has taken the prompt so far.
func (t *Turn) Taken() (key TurnID, ok bool) { return t.run.Taken() }

// Events are the durable record of the turn.
func (t *Turn) Events() iter.Seq[*SessionEventParams] { return t.EventsContext(context.Background()) }

// EventsContext is Events until ctx ends.
func (t *Turn) EventsContext(ctx context.Context) iter.Seq[*SessionEventParams] {
	return track.Notes[*SessionEventParams](t.run.Events(ctx))
}

// Deltas are the live text of the turn.
func (t *Turn) Deltas() iter.Seq[*SessionDelta] { return t.DeltasContext(context.Background()) }

// DeltasContext is Deltas until ctx ends.
func (t *Turn) DeltasContext(ctx context.Context) iter.Seq[*SessionDelta] {
	return track.Notes[*SessionDelta](t.run.Live(ctx))
}

// Settled waits until the turn is over.
func (t *Turn) Settled(ctx context.Context) (*Settlement, error) {
	end, err := t.run.Settled(ctx)
	s, _ := end.(*Settlement)
	return s, err
}

// Err tells why Events or Deltas ended early.
func (t *Turn) Err() error { return t.run.Err() }

// Cancel stops this prompt, and nothing else.
func (t *Turn) Cancel(ctx context.Context, more ...CancelParams) (*Cancellation, error) {
	p := track.Optional(more)
	p.MessageID = &t.Receipt.MessageID
	return t.session.Cancel(ctx, *p)
}

// undo cancels a prompt that was accepted after its caller had gone.
func (t *Turn) undo() {
	t.session.rt.client.Owner.Go(func() {
		ctx := t.session.rt.client.Owner.Context()
		_, _ = t.Cancel(ctx)
	})
}

// Cancellation follows an accepted cancel to the end of what it stops.
type Cancellation struct {
	// Result is the response.
	Result *CancelResult

	run *track.Run[MessageID, TurnID]
}

// Settled waits until what was cancelled is proven over.
func (c *Cancellation) Settled(ctx context.Context) error {
	_, err := c.run.Settled(ctx)
	return err
}
