// SPDX-License-Identifier: Apache-2.0

package harnessclient

import "github.com/accordkit/accord/runtime/harness"

// mismatch is the error of an answer that names another session.
func (s *Session) mismatch() error {
	return &harness.SessionMismatchError{
		Message:   "the runtime brought back session " + string(s.loaded.SessionID) + " instead of " + string(s.id),
		SessionID: s.id, CWD: s.loaded.CWD,
	}
}

// settledBefore is the settlement that the receipt of a duplicate has.
func settledBefore(r *harness.PromptReceipt) *Settlement {
	p := r.Settled
	outcome := outcomeOf(p.Reason)
	if _, withdrawn := p.Reason.(*harness.EndWithdrawn); withdrawn {
		outcome = OutcomeWithdrawn
	}
	s := &Settlement{Outcome: outcome, Turn: p.Turn, Reason: p.Reason, Partial: !outcome.OK()}
	if p.Message != nil {
		s.Message = &harness.AssistantMessage{Turn: p.Turn, Message: *p.Message}
		s.Text = harness.Words(p.Message.Content)
	}
	if p.Usage != nil {
		s.Usage = *p.Usage
	}
	return s
}
