// SPDX-License-Identifier: Apache-2.0

package agent

import (
	"context"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// Host is what a running tool may ask of the engine. Its methods may be called
// until Tool returns; each ends with its context.
type Host interface {
	// Ask asks the client whether the call may proceed. False is the answer of a
	// person who refuses, of a client that cannot be asked, and of a question
	// that was withdrawn; the error is the context's.
	Ask(ctx context.Context, q Question) (bool, error)

	// Start starts a child session that the turn does not wait for. When it
	// settles, a notice to this session says so.
	Start(ctx context.Context, c Child) (harness.SessionID, error)

	// Run starts a child session and returns when it has settled. It ends with
	// the turn.
	Run(ctx context.Context, c Child) (ChildEnd, error)
}

// Question asks for a permission.
type Question struct {
	Title  string    // what the call does, one line; empty: the tool's name
	Kind   string    // kind of tool in ACP's terms; empty: not said
	Reason string    // why it is asked; empty: not said
	Input  codec.Raw // the call's arguments, parsed; nil: not shown
}

// Child is a session to delegate to.
type Child struct {
	Prompt []harness.ContentBlock
	Label  string // for people
}

// ChildEnd is how a child settled.
type ChildEnd struct {
	ID      harness.SessionID
	Reason  harness.EndReason
	Message []harness.ContentBlock // of its last answer; nil: it gave none
}

// Opener is an Agent that has something to record when a session is created.
type Opener interface {
	// Setup returns the events that a new session's log begins with, its modes
	// and policies. Those of a child stay off the wire.
	Setup(s Session) []harness.EventData
}

// Follower is an Agent that has work left when a turn is over: to extract
// memories, say.
type Follower interface {
	// AfterTurn runs after a turn ended, on a context of its own that outlives
	// the turn and ends when the session's close has waited long enough. One
	// session's calls come one after another.
	AfterTurn(ctx context.Context, s Session, turn harness.TurnID)
}

// Releaser is an Agent that owns something in the name of a session.
type Releaser interface {
	// Release gives up what the session owns here, and nothing else. It is
	// called once, when the session is closed.
	Release(ctx context.Context, s Session) error
}

// Offerer is an Agent that knows which routes it serves. Without it all are.
type Offerer interface {
	// Offers checks a provider, a model and an effort, as DSH does at
	// initialize. The error is for people; a NotOffered says what it is about.
	Offers(provider, model, effort string) error
}

// NotOffered says what of a route an agent does not serve.
type NotOffered struct {
	Member string // provider, model or reasoningEffort: as initialize names it
	Text   string // for people
}

func (e *NotOffered) Error() string { return e.Text }
