// SPDX-License-Identifier: Apache-2.0

package harnessclient

import (
	"context"
	"crypto/rand"

	"github.com/accordkit/accord/runtime/harness"
)

// NewSession returns the handle of a session with a new id. Nothing is sent: the
// first prompt creates the session.
func (rt *Runtime) NewSession() *Session { return rt.Session(harness.SessionID(rand.Text())) }

// Ask prompts with one text and returns the text of the turn's answer. If the turn
// did not come to its natural end, the error says why, an *OutcomeError if the
// runtime ended it, and the text is what was said until then. If ctx ends first,
// the turn is cancelled.
func (s *Session) Ask(ctx context.Context, text string) (string, error) {
	turn, err := s.Prompt(ctx, harness.Text(text), nil)
	if err != nil {
		return "", err
	}
	end, _ := turn.Settled(ctx)
	if end.Outcome == OutcomeUnsettled && ctx.Err() != nil {
		owner := s.rt.client.Owner
		owner.Go(func() { _, _ = turn.Cancel(owner.Context(), nil) })
	}
	return end.Text, end.Err()
}
