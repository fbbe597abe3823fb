// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// errNeverAccepted is a cancel of a run that was refused, or never answered.
var errNeverAccepted = errors.New("the run was never accepted, so there is nothing to name")

// fail keeps an action's error, as far as an expectation can be about it.
func (h *host) fail(a *action, err error) {
	e := seenErrorOf(err)
	// An error without a frame is the client's own refusal, unless the
	// connection was what failed.
	a.mu.Lock()
	defer a.mu.Unlock()
	sent := h.p.link.countSince(a.started, a.frames())
	e.local = sent == 0 && e.kind != "connection-lost"
	if h.p.c.Script != "" {
		// Its frames are not seen. Whatever the client refuses by itself, it
		// refuses because the runtime's capabilities lack it.
		e.local = e.kind == "unsupported"
	}
	a.err = e
	if !a.accepted && isRun(a) {
		a.outcome = outcomeError
		if e.local {
			a.outcome = outcomeRejected
		}
	}
	if e.kind == "connection-lost" || e.kind == "lagging" {
		a.outcome = outcomeError
	}
	if a.given && !a.accepted {
		a.outcome = outcomeCancelled
	}
}

// refusedByStart says that it was the start of the runtime that failed, which is
// nothing that the client refuses by itself.
func (a *action) refusedByStart() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.err.local = false
	if isRun(a) && a.outcome == outcomeRejected {
		a.outcome = outcomeError
	}
}

func isRun(a *action) bool { return a.do == "run" || a.do == "interruptAndPrompt" }

// seenErrorOf takes an error of the client's apart.
func seenErrorOf(err error) *seenError {
	e := &seenError{message: err.Error(), kind: "unknown"}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		e.kind = "timeout"
	case errors.Is(err, context.Canceled):
		e.kind = "canceled"
	}
	var kind interface{ Kind() string }
	if errors.As(err, &kind) {
		e.kind = kind.Kind()
	}
	var plain *jsonrpc.Error // of an unknown kind
	if errors.As(err, &plain) {
		e.code, e.message = plain.Code, plain.Message
		if v, err := decode(plain.Data); err == nil {
			e.data, _ = v.(map[string]any)
		}
	}
	var code interface{ Code() int }
	if errors.As(err, &code) {
		e.code = code.Code()
	}
	var data interface{ AppendData([]byte) []byte }
	if errors.As(err, &data) {
		if v, err := decode(data.AppendData(nil)); err == nil {
			e.data, _ = v.(map[string]any)
		}
	}
	e.sessionID, _ = e.data["sessionId"].(string)
	e.capability, _ = e.data["capability"].(string)
	var lost *harness.ConnectionLostError
	if errors.As(err, &lost) {
		e.lost(lost)
	}
	return e
}

// reasonOf is how expect.json names an end: its kind and, where it has one,
// the kind of its cause; and, for a failed turn, what failed.
func reasonOf(r harness.EndReason) (string, map[string]any) {
	if r == nil {
		return "", nil
	}
	name := r.EndReasonKind()
	var v struct {
		Reason json.RawMessage `json:"reason"`
		Error  json.RawMessage `json:"error"`
	}
	if json.Unmarshal(harness.AppendEndReason(nil, r), &v) != nil {
		return name, nil
	}
	var cause struct {
		Kind string `json:"kind"`
	}
	if json.Unmarshal(v.Reason, &cause) == nil && cause.Kind != "" {
		name += "/" + cause.Kind
	}
	failure, _ := decode(v.Error)
	m, _ := failure.(map[string]any)
	return name, m
}

// inserts reports whether an event is the inbox splice that put a message in.
func inserts(e seenEvent, messageID string) bool {
	if e.kind != "agent/inbox/spliced" {
		return false
	}
	var v struct {
		Data struct {
			Inserted []struct {
				ID string `json:"id"`
			} `json:"inserted"`
		} `json:"data"`
	}
	if json.Unmarshal(e.text, &v) != nil {
		return false
	}
	return slices.ContainsFunc(v.Data.Inserted, func(m struct {
		ID string `json:"id"`
	},
	) bool {
		return m.ID == messageID
	})
}

// turnOf is the turn that a turn/end ends.
func turnOf(e seenEvent) int64 {
	var v struct {
		Data struct {
			Turn int64 `json:"turn"`
		} `json:"data"`
	}
	if json.Unmarshal(e.text, &v) != nil {
		return 0
	}
	return v.Data.Turn
}

// lost takes from a lost connection what the process left behind.
func (e *seenError) lost(err *harness.ConnectionLostError) {
	if err.ExitCode != nil {
		code := int(*err.ExitCode)
		e.exitCode = &code
	}
	if tail := strings.TrimRight(err.Stderr, "\n"); tail != "" {
		e.stderrTail = strings.Split(tail, "\n")
	}
}
