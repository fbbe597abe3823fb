// SPDX-License-Identifier: Apache-2.0

package harnessclient

import "context"

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

// mismatch is the error of an answer that names another session.
func (s *Session) mismatch() error {
	return &SessionMismatchError{
		Message:   "the runtime brought back session " + string(s.loaded.SessionID) + " instead of " + string(s.id),
		SessionID: s.id, CWD: s.loaded.CWD,
	}
}

// settledBefore is the settlement that a duplicate's receipt tells.
func settledBefore(r *PromptReceipt) *Settlement {
	p := r.Settled
	outcome := outcomeOf(p.Reason)
	if _, withdrawn := p.Reason.(*EndWithdrawn); withdrawn {
		outcome = OutcomeWithdrawn
	}
	return &Settlement{Outcome: outcome, Turn: p.Turn, Reason: p.Reason, Partial: true}
}
