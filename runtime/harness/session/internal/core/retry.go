// SPDX-License-Identifier: Apache-2.0

package core

import (
	"time"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// retrying is the series of repetitions of one step's request.
type retrying struct {
	id    string
	count int64
}

// Retry takes the end of an attempt that is to be repeated. It returns false
// if the turn is over.
func (t *Turn) Retry(r agent.Retry) bool {
	if !t.speaking() {
		return false
	}
	s, a := t.S, t.attempt
	t.attempt = nil
	defer a.free()
	if t.cause != nil {
		return true // nothing of it is recorded: the turn is about to end
	}
	s.row(&harness.AssistantAttempt{
		Turn: t.N, Step: t.step,
		Stream: a.finished(false, s.f.Now(), nil, &harness.FinishError{Failure: r.Failure}, nil),
	})
	if t.retries == nil {
		t.retries = &retrying{id: s.f.NewID()}
	}
	t.retries.count++
	e := &harness.LLMRetry{
		RetryID: t.retries.id, Turn: t.N, Step: t.step, Provider: s.Agent.Provider, Mode: "always", PolicyKey: r.Policy,
		Retry: t.retries.count, DelayMS: float64(r.Delay) / float64(time.Millisecond), Failure: r.Failure,
	}
	if r.Max > 0 {
		e.Mode, e.MaxRetries = "normal", &r.Max
	}
	s.row(e)
	return true
}

// Again begins the next attempt. It returns false if the turn is over, or
// about to be.
func (t *Turn) Again() bool {
	if t.settled || t.cause != nil || t.retries == nil || t.attempt != nil {
		return false
	}
	s := t.S
	s.row(&harness.LLMRetryStarted{RetryID: t.retries.id, Turn: t.N, Step: t.step, Retry: t.retries.count})
	t.attempt = &attempt{number: t.retries.count + 1, through: -1}
	return true
}
