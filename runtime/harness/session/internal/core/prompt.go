// SPDX-License-Identifier: Apache-2.0

package core

import (
	"cmp"
	"slices"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// Prompt is one user message, already checked.
type Prompt struct {
	To          Ticket
	Content     []harness.ContentBlock
	Key         string // idempotency key, empty: each call is a new message
	Fingerprint string // of the content as sent, with Key
	Steer       bool
	Hold        bool // accept it only when nothing else runs: its client ends a run at the first idle
	Client      any  // asked for permissions

	held bool // it was held back: it counts in the queue already
}

// key is what is known of a prompt that came with a key.
type key struct {
	fingerprint string
	receipt     harness.PromptReceipt
	turn        harness.TurnID    // that took it, 0: none yet
	reason      harness.EndReason // how it ended, nil: not over
}

// Prompt takes a message in, or refuses it. It is held back if it must not be
// accepted while something else runs.
func (s *Session) Prompt(p *Prompt) {
	if err := s.admits(); err != nil {
		s.f.refuse(p.To, err)
		return
	}
	if s.repeated(p) {
		return
	}
	if !p.held && s.occupied() {
		if s.inbox.queued()+len(s.held) >= s.f.QueueLimit {
			s.f.refuse(p.To, s.overloaded())
			return
		}
		if p.Hold {
			p.held = true
			s.held = append(s.held, p)
			return
		}
	}
	msg := &harness.UserMessage{
		Content: p.Content,
		Source:  &harness.SourceUser{IdempotencyKey: p.Key, Fingerprint: p.Fingerprint},
		Role:    harness.RoleUser,
		ID:      harness.MessageID(s.f.NewID()),
	}
	target := harness.InboxNextTurn
	if p.Steer && s.steerable() {
		target = harness.InboxNextStep
	}
	seq := s.write(s.insert(target, item{msg: msg, wakes: true, prompt: true, client: p.Client}), nil, nil, false)
	s.inbox.park(false)
	receipt := harness.PromptReceipt{MessageID: msg.ID, Seq: &seq}
	if p.Key != "" {
		if s.keys == nil {
			s.keys = make(map[string]*key)
		}
		s.keys[p.Key] = &key{fingerprint: p.Fingerprint, receipt: receipt}
	}
	if s.turn == nil {
		s.begin()
	}
	s.f.answer(p.To, &receipt)
}

// occupied reports whether a prompt would have to wait for others. If not, it
// starts a turn at once, which takes the first of what is parked: a full inbox
// that was parked gets emptied by the next prompt, and is no reason to refuse it.
func (s *Session) occupied() bool {
	return s.turn != nil || s.inbox.waiting() || len(s.held) > 0
}

// admits reports why the session takes no new work.
func (s *Session) admits() error {
	if s.phase != Live {
		return s.closedError()
	}
	return nil
}

// repeated answers a prompt whose key was used before. It reports whether it was.
func (s *Session) repeated(p *Prompt) bool {
	k := s.keys[p.Key]
	if p.Key == "" || k == nil {
		return false
	}
	if k.fingerprint != p.Fingerprint {
		s.f.refuse(p.To, s.conflict(k))
		return true
	}
	again := k.receipt
	again.Duplicate = true
	if k.reason == nil {
		s.f.answer(p.To, &again)
		return true
	}
	settled := &harness.PromptSettled{Turn: k.turn, Reason: k.reason}
	again.Settled = settled
	if k.turn == 0 {
		s.f.answer(p.To, &again)
		return true
	}
	in := s.spanOf(k.turn)
	s.f.emit(&Lookup{
		To: p.To, S: s, From: in.start, Last: in.end,
		Types: []string{harness.EventTypeAssistantMessage, harness.EventTypeAssistantAttempt},
		Read: func(e *harness.Event) {
			switch d := e.Data.(type) {
			case *harness.AssistantMessage:
				settled.Message = &d.Message
				settled.Usage = sum(settled.Usage, d.Usage)
			case *harness.AssistantAttempt:
				settled.Usage = sum(settled.Usage, usageOf(d))
			}
		},
		Answer: func() (codec.Appender, error) { return &again, nil },
	})
	return true
}

// usageOf returns the usage that a failed attempt reported, nil if it did not.
func usageOf(a *harness.AssistantAttempt) (usage *harness.Usage) {
	for _, r := range a.Stream {
		if c, ok := r.(*harness.ChunkRecord); ok {
			if u, ok := c.Chunk.(*harness.UsageChunk); ok {
				usage = &u.Usage
			}
		}
	}
	return usage
}

// sum adds the usage of one answer to that of those before it; nil is none.
func sum(a, b *harness.Usage) *harness.Usage {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	add := func(a, b *int64) *int64 {
		if a == nil || b == nil {
			return cmp.Or(a, b)
		}
		n := *a + *b
		return &n
	}
	return &harness.Usage{
		InputTokens: a.InputTokens + b.InputTokens, OutputTokens: a.OutputTokens + b.OutputTokens,
		CacheReadTokens: add(a.CacheReadTokens, b.CacheReadTokens), CacheWriteTokens: add(a.CacheWriteTokens, b.CacheWriteTokens),
		ReasoningTokens: add(a.ReasoningTokens, b.ReasoningTokens), TotalTokens: add(a.TotalTokens, b.TotalTokens),
	}
}

// steerable reports whether a message may be put where the next step takes it: not
// while a turn stops, and not past messages that wait for a turn of their own.
func (s *Session) steerable() bool {
	if s.turn == nil {
		return s.inbox.queued() == 0
	}
	return s.turn.cause == nil
}

// keyOf finds what is known of a message that came with a key.
func (s *Session) keyOf(m *harness.UserMessage) *key {
	if src, ok := m.Source.(*harness.SourceUser); ok && src.IdempotencyKey != "" {
		return s.keys[src.IdempotencyKey]
	}
	return nil
}

// release accepts the next held prompt, if the session is idle.
func (s *Session) release() {
	if len(s.held) == 0 || s.turn != nil || s.inbox.waiting() || s.phase != Live {
		return
	}
	p := s.held[0]
	if s.held = s.held[1:]; len(s.held) == 0 {
		s.held = nil
	}
	s.Prompt(p)
	s.release() // if it was answered with an earlier receipt
}

// Held reports whether a prompt waits to be accepted.
func (s *Session) Held(p *Prompt) bool { return slices.Contains(s.held, p) }

// Forget drops a held prompt that its client gave up.
func (s *Session) Forget(p *Prompt) bool {
	held := s.Held(p)
	s.held = without(s.held, p)
	return held
}

// SetCwd changes the working directory to an existing directory.
func (s *Session) SetCwd(to Ticket, dir string) {
	if err := s.admits(); err != nil {
		s.f.refuse(to, err)
		return
	}
	if dir != s.Agent.Cwd {
		text := "The working directory changed from " + quote(s.Agent.Cwd) + " to " + quote(dir) + "."
		s.Agent.Cwd = dir
		s.row(&harness.WorkingDirectoryChange{CWD: dir})
		s.row(s.insert(harness.InboxNextStep, item{msg: &harness.UserMessage{
			Content: []harness.ContentBlock{&harness.TextBlock{Text: text}},
			Source:  &harness.SourceWorkingDirectory{},
			Role:    harness.RoleUser,
			ID:      harness.MessageID(s.f.NewID()),
		}}))
	}
	s.f.answer(to, &harness.WorkingDirectoryResult{CWD: dir})
}
