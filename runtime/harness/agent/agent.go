// SPDX-License-Identifier: Apache-2.0

package agent

import (
	"context"
	"errors"
	"time"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// Agent answers in sessions. One Agent serves many sessions at once; its methods
// may be called from any goroutine, for one turn never at the same time.
type Agent interface {
	// Describe returns what the next step's request is made of. It is called
	// before each step. An error ends the turn, before its step begins.
	Describe(ctx context.Context, s Session) (*Description, error)

	// Step produces one assistant message through out. It returns when the
	// message is complete, fails, or ctx ends. An error ends the turn: a
	// *Failure keeps its code, any other becomes one with code UNKNOWN, and
	// one that comes of the end of ctx is no failure.
	Step(ctx context.Context, r *Request, out Stream) (Result, error)

	// Tool runs one tool call of a message that Step produced. An error
	// becomes an error result, which the next Step sees.
	Tool(ctx context.Context, c *Call, h Host) (Output, error)
}

// Session is what an agent knows of the session that it works in.
type Session struct {
	ID        harness.SessionID
	Parent    harness.SessionID // empty: a root session
	Depth     int               // delegation depth, 0 for a root session
	Cwd       string            // working directory in force, absolute
	Provider  string
	Model     string
	Effort    string // reasoning effort, empty: the agent's default
	MaxTokens int64  // bound of one answer, 0: the agent's default
}

// Description is what a request is made of in addition to the messages. What changed
// since it was last recorded is recorded again.
type Description struct {
	System    string                   // system prompt, may be empty
	Tools     []Tool                   // offered to the model
	Context   []harness.ContextSection // parts of the runtime-context snapshot after the working directory
	Effort    string                   // effort in force, empty: none
	MaxTokens int64                    // bound in force, 0: none
	Window    int64                    // context window in tokens, 0: not known

	// Uploads says that the adapter hands the session's log to its provider
	// with each request. The engine then records each delivery. Leave it unset
	// unless that is so.
	Uploads bool
}

// Tool is one tool that is offered.
type Tool struct {
	Name        string
	Description string
	Parameters  codec.Raw // JSON Schema
}

// Request is one step's request.
type Request struct {
	Session  Session
	Turn     harness.TurnID
	Step     int64
	Messages []*Message // all that came before, oldest first; not to be changed
}

// Message is one message of a session.
type Message struct {
	Seq         int64
	Turn        harness.TurnID // that took it
	ID          harness.MessageID
	Role        harness.Role
	Content     []harness.ContentBlock
	Source      harness.MessageSource
	CallID      harness.ToolCallID // of a tool's result
	IsError     bool               // of a tool's result
	Interrupted bool               // an answer that was stopped
}

// Text returns the text of the message's text blocks, one after another, with sep
// between them.
func (m *Message) Text(sep string) string {
	var text string
	first := true
	for _, b := range m.Content {
		t, ok := b.(*harness.TextBlock)
		if !ok {
			continue
		}
		if !first {
			text += sep
		}
		first = false
		text += t.Text
	}
	return text
}

// Stream takes an assistant message as it is produced. Its methods are called
// by one goroutine. They return ErrSettled once the turn is over without the
// agent, and ErrTooLong once there is no room for more in one message; what
// is said after that is dropped, and the agent should return.
type Stream interface {
	// Text adds to the current text block, or begins one.
	Text(delta string) error
	// Reasoning adds to the current reasoning block, or begins one.
	Reasoning(delta string) error
	// Call begins a tool call. id is unique in its step, better in its session.
	Call(id harness.ToolCallID, name string) error
	// Arguments adds to the arguments of the call that was begun last.
	Arguments(delta string) error
	// Break ends the current block, so that the next delta begins another.
	Break() error
	// Retry records that the attempt failed and is to be repeated, and returns
	// when it is time to: what is said then is another attempt's, and what was
	// said before is no part of the message. It ends with the context.
	Retry(ctx context.Context, r Retry) error
}

// Retry is why and when an attempt is repeated.
type Retry struct {
	Failure harness.Failure
	Delay   time.Duration
	Max     int64  // repetitions there will be at most, 0: no limit
	Policy  string // the policy in a form that can be compared, may be empty
}

// ErrBlocked is what Describe returns, alone or wrapped, to refuse a turn's input:
// a hook's decision. The turn ends as blocked.
var ErrBlocked = errors.New("agent: the input was refused")

// ErrSettled says that a turn is over and that the agent should return.
var ErrSettled = errors.New("agent: the turn is over; what is said now is not heard")

// ErrTooLong says that an answer is as long as one event can be. What was said
// until then is kept; the agent should return, and its turn ends as one does
// whose answer hit the token limit.
var ErrTooLong = errors.New("agent: the answer is as long as one event can be; what is said now is not heard")

// Stop is why a step's message is complete.
type Stop int

// Why a message is complete.
const (
	Finished  Stop = iota + 1 // the answer is
	ToolCalls                 // tools are to run first
	MaxTokens                 // the token limit was hit
)

// Result is how a step ended.
type Result struct {
	Stop   Stop
	Usage  *harness.Usage // nil: not known
	Replay codec.Raw      // what the adapter needs to continue from this answer; nil: nothing
}

// Failure is a step that failed, as the log records it.
type Failure struct{ harness.Failure }

func (f *Failure) Error() string { return f.Message }

// Call is one tool call.
type Call struct {
	Session   Session
	Turn      harness.TurnID
	Step      int64
	ID        harness.ToolCallID
	Name      string
	Arguments string // as the model wrote them, perhaps not even JSON
}

// Output is a tool's result.
type Output struct {
	Content []harness.ContentBlock
	IsError bool
	Name    string    // with IsError: the error's name, empty: none
	Code    string    // with IsError: a word for programs, empty: none
	Meta    codec.Raw // kept with the result; nil: nothing
}

// TextOutput returns a result that is one text.
func TextOutput(text string) Output {
	return Output{Content: []harness.ContentBlock{&harness.TextBlock{Text: text}}}
}

// ErrorOutput returns an error result that is one text.
func ErrorOutput(name, code, text string) Output {
	o := TextOutput(text)
	o.IsError, o.Name, o.Code = true, name, code
	return o
}
