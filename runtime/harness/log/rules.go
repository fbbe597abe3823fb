// SPDX-License-Identifier: Apache-2.0

package log

import (
	"fmt"
	"slices"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// Violation says that a row of a log does not fit the rows before it. DSH opens no
// log that has one.
type Violation struct {
	Seq      int64  // of the row; the number of rows, if it is about the end
	Type     string // of the row; empty: it is about the end
	Rule     string // in one line: what must hold
	Expected string // what the row should have; empty: it is not about a value
	Found    string // what it has
}

func (v *Violation) Error() string {
	s := fmt.Sprintf("row %d (%s) breaks a rule of the log: %s", v.Seq, v.Type, v.Rule)
	if v.Type == "" {
		s = "the log's end breaks a rule of the log: " + v.Rule
	}
	if v.Expected != "" || v.Found != "" {
		s += fmt.Sprintf("; expected %s, found %s", v.Expected, v.Found)
	}
	return s
}

// Checker checks the relations between the rows of a log of generation 4 that DSH
// checks whenever it opens one, and knows what is open. What it remembers grows
// with messages, titles and children, by a few bytes each, and never with their
// texts.
type Checker struct {
	header *harness.SessionHeaderLine
	d      codec.Decoder

	next     int64 // rows that were checked
	lastType string
	lastTime int64

	turn, step         int64 // the last ones
	turnOpen, stepOpen bool
	calls              []toolCall // of the open step, that have no result

	surface    []int64            // sequences of the rows that make up the conversation, in its order
	head       int64              // the system message that it begins with; -1: none
	results    map[int64]bool     // rows of the conversation that are tools' results
	prompts    []int64            // rows with messages of the user, ascending
	tools      map[int64][]string // names of tools, by the request header that has them
	provider   string             // of the last request header
	retryID    string             // of the last retry
	retry      int64
	started    bool            // the last retry
	commands   map[string]bool // that run
	compaction string          // that runs
	children   map[string]bool
	seeded     bool       // the end of the inherited part has come
	foreign    *Violation // a delivery of another session, if it is not inherited
}

// NewChecker begins a log.
func NewChecker(header *harness.SessionHeaderLine) *Checker {
	return &Checker{
		header:   header,
		d:        codec.Decoder{Lax: true, MaxDepth: maxDepth},
		head:     -1,
		results:  map[int64]bool{},
		tools:    map[int64][]string{},
		commands: map[string]bool{},
		children: map[string]bool{},
	}
}

// Open reports whether a turn is open.
func (c *Checker) Open() bool { return c.turnOpen }

// Turn is the number of the last turn; 0: there is none.
func (c *Checker) Turn() int64 { return c.turn }

// Headless reports whether the conversation does not begin with a system message.
// DSH opens such a log once, appends one behind it, and then refuses it for good.
func (c *Checker) Headless() bool { return len(c.surface) > 0 && c.head < 0 }

// roles are the rows that are part of the conversation.
var roles = map[string]string{
	harness.EventTypeSystemMessage:    "system",
	harness.EventTypeDeveloperMessage: "developer",
	harness.EventTypeUserMessage:      "user",
	harness.EventTypeAssistantMessage: "assistant",
	harness.EventTypeToolResult:       "tool",
}

// Check checks the next row. After a Violation the Checker must not be used any
// more.
func (c *Checker) Check(r Row) error {
	if v := c.check(r); v != nil {
		v.Seq, v.Type = r.Seq, r.Type
		return v
	}
	c.skip(r)
	return nil
}

// skip goes past a row whose relations are not known.
func (c *Checker) skip(r Row) {
	c.next++
	c.lastType, c.lastTime = r.Type, r.Time
}

// End checks what only the end of a log shows.
func (c *Checker) End() error {
	v := c.foreign
	if c.seeded != (c.header.IsSeeded != nil && *c.header.IsSeeded) {
		v = broken("a log that is seeded, and no other, has a session/end-seed that is inherited")
		v.Seq = c.next
	}
	if v != nil {
		return v
	}
	return nil
}

func broken(rule string) *Violation { return &Violation{Rule: rule} }

func differs[T any](rule string, expected, found T) *Violation {
	return &Violation{Rule: rule, Expected: fmt.Sprint(expected), Found: fmt.Sprint(found)}
}

func (c *Checker) check(r Row) *Violation {
	if r.Seq != c.next {
		return differs("sequences are dense from 0", c.next, r.Seq)
	}
	role, surface := roles[r.Type]
	if !surface && !declared(r.Type) {
		if !r.Ignorable {
			return broken("a type that is not known must be ignorable")
		}
		return nil
	}
	f, err := readFacts(&c.d, r.Data, r.Type == harness.EventTypeUserMessage)
	if err != nil {
		return &Violation{Rule: "data can be read", Found: err.Error()}
	}
	if !surface {
		if r.Surface.Op != "" || r.Sources != nil {
			return broken("only rows of the conversation have surfaceOp and sourceEventSeqs")
		}
	} else if v := c.checkMessage(r, &f.message, role); v != nil {
		return v
	}
	if v := c.place(r, &f); v != nil {
		return v
	}
	return c.relate(r, &f)
}

// checkMessage checks a row of the conversation by itself.
func (c *Checker) checkMessage(r Row, m *message, role string) *Violation {
	switch {
	case r.Surface.Op == "":
		return broken("rows of the conversation have a surfaceOp")
	case m.role != role:
		return differs("a message has the role of its row", role, m.role)
	case m.id == "":
		return broken("a message has an id")
	case m.kind == "":
		return broken("a message has a source with a kind")
	case m.kind == "plugin":
		return broken(`the source kind "plugin" ended with generation 3`)
	case !m.hasContent:
		return broken("a message has a list of content")
	case m.wrapped:
		return broken("a block with a tool's result ended with generation 3")
	case r.Type == harness.EventTypeAssistantMessage && r.Sources != nil:
		return broken("an assistant/message has no sourceEventSeqs")
	case r.Sources != nil && len(r.Sources) == 0:
		return broken("sourceEventSeqs is absent or not empty")
	}
	for i, s := range r.Sources {
		if s.Last >= r.Seq {
			return differs("sourceEventSeqs has rows that came before", fmt.Sprintf("less than %d", r.Seq), fmt.Sprint(s.Last))
		}
		for _, o := range r.Sources[:i] {
			if s.First <= o.Last && o.First <= s.Last {
				return broken("sourceEventSeqs has no row twice")
			}
		}
	}
	return c.onSurface(r)
}

// onSurface gives a row its place in the conversation.
func (c *Checker) onSurface(r Row) *Violation {
	system, result := r.Type == harness.EventTypeSystemMessage, r.Type == harness.EventTypeToolResult
	if r.Surface.Op == "append" {
		if system {
			if len(c.surface) > 0 {
				return broken("system/message is the first row of the conversation, or replaces the one that is")
			}
			c.head = r.Seq
		}
		c.surface = append(c.surface, r.Seq)
		if result {
			c.results[r.Seq] = true
		}
		return nil
	}
	start, end := slices.Index(c.surface, r.Surface.Start), slices.Index(c.surface, r.Surface.End)
	if start < 0 || end < start {
		return broken("a replacement begins and ends with rows of the conversation")
	}
	shadowed := c.surface[start : end+1]
	if head := start == 0 && c.head >= 0; head != system || system && len(shadowed) > 1 {
		return broken("a system/message, and nothing else, replaces the first one, and nothing else")
	}
	for _, n := range shadowed {
		covered := slices.ContainsFunc(r.Sources, func(s Range) bool { return s.First <= n && n <= s.Last })
		if !covered {
			return differs("sourceEventSeqs has each row that is replaced", fmt.Sprint(n), "none of it")
		}
	}
	if result && (len(shadowed) != 1 || !c.results[shadowed[0]]) {
		return broken("a tool/result replaces one tool/result")
	}
	for _, n := range shadowed {
		delete(c.results, n)
	}
	if result {
		c.results[r.Seq] = true
	}
	if system {
		c.head = r.Seq
	}
	c.surface = slices.Replace(c.surface, start, end+1, r.Seq)
	return nil
}

// place checks that a row lies in the turn and the step where it belongs.
func (c *Checker) place(r Row, f *facts) *Violation {
	switch r.Type {
	case harness.EventTypeTurnStart:
		if c.turnOpen {
			return broken("a turn starts after the one before has ended")
		}
		if f.turn != c.turn+1 {
			return differs("turns are counted from 1", c.turn+1, f.turn)
		}
		c.turn, c.step, c.turnOpen = f.turn, 0, true
	case harness.EventTypeTurnEnd:
		if c.stepOpen {
			return broken("a turn ends after its steps")
		}
		if !c.turnOpen || f.turn != c.turn {
			return broken("a turn ends that is open")
		}
		c.turnOpen = false
	case harness.EventTypeStepStart:
		if c.stepOpen || !c.turnOpen || f.turn != c.turn {
			return broken("a step starts in the open turn, after the one before has ended")
		}
		if f.step != c.step+1 {
			return differs("steps are counted from 1 in each turn", c.step+1, f.step)
		}
		c.step, c.stepOpen = f.step, true
	case harness.EventTypeStepEnd:
		if v := c.inStep(f); v != nil {
			return v
		}
		if len(c.calls) > 0 {
			return differs("a step ends when each of its tool calls has a result", "none", c.calls[0].id)
		}
		c.stepOpen = false
	case harness.EventTypeRequestHeader, harness.EventTypeRequestContext,
		harness.EventTypePTCDispatchStart, harness.EventTypePTCDispatch:
		if !c.turnOpen {
			return broken("requests and calls of programs lie in a turn")
		}
	case harness.EventTypeAssistantMessage, harness.EventTypeAssistantAttempt, harness.EventTypeToolCall,
		harness.EventTypeSystemMessage, harness.EventTypeDeveloperMessage,
		harness.EventTypeLLMRetry, harness.EventTypeLLMRetryStarted:
		return c.inStep(f)
	case harness.EventTypeToolResult:
		if r.Surface.Op == "append" {
			return c.inStep(f)
		}
	}
	return nil
}

func (c *Checker) inStep(f *facts) *Violation {
	if !c.stepOpen || f.turn != c.turn || f.step != c.step {
		return differs("rows of a step lie in it",
			fmt.Sprintf("turn %d, step %d, open: %t", c.turn, c.step, c.stepOpen), fmt.Sprintf("turn %d, step %d", f.turn, f.step))
	}
	return nil
}

// relate checks what a row says of others.
func (c *Checker) relate(r Row, f *facts) *Violation {
	switch r.Type {
	case harness.EventTypeAssistantMessage:
		c.calls = append(c.calls, f.message.calls...)
	case harness.EventTypeToolCall:
		return c.beginCall(r, f)
	case harness.EventTypeToolResult:
		return c.endCall(r, f)
	case harness.EventTypeUserMessage:
		if f.message.kind == "user" {
			c.prompts = append(c.prompts, r.Seq)
		}
	case harness.EventTypeDeveloperMessage:
		return c.announceTools(r, f)
	case harness.EventTypeRequestHeader:
		if f.hasSystem {
			return broken("a request header's system prompt ended with generation 2")
		}
		c.provider = f.config
		c.tools[r.Seq] = f.tools
	case harness.EventTypeLLMRetry:
		want := int64(1)
		if f.retryID == c.retryID {
			want = c.retry + 1
		}
		if f.retry != want {
			return differs("retries of a request are counted from 1", want, f.retry)
		}
		if f.provider != c.provider {
			return differs("a retry has the provider of the last request header", c.provider, f.provider)
		}
		c.retryID, c.retry, c.started = f.retryID, f.retry, false
	case harness.EventTypeLLMRetryStarted:
		if c.started || f.retryID != c.retryID || f.retry != c.retry {
			return broken("a retry starts once, after it was announced")
		}
		c.started = true
	case harness.EventTypeCommandRun:
		c.commands[f.commandID] = true
	case harness.EventTypeCommandDone:
		if !c.commands[f.commandID] {
			return differs("a command is done after it has run", "command/run", f.commandID)
		}
		delete(c.commands, f.commandID)
	case harness.EventTypeCompactionStart:
		if c.compaction != "" {
			return broken("a compaction starts after the one before has ended")
		}
		c.compaction = f.compactionID
	case harness.EventTypeCompactionSummary:
		if f.compactionID != c.compaction {
			return differs("a summary is that of the compaction that runs", c.compaction, f.compactionID)
		}
	case harness.EventTypeCompactionEnd:
		if f.compactionID != c.compaction {
			return differs("a compaction ends that has started", c.compaction, f.compactionID)
		}
		c.compaction = ""
	case harness.EventTypeSessionTitle:
		return c.nameSession(f)
	case harness.EventTypeSubagentCatalog:
		if c.children[f.childID] {
			return differs("a child is listed once", "another id", f.childID)
		}
		c.children[f.childID] = true
	case harness.EventTypeSessionEndSeed:
		if f.inherited {
			c.seeded, c.foreign = true, nil
		}
	case harness.EventTypeDeliveryAccepted:
		return c.deliver(r, f)
	}
	return nil
}

func (c *Checker) beginCall(r Row, f *facts) *Violation {
	i := slices.IndexFunc(c.calls, func(t toolCall) bool { return t.id == f.callID && t.seq < 0 })
	if i < 0 {
		return differs("a tool call starts once, and was announced by the assistant's message", "a call that was announced", f.callID)
	}
	if call := c.calls[i]; call.name != f.name || call.arguments != f.arguments {
		return differs("a tool call has the name and the arguments that were announced", call.name+" "+call.arguments, f.name+" "+f.arguments)
	}
	c.calls[i].seq = r.Seq
	return nil
}

func (c *Checker) endCall(r Row, f *facts) *Violation {
	m := &f.message
	if m.toolID != m.callID {
		return differs("a tool's result has the call's id, and so has its source", m.toolID, m.callID)
	}
	if f.failed && !m.isError {
		return broken("a tool's result that has an error says so with isError")
	}
	if r.Surface.Op != "append" {
		return nil
	}
	i := slices.IndexFunc(c.calls, func(t toolCall) bool { return t.id == m.toolID })
	if i < 0 {
		return differs("a tool's result is that of a call without one", "a call that is open", m.toolID)
	}
	if f.code == codeNotStarted && (r.Sources != nil || m.text != textNotStarted) {
		return differs("the result of a call that did not start has no sources, and a fixed text", textNotStarted, m.text)
	}
	c.calls = slices.Delete(c.calls, i, i+1)
	return nil
}

func (c *Checker) announceTools(r Row, f *facts) *Violation {
	if len(f.message.added) == 0 {
		if f.headerSeq >= 0 {
			return broken("a developer/message has headerSeq exactly when it adds tools")
		}
		return nil
	}
	names, ok := c.tools[f.headerSeq]
	if !ok {
		return differs("headerSeq is that of an earlier request header", fmt.Sprintf("less than %d", r.Seq), fmt.Sprint(f.headerSeq))
	}
	for _, n := range f.message.added {
		if found := count(names, n); found != 1 {
			return differs("the request header has each tool that is added once", "1", fmt.Sprintf("%d of %s", found, n))
		}
	}
	return nil
}

func count(names []string, name string) (n int) {
	for _, s := range names {
		if s == name {
			n++
		}
	}
	return n
}

func (c *Checker) nameSession(f *facts) *Violation {
	if (f.message.kind == "user") != (len(f.messageSeqs) == 0) {
		return broken("a title has messageSeqs, except the user's own, which has none")
	}
	if f.repeated {
		return broken("messageSeqs has no message twice")
	}
	for _, n := range f.messageSeqs {
		if _, ok := slices.BinarySearch(c.prompts, n); !ok {
			return differs("messageSeqs has earlier messages of the user", "a user/message", fmt.Sprint(n))
		}
	}
	return nil
}

func (c *Checker) deliver(r Row, f *facts) *Violation {
	if f.version != Newest {
		return nil // it counts rows of an older log
	}
	if f.throughSeq >= r.Seq {
		return differs("what was delivered came before", fmt.Sprintf("less than %d", r.Seq), fmt.Sprint(f.throughSeq))
	}
	if f.sessionID == string(c.header.ID) || c.foreign != nil {
		return nil
	}
	v := differs("a delivery is one of this session, unless it is inherited", string(c.header.ID), f.sessionID)
	if c.header.IsSeeded == nil || !*c.header.IsSeeded {
		return v
	}
	v.Seq, v.Type = r.Seq, r.Type
	c.foreign = v
	return nil
}
