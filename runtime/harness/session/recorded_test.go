// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"context"
	"fmt"
	"time"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// recordedAgent answers from a recording. It is not changed while it serves.
type recordedAgent struct {
	// Answers are the answers to each prompt, one a step. A prompt is known by
	// the text of the message that began the turn: its first text block, or
	// recordedNotice for the notice of a child's end.
	Answers map[string][]recordedAnswer

	// Tools are the tools that answers call.
	Tools map[string]recordedTool

	// Description is what requests are made of, per session; nil: of nothing.
	Description func(s agent.Session) *agent.Description

	// Begins gives the events that a session begins with; nil: none.
	Begins func(s agent.Session) []harness.EventData

	// Offered checks a route; nil: all are good.
	Offered func(provider, model, effort string) error

	// Think is how long the agent takes before each request.
	Think time.Duration
}

// recordedNotice is the prompt that a notice of a child's end stands for.
const recordedNotice = "(notice)"

// recordedTool runs one call.
type recordedTool func(ctx context.Context, c *agent.Call, h agent.Host) (agent.Output, error)

// recordedAnswer is what a model answers in one step.
type recordedAnswer struct {
	Blocks []recordedBlock
	Stop   agent.Stop // 0: as the blocks have it
	Usage  *harness.Usage
	Replay codec.Raw
	Fails  *harness.Failure // after the blocks
	Hangs  bool             // after the blocks, until it is cancelled
}

// recordedBlock is one content block.
type recordedBlock struct {
	Kind   harness.BlockType
	Pieces []string           // deltas
	Pauses []time.Duration    // before each piece; shorter than Pieces: no more pauses
	ID     harness.ToolCallID // of a tool call
	Name   string             // of its tool
}

// recordedText returns an answer of one text block.
func recordedText(pieces ...string) recordedAnswer {
	return recordedAnswer{Blocks: []recordedBlock{{Kind: harness.BlockText, Pieces: pieces}}}
}

// recordedCalls returns an answer of one tool call.
func recordedCalls(id harness.ToolCallID, name string, arguments ...string) recordedAnswer {
	return recordedAnswer{Blocks: []recordedBlock{{Kind: harness.BlockToolCall, ID: id, Name: name, Pieces: arguments}}}
}

var (
	_ agent.Agent   = (*recordedAgent)(nil)
	_ agent.Opener  = (*recordedAgent)(nil)
	_ agent.Offerer = (*recordedAgent)(nil)
)

// Offers implements agent.Offerer.
func (a *recordedAgent) Offers(provider, model, effort string) error {
	if a.Offered == nil {
		return nil
	}
	return a.Offered(provider, model, effort)
}

// Setup implements agent.Opener.
func (a *recordedAgent) Setup(s agent.Session) []harness.EventData {
	if a.Begins == nil {
		return nil
	}
	return a.Begins(s)
}

// Describe implements agent.Agent.
func (a *recordedAgent) Describe(ctx context.Context, s agent.Session) (*agent.Description, error) {
	if err := recordedPause(ctx, a.Think); err != nil {
		return nil, err
	}
	if a.Description == nil {
		return &agent.Description{}, nil
	}
	return a.Description(s), nil
}

// Step implements agent.Agent.
func (a *recordedAgent) Step(ctx context.Context, r *agent.Request, out agent.Stream) (agent.Result, error) {
	prompt, steps := recordedPlace(r)
	answers := a.Answers[prompt]
	if steps >= len(answers) {
		return agent.Result{}, fmt.Errorf("nothing is recorded for step %d of %q", steps+1, prompt)
	}
	return answers[steps].give(ctx, out)
}

// recordedTool implements agent.Agent.
func (a *recordedAgent) Tool(ctx context.Context, c *agent.Call, h agent.Host) (agent.Output, error) {
	t := a.Tools[c.Name]
	if t == nil {
		return agent.ErrorOutput("ToolNotFoundError", "UNKNOWN_TOOL", fmt.Sprintf("Error: unknown tool %q", c.Name)), nil
	}
	return t(ctx, c, h)
}

// recordedPlace finds the message that the turn works on, and how many answers it has
// had: a pure function of the history, as for a model.
func recordedPlace(r *agent.Request) (prompt string, steps int) {
	for _, m := range r.Messages {
		switch m.Source.(type) {
		case *harness.SourceSubagentSettled:
			prompt, steps = recordedNotice, 0
		case *harness.SourceUser:
			prompt, steps = "", 0
			for _, b := range m.Content {
				if t, ok := b.(*harness.TextBlock); ok {
					prompt = t.Text
					break
				}
			}
		case *harness.SourceModel:
			steps++
		}
	}
	return prompt, steps
}

func (a *recordedAnswer) give(ctx context.Context, out agent.Stream) (agent.Result, error) {
	stop := agent.Finished
	for i := range a.Blocks {
		b := &a.Blocks[i]
		if b.Kind == harness.BlockToolCall {
			stop = agent.ToolCalls
		}
		if err := b.give(ctx, out); err != nil {
			return agent.Result{}, err
		}
	}
	if a.Hangs {
		<-ctx.Done()
		return agent.Result{}, ctx.Err()
	}
	if a.Fails != nil {
		return agent.Result{}, &agent.Failure{Failure: *a.Fails}
	}
	if a.Stop != 0 {
		stop = a.Stop
	}
	return agent.Result{Stop: stop, Usage: a.Usage, Replay: a.Replay}, nil
}

func (b *recordedBlock) give(ctx context.Context, out agent.Stream) error {
	if err := out.Break(); err != nil {
		return err
	}
	if b.Kind == harness.BlockToolCall {
		if err := out.Call(b.ID, b.Name); err != nil {
			return err
		}
	}
	for i, piece := range b.Pieces {
		if i < len(b.Pauses) {
			if err := recordedPause(ctx, b.Pauses[i]); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		switch b.Kind {
		case harness.BlockToolCall:
			err = out.Arguments(piece)
		case harness.BlockReasoning:
			err = out.Reasoning(piece)
		default:
			err = out.Text(piece)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func recordedPause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
