// SPDX-License-Identifier: Apache-2.0

package core

import (
	"fmt"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// link ties a child session to who started it.
type link struct {
	background bool
	label      string
	by         *Turn // awaits it, if not in background
	message    []harness.ContentBlock
	reason     harness.EndReason // of its last turn
	settled    bool
}

// Child says what a new child is.
type Child struct {
	ID         harness.SessionID
	CreatedAt  int64
	Content    []harness.ContentBlock
	Label      string
	Background bool
	Setup      []harness.EventData
}

// CanDelegate reports why a turn may not start a child.
func (t *Turn) CanDelegate() error {
	switch {
	case t.settled || t.cause != nil:
		return agent.ErrSettled
	case t.S.Agent.Depth >= t.S.f.MaxDepth:
		return fmt.Errorf("delegation depth %d is the maximum: do the work here", t.S.f.MaxDepth)
	}
	return nil
}

// ChildSession returns the agent's view of a child that a turn may start.
func (t *Turn) ChildSession(id harness.SessionID) agent.Session {
	a := t.S.Agent
	a.ID, a.Parent, a.Depth = id, t.S.Agent.ID, t.S.Agent.Depth+1
	if t.prepared != nil && a.Effort == "" {
		a.Effort = t.prepared.Effort
	}
	return a
}

const spawned = "spawn" // how children are made

// Delegate starts a child session. Its log exists and is empty.
func (t *Turn) Delegate(c *Child) *Session {
	p := t.S
	s := &Session{
		f: p.f, Agent: t.ChildSession(c.ID), CreatedAt: c.CreatedAt, Origin: p.Agent.Cwd, parent: p,
		link: &link{background: c.Background, label: c.Label},
	}
	if p.f.children == nil {
		p.f.children = make(map[harness.SessionID]*Session)
	}
	p.f.children[c.ID] = s
	p.children = append(p.children, s)
	mode := "continuable"
	if !c.Background {
		mode = "one-shot"
		s.link.by = t
		t.awaited = append(t.awaited, s)
	}
	s.hidden(&harness.SubagentDescriptor{
		Version: 3, Mode: mode, Provider: spawned, Label: c.Label,
		AgentProvider: s.Agent.Provider, AgentModel: s.Agent.Model, AgentReasoningEffort: s.Agent.Effort,
	})
	s.Setup(c.Setup)
	p.f.emit(&Started{harness.SubagentStarted{ParentSessionID: p.Agent.ID, ChildSessionID: c.ID}})
	msg := &harness.UserMessage{
		Content: c.Content, Source: &harness.SourceUser{}, Role: harness.RoleUser,
		ID: harness.MessageID(p.f.NewID()),
	}
	s.row(s.insert(harness.InboxNextTurn, item{msg: msg, wakes: true, prompt: true, client: t.Client}))
	s.begin()
	p.row(&harness.SubagentCatalog{ChildID: c.ID, ChildCreatedAt: c.CreatedAt, Mode: mode, Label: c.Label})
	return s
}

// settle ends a child that has nothing more to do, and notifies the session that
// started it.
func (s *Session) settle() {
	if s.link.settled || !s.quiet() {
		return
	}
	s.link.settled = true
	p := s.parent
	delete(p.f.children, s.Agent.ID)
	p.children = without(p.children, s)
	for _, t := range s.abandoned {
		t.S = p // shown where it can still be seen
		p.abandoned = append(p.abandoned, t)
	}
	s.abandoned, s.phase = nil, Gone
	if by := s.link.by; by != nil {
		by.awaited = without(by.awaited, s)
	}
	if s.link.background && p.phase == Live && !byParent(s.link.reason) {
		s.notify()
	}
	p.f.emit(s.finished())
	p.f.emit(&Settled{S: s})
	if p.parent != nil {
		p.settle()
	}
}

// quiet reports whether the session itself, and all it started, has come to rest.
// An abandoned agent does not count: its turn is over.
func (s *Session) quiet() bool {
	return s.turn == nil && !s.inbox.waiting() && len(s.children) == 0 && len(s.afterWork) == 0 && s.link.reason != nil
}

func byParent(r harness.EndReason) bool {
	a, ok := r.(*harness.EndAborted)
	if !ok {
		return false
	}
	_, ok = a.Reason.(*harness.CauseParent)
	return ok
}

// notify reports the end to the parent, in a message that starts a turn.
func (s *Session) notify() {
	p, id := s.parent, s.Agent.ID
	summary := fmt.Sprintf("Background subagent %s finished and will do no further work unless you send it more.", id)
	if _, ok := s.link.reason.(*harness.EndCompleted); !ok {
		summary = fmt.Sprintf("Background subagent %s ended without finishing: %s.", id, s.link.reason.EndReasonKind())
	}
	content := []harness.ContentBlock{&harness.TextBlock{Text: summary}}
	if len(s.link.message) > 0 {
		content = append(content, &harness.TextBlock{Text: "Its closing message:"})
		content = append(content, visible(s.link.message)...)
	}
	p.row(p.insert(harness.InboxNextTurn, item{wakes: true, msg: &harness.UserMessage{
		Content: content,
		Source:  &harness.SourceSubagentSettled{Form: "notice", Summary: summary, SenderSessionID: id},
		Role:    harness.RoleUser, ID: harness.MessageID(p.f.NewID()),
	}}))
	if p.turn == nil {
		p.begin()
	}
}

// visible returns the text of an answer.
func visible(content []harness.ContentBlock) (out []harness.ContentBlock) {
	for _, b := range content {
		if t, ok := b.(*harness.TextBlock); ok {
			out = append(out, t)
		}
	}
	return out
}

func (s *Session) finished() *Finished {
	f := harness.SubagentFinished{
		Provider: spawned, AgentID: s.Agent.ID, ParentSessionID: s.parent.Agent.ID, ChildSessionID: s.Agent.ID,
		Status: harness.SubagentError, StopReason: harness.SubagentStop(s.link.reason.EndReasonKind()),
	}
	if _, ok := s.link.reason.(*harness.EndCompleted); ok {
		f.Status = harness.SubagentOK
	}
	if len(s.link.message) > 0 {
		f.LastAssistantMessage = s.link.message
	}
	return &Finished{f}
}

// End returns how a child came to its end.
func (s *Session) End() agent.ChildEnd {
	return agent.ChildEnd{ID: s.Agent.ID, Reason: s.link.reason, Message: s.link.message}
}
