// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// Agent is the demo agent. The zero value is ready.
type Agent struct{}

var (
	_ agent.Agent   = Agent{}
	_ agent.Offerer = Agent{}
)

const subagentTool = "subagent"

var description = agent.Description{
	System: "You are the demo agent: each line of a prompt is a command.",
	Tools: []agent.Tool{{
		Name:        subagentTool,
		Description: "Delegates a prompt to a child session.",
		Parameters:  codec.Raw(`{"type":"object","properties":{"prompt":{"type":"string"},"description":{"type":"string"},"run_in_background":{"type":"boolean"}},"required":["prompt"]}`),
	}},
}

// Offers implements agent.Offerer: the providers demo and deepseek-official,
// any model, the efforts low, medium and high.
func (Agent) Offers(provider, model, effort string) error {
	if provider != "demo" && provider != "deepseek-official" {
		return &agent.NotOffered{Member: "provider", Text: fmt.Sprintf("no adapter registered for provider %q", provider)}
	}
	if model == "" {
		return &agent.NotOffered{Member: "model", Text: fmt.Sprintf("adapter returned invalid exact model metadata for provider %q model %q", provider, model)}
	}
	if effort != "" && !slices.Contains([]string{"low", "medium", "high"}, effort) {
		return &agent.NotOffered{Member: "reasoningEffort", Text: fmt.Sprintf("provider %q model %q does not support reasoning effort %q", provider, model, effort)}
	}
	return nil
}

// Describe implements agent.Agent.
func (Agent) Describe(_ context.Context, s agent.Session) (*agent.Description, error) {
	d := description
	d.Effort, d.MaxTokens = s.Effort, s.MaxTokens
	return &d, nil
}

// Step implements agent.Agent: it runs the commands after the last tool call
// that has its result, up to and including the next one.
func (Agent) Step(ctx context.Context, r *agent.Request, out agent.Stream) (agent.Result, error) {
	commands, results := program(r.Messages)
	for ; results > 0; results-- {
		next := slices.IndexFunc(commands, func(c command) bool { return c.callsTool() })
		if next < 0 {
			commands = nil
			break
		}
		commands = commands[next+1:]
	}
	s := speaker{ctx: ctx, out: out, messages: r.Messages}
	stop := agent.Finished
	for i := range commands {
		c := &commands[i]
		if c.callsTool() {
			id := harness.ToolCallID(fmt.Sprintf("call_%d_%d", r.Turn, r.Step))
			if err := s.call(id, c); err != nil {
				return agent.Result{}, err
			}
			stop = agent.ToolCalls
			break
		}
		if err := s.run(c); err != nil {
			return agent.Result{}, err
		}
	}
	return agent.Result{Stop: stop, Usage: usage(commands, s.deltas)}, nil
}

// usage counts a token for each command that is read and one for each delta.
func usage(commands []command, deltas int64) *harness.Usage {
	u := &harness.Usage{InputTokens: int64(len(commands)), OutputTokens: deltas}
	total := u.InputTokens + u.OutputTokens
	u.TotalTokens = &total
	return u
}

// program finds what to do: the commands of the messages that the user sent
// last, taken together if one turn took several at once, and how many tool
// results came since.
func program(messages []*agent.Message) (commands []command, results int) {
	var prompt string
	var turn harness.TurnID
	open := false // further user messages of the turn continue the prompt
	for _, m := range messages {
		switch m.Source.(type) {
		case *harness.SourceUser:
			if open && m.Turn == turn {
				prompt += "\n" + m.Text("\n")
			} else {
				prompt = m.Text("\n")
			}
			open, turn, results = true, m.Turn, 0
			commands = nil
		case *harness.SourceSubagentSettled:
			// Never read as commands: a child that says "child say hi" would
			// continue forever.
			prompt, open, results = "", false, 0
			commands = []command{{verb: say, text: notice(m)}}
		case *harness.SourceModel:
			open = false
		case *harness.SourceTool:
			open = false
			results++
		}
	}
	if commands == nil {
		commands = parse(prompt)
	}
	return commands, results
}

// notice returns what the agent says to a child's end.
func notice(m *agent.Message) string {
	texts := make([]string, 0, len(m.Content))
	for _, b := range m.Content {
		if t, ok := b.(*harness.TextBlock); ok {
			texts = append(texts, t.Text)
		}
	}
	if len(texts) > 2 {
		return "The child says: " + strings.Join(texts[2:], " ")
	}
	return strings.Join(texts, " ")
}

// speaker says what commands ask for.
type speaker struct {
	ctx      context.Context
	out      agent.Stream
	messages []*agent.Message
	spoken   bool // the message has text, and another text begins on a line of its own
	newline  bool // put one before the next delta
	stubborn bool
	deltas   int64
}

// over reports whether the turn was cancelled, unless the agent ignores it.
func (s *speaker) over() error {
	if s.stubborn {
		return nil
	}
	return s.ctx.Err()
}

func (s *speaker) text(delta string) error {
	if err := s.over(); err != nil {
		return err
	}
	if s.newline {
		s.newline = false
		delta = "\n" + delta
	}
	s.spoken = true
	s.deltas++
	return s.out.Text(delta)
}

func (s *speaker) words(text string) error {
	for _, w := range words(text) {
		if err := s.text(w); err != nil {
			return err
		}
	}
	return nil
}

func (s *speaker) run(c *command) error {
	if c.speaks() {
		s.newline = s.spoken
	}
	switch c.verb {
	case say:
		return s.words(c.text)
	case remember:
		return s.words("I remember " + c.text + ".")
	case recall:
		return s.words(s.recall(c.text))
	case count:
		return s.count(c)
	case flood:
		for i := range c.n {
			if err := s.text("abcdefghijklmnopqrstuvwxyz"[i%26 : i%26+1]); err != nil {
				return err
			}
		}
	case think:
		for _, w := range words(c.text) {
			if err := s.over(); err != nil {
				return err
			}
			s.deltas++
			if err := s.out.Reasoning(w); err != nil {
				return err
			}
		}
	case sleep:
		return pause(s.ctx, c.d)
	case stubborn:
		time.Sleep(c.d)
		s.stubborn = true
	case fail:
		return &agent.Failure{Failure: harness.Failure{Message: c.text, Code: "DEMO"}}
	}
	return nil
}

func (s *speaker) count(c *command) error {
	for i := 1; i <= c.n; i++ {
		if i > 1 && c.d > 0 {
			if err := pause(s.ctx, c.d); err != nil {
				return err
			}
		}
		if err := s.text(strconv.Itoa(i) + " "); err != nil {
			return err
		}
	}
	return nil
}

// recall looks for the last thing remembered under a key, in what the user
// said in this session.
func (s *speaker) recall(key string) string {
	for _, m := range slices.Backward(s.messages) {
		if _, ok := m.Source.(*harness.SourceUser); !ok {
			continue
		}
		for _, c := range slices.Backward(parse(m.Text("\n"))) {
			if c.verb == remember && c.text == key {
				return c.value
			}
		}
	}
	return "I remember nothing as " + key + "."
}

// pause waits for d, or for the context's end.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
