// SPDX-License-Identifier: Apache-2.0

package core

import (
	"fmt"

	"github.com/accordkit/accord/runtime/harness"
)

func (s *Session) closedError() error {
	return &harness.SessionClosedError{
		Message:   fmt.Sprintf("session %q is closing; load or resume it when it is closed", s.Agent.ID),
		SessionID: s.Agent.ID,
	}
}

func (s *Session) conflict(k *key) error {
	return &harness.IdempotencyConflictError{
		Message:   "the idempotency key was used before with other content",
		SessionID: s.Agent.ID,
		MessageID: k.receipt.MessageID,
	}
}

func (s *Session) overloaded() error {
	return &harness.OverloadedError{
		Message:      fmt.Sprintf("%d prompts wait in session %q already; nothing was added", s.f.QueueLimit, s.Agent.ID),
		SessionID:    s.Agent.ID,
		RetryAfterMS: 1000,
	}
}

// disagreement refuses a cancel whose targets are not the same; path is the one
// that differs from those before it.
func (s *Session) disagreement(path string) error {
	return &harness.InvalidParamsError{
		Message:   path + " names another message or turn than the others: name one alone",
		SessionID: s.Agent.ID,
		Path:      path,
	}
}
