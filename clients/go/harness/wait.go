package harness

import (
	"context"

	"github.com/accordkit/accord/runtime/contract/track"
)

// Wait waits until the session is at rest: no turn is open, no prompt waits
// that is not parked, and its background children are over. A runtime of
// dsh-0.2 answers so too when it is shut down meanwhile: Settled of a turn
// tells how that ended.
func (s *Session) Wait(ctx context.Context) error {
	for {
		r, err := s.WaitIdle(ctx)
		if err != nil || r.Idle || s.rt.Version() == 0 {
			return err
		}
	}
}

// attached binds a session that was loaded or resumed, on the goroutine that
// reads.
func (rt *Runtime) attached(scope *track.Scope[MessageID, TurnID], id SessionID, r *LoadResult) error {
	if r.SessionID != id && (r.SessionID != "" || rt.Version() != 0) {
		return &SessionMismatchError{
			Message:   "the runtime brought back session " + string(r.SessionID) + " instead of " + string(id),
			SessionID: id, CWD: r.CWD,
		}
	}
	scope.Reloaded(func(k track.Knowledge[MessageID, TurnID]) { k.(*knowledge).fold.Reopened(r) })
	return nil
}

// settledBefore is the settlement that a duplicate's receipt tells.
func settledBefore(p *PromptSettled) *Settlement {
	outcome := outcomeOf(p.Reason)
	if _, withdrawn := p.Reason.(*EndWithdrawn); withdrawn {
		outcome = OutcomeWithdrawn
	}
	return &Settlement{Outcome: outcome, Turn: p.Turn, Reason: p.Reason, Partial: true}
}
