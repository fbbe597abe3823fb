// SPDX-License-Identifier: Apache-2.0

package core

import (
	"hash/fnv"
	"strings"
	"unicode/utf8"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// logged is what the log says of requests, so that only changes are written.
type logged struct {
	system    digest
	systemSeq int64 // of the system message in force; meaningless without one
	snapshot  digest
	header    digest
	context   digest
	titled    bool
	resumed   bool // the next header is the first one after the session came back
}

// digest identifies a text; 0: nothing was written.
type digest uint64

func digestOf(b []byte) digest {
	h := fnv.New64a()
	_, _ = h.Write(b)
	return digest(h.Sum64() | 1)
}

// system writes the system prompt, if it is not what the log has. It is the
// first surface event of a session, even when it is empty.
func (t *Turn) system() {
	s := t.S
	d := digestOf([]byte(t.prepared.System))
	if d == s.logged.system {
		return
	}
	content := []harness.ContentBlock{}
	if text := t.prepared.System; text != "" {
		content = append(content, &harness.TextBlock{Text: text})
	}
	m := &harness.SystemMessage{Turn: t.N, Step: t.step, Message: harness.SystemBody{
		Role: harness.RoleSystem, Content: content,
		Source: &harness.SourceSystemPrompt{}, ID: harness.MessageID(s.f.NewID()),
	}}
	if s.logged.system == 0 {
		s.logged.systemSeq = s.surface(m)
	} else {
		old := s.logged.systemSeq
		op := codec.AppendInt([]byte(`{"op":"replace","startSeq":`), old)
		op = append(codec.AppendInt(append(op, `,"endSeq":`...), old), '}')
		s.logged.systemSeq = s.write(m, []int64{old}, op, false)
	}
	s.logged.system = d
}

const (
	snapshotHead = "Current runtime context. This snapshot supersedes earlier runtime-context snapshots."
	cwdSection   = "working-directory:current"
)

// snapshot writes what surrounds the session, if it changed.
func (t *Turn) snapshot() {
	s := t.S
	var sections []harness.ContextSection
	if s.Agent.Cwd != "" {
		sections = append(sections, harness.ContextSection{
			Name: cwdSection, Text: "Current working directory: " + quote(s.Agent.Cwd) + ".",
		})
	}
	sections = append(sections, t.prepared.Context...)
	if len(sections) == 0 {
		return
	}
	var text strings.Builder
	text.WriteString(snapshotHead)
	for i := range sections {
		text.WriteString("\n\n")
		text.WriteString(sections[i].Text)
	}
	d := digestOf([]byte(text.String()))
	if d == s.logged.snapshot {
		return
	}
	s.logged.snapshot = d
	s.surface(&harness.UserMessage{
		Content: []harness.ContentBlock{&harness.TextBlock{Text: text.String()}},
		Source:  &harness.SourceRuntimeContext{Form: "snapshot", Sections: sections},
		Role:    harness.RoleUser, ID: harness.MessageID(s.f.NewID()),
	})
}

// header writes the settings of requests, and which model answers, if they
// changed or the session has just come back.
func (t *Turn) header() {
	s, d := t.S, t.prepared
	h := harness.RequestHeaderBody{Config: harness.RequestConfig{
		Provider: s.Agent.Provider, Model: s.Agent.Model, ReasoningEffort: d.Effort,
	}}
	var defaults harness.AdapterDefaults
	if d.MaxTokens > 0 {
		h.Config.MaxTokens = &d.MaxTokens
		defaults.MaxTokens = s.Agent.MaxTokens == 0
	}
	defaults.ReasoningEffort = d.Effort != "" && s.Agent.Effort == ""
	if defaults.MaxTokens || defaults.ReasoningEffort {
		h.AdapterDefaults = &defaults
	}
	for i := range d.Tools {
		h.Tools = append(h.Tools, harness.ToolDefinition{
			Name: d.Tools[i].Name, Description: d.Tools[i].Description, Parameters: d.Tools[i].Parameters,
		})
	}
	sum := digestOf(h.AppendJSON(nil))
	if reason := s.headerReason(sum); reason != "" {
		s.row(&harness.RequestHeader{Header: h, Reason: reason})
	}
	s.logged.header, s.logged.resumed = sum, false

	c := &harness.RequestContext{Provider: s.Agent.Provider, Model: s.Agent.Model}
	if d.Window > 0 {
		c.ContextWindow = &d.Window
	}
	if sum := digestOf(c.AppendJSON(nil)); sum != s.logged.context {
		s.logged.context = sum
		s.row(c)
	}
}

func (s *Session) headerReason(sum digest) harness.HeaderReason {
	switch {
	case s.logged.header == 0:
		return harness.HeaderInitial
	case s.logged.resumed:
		return harness.HeaderResume
	case s.logged.header != sum:
		return harness.HeaderChange
	}
	return ""
}

// title names the session after the first words of its first prompt.
func (t *Turn) title(seq int64, text string) {
	s := t.S
	if s.logged.titled || seq < 0 {
		return
	}
	title := titleOf(text)
	if title == "" {
		return
	}
	s.logged.titled = true
	s.row(&harness.SessionTitle{Title: title, MessageSeqs: []int64{seq}, Source: &harness.TitleFallback{}})
}

// titleOf returns the first five words, in at most 40 bytes.
func titleOf(text string) string {
	words := strings.Fields(text)
	if len(words) > 5 {
		words = words[:5]
	}
	title := strings.Join(words, " ")
	for len(title) > 40 {
		_, n := utf8.DecodeLastRuneInString(title)
		title = title[:len(title)-n]
	}
	return strings.TrimSpace(title)
}
