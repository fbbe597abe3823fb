// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"context"
	"time"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// arguments is what the agent writes into its tool calls, and reads back.
type arguments struct {
	duration   time.Duration
	ask        bool
	prompt     string
	background bool
}

func (a *arguments) encode(tool bool) string {
	b := []byte{'{'}
	if tool {
		if a.duration > 0 {
			b = append(b, `"duration":`...)
			b = codec.AppendString(b, a.duration.String())
		}
		if a.ask {
			b = append(b, `"ask":true`...)
		}
		return string(append(b, '}'))
	}
	b = append(b, `"prompt":`...)
	b = codec.AppendString(b, a.prompt)
	b = append(b, `,"description":`...)
	b = codec.AppendString(b, label(a.prompt))
	if a.background {
		b = append(b, `,"run_in_background":true`...)
	}
	return string(append(b, '}'))
}

// label names a child by the first 40 characters of its prompt.
func label(prompt string) string {
	n := 0
	for i := range prompt {
		if n == 40 {
			return prompt[:i]
		}
		n++
	}
	return prompt
}

func decode(text string) (a arguments, ok bool) {
	var d codec.Decoder
	d.Reset([]byte(text))
	for d.Object(); d.More(); {
		switch string(d.Key()) {
		case "duration":
			a.duration, _ = time.ParseDuration(d.String())
		case "ask":
			a.ask = d.Bool()
		case "prompt":
			a.prompt = d.String()
		case "run_in_background":
			a.background = d.Bool()
		default:
			d.Skip()
		}
	}
	return a, d.Err() == nil
}

// call writes a tool call into the message.
func (s *speaker) call(id harness.ToolCallID, c *command) error {
	if err := s.over(); err != nil {
		return err
	}
	name, args := c.text, ""
	switch c.verb {
	case tool:
		args = (&arguments{duration: c.d}).encode(true)
	case ask:
		args = (&arguments{ask: true}).encode(true)
	default:
		name, args = subagentTool, (&arguments{prompt: c.text, background: c.verb == child}).encode(false)
	}
	if err := s.out.Call(id, name); err != nil {
		return err
	}
	s.deltas++
	return s.out.Arguments(args)
}

// Tool implements agent.Agent.
func (Agent) Tool(ctx context.Context, c *agent.Call, h agent.Host) (agent.Output, error) {
	a, ok := decode(c.Arguments)
	if !ok {
		return agent.ErrorOutput("InvalidArgumentsError", "INVALID_ARGS", "Error: the arguments are not a JSON object"), nil
	}
	if a.prompt != "" {
		return delegate(ctx, &a, h)
	}
	if a.ask {
		allowed, err := h.Ask(ctx, agent.Question{Title: c.Name})
		if err != nil {
			return agent.Output{}, err
		}
		if !allowed {
			return agent.ErrorOutput("PermissionDeniedError", "PERMISSION_DENIED", "Error: permission denied"), nil
		}
	}
	if err := pause(ctx, a.duration); err != nil {
		return agent.Output{}, err
	}
	return agent.TextOutput(c.Name + " done"), nil
}

func delegate(ctx context.Context, a *arguments, h agent.Host) (agent.Output, error) {
	child := agent.Child{
		Prompt: []harness.ContentBlock{&harness.TextBlock{Text: a.prompt}},
		Label:  label(a.prompt),
	}
	if a.background {
		id, err := h.Start(ctx, child)
		if err != nil {
			return agent.Output{}, err
		}
		return agent.TextOutput("started subagent " + string(id)), nil
	}
	end, err := h.Run(ctx, child)
	if err != nil {
		return agent.Output{}, err
	}
	if _, ok := end.Reason.(*harness.EndCompleted); !ok {
		return agent.ErrorOutput("SubagentError", "SUBAGENT_"+word(end.Reason), "Error: the subagent ended: "+end.Reason.EndReasonKind()), nil
	}
	return agent.Output{Content: texts(end.Message)}, nil
}

func word(r harness.EndReason) string {
	switch r.(type) {
	case *harness.EndAborted:
		return "ABORTED"
	case *harness.EndMaxTokens:
		return "MAX_TOKENS"
	}
	return "FAILED"
}

func texts(blocks []harness.ContentBlock) []harness.ContentBlock {
	out := []harness.ContentBlock{}
	for _, b := range blocks {
		if t, ok := b.(*harness.TextBlock); ok {
			out = append(out, t)
		}
	}
	return out
}
