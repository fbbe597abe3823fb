// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// script writes cases in few words: each method adds a line.
type script struct {
	version int
	lines   []string
	seq     map[string]int
	turn    map[string]int // that events carry next to them, in version 2; 0: none
}

func newScript(version int) *script {
	return &script{version: version, seq: map[string]int{}, turn: map[string]int{}}
}

func (s *script) line(format string, args ...any) *script {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
	return s
}

func (s *script) host(members string) *script { return s.line(`{"t":"host",%s}`, members) }
func (s *script) run(as, session, text string) *script {
	return s.host(fmt.Sprintf(`"do":"run","as":%q,"session":%q,"text":%q`, as, session, text))
}
func (s *script) c2s(frame string) *script { return s.line(`{"t":"c2s","frame":%s}`, frame) }
func (s *script) s2c(frame string) *script { return s.line(`{"t":"s2c","frame":%s}`, frame) }
func (s *script) raw(text string) *script  { return s.line(`{"t":"s2c","raw":%s}`, encode(text)) }
func (s *script) quiet(ms int) *script     { return s.line(`{"t":"quiet","ms":%d}`, ms) }

// init is the handshake; caps are the session capabilities that a runtime of
// version 2 announces.
func (s *script) init(caps ...string) *script {
	s.c2s(`{"id":"$init","method":"initialize","params":{"cwd":"/srv/demo","provider":"deepseek-official","model":"demo-model"}}`)
	if s.version == 1 {
		return s.s2c(`{"jsonrpc":"2.0","id":"$init","result":{"serverInfo":{"name":"r","version":"1"}}}`)
	}
	for i, c := range caps {
		caps[i] = fmt.Sprintf(`%q:true`, c)
	}
	return s.s2c(fmt.Sprintf(`{"jsonrpc":"2.0","id":"$init","result":{"serverInfo":{"name":"r","version":"1"},"protocolVersion":2,"capabilities":{"session":{%s},"deltas":true}}}`, strings.Join(caps, ",")))
}

func (s *script) prompt(id, session, text string) *script {
	return s.c2s(fmt.Sprintf(`{"id":"$%s","method":"session/prompt","params":{"sessionId":%q,"contentBlocks":[{"type":"text","text":%q}]}}`, id, session, text))
}

func (s *script) respond(id, result string) *script {
	return s.s2c(fmt.Sprintf(`{"jsonrpc":"2.0","id":"$%s","result":%s}`, id, result))
}

func (s *script) refuse(id string, code int, message, data string) *script {
	return s.s2c(fmt.Sprintf(`{"jsonrpc":"2.0","id":"$%s","error":{"code":%d,"message":%q,"data":%s}}`, id, code, message, data))
}

func (s *script) receipt(id, message string) *script {
	return s.respond(id, fmt.Sprintf(`{"messageId":%q}`, message))
}

func (s *script) event(session, kind, data string, more ...string) *script {
	turn := ""
	if n := s.turn[session]; n > 0 && s.version == 2 && kind != "agent/inbox/spliced" {
		turn = fmt.Sprintf(`,"turn":%d`, n)
	}
	n := s.seq[session]
	s.seq[session]++
	return s.s2c(fmt.Sprintf(`{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":%q,"event":{"type":%q,"seq":%d,"time":%d,"data":%s%s}%s}}`,
		session, kind, n, 1760000000000+n, data, strings.Join(more, ""), turn))
}

func (s *script) insert(session string, start int, ids ...string) *script {
	var messages []string
	for _, id := range ids {
		messages = append(messages, fmt.Sprintf(`{"content":[{"type":"text","text":"text of %s"}],"source":{"kind":"user"},"role":"user","id":%q}`, id, id))
	}
	return s.event(session, "agent/inbox/spliced", fmt.Sprintf(`{"target":"next-turn","start":%d,"inserted":[%s]}`, start, strings.Join(messages, ",")))
}

func (s *script) claim(session string, start, count int) *script {
	return s.event(session, "agent/inbox/spliced", fmt.Sprintf(`{"target":"next-turn","start":%d,"removedCount":%d,"inserted":[]}`, start, count))
}

func (s *script) withdraw(session string, start, count int) *script {
	return s.event(session, "agent/inbox/spliced", fmt.Sprintf(`{"target":"next-turn","start":%d,"removedCount":%d,"inserted":[],"outcome":"canceled"}`, start, count))
}

func (s *script) status(session, status string) *script {
	return s.s2c(fmt.Sprintf(`{"jsonrpc":"2.0","method":"session.status","params":{"sessionId":%q,"status":%q}}`, session, status))
}

func (s *script) start(session string, turn int) *script {
	s.turn[session] = turn
	return s.event(session, "turn/start", fmt.Sprintf(`{"turn":%d}`, turn))
}

func (s *script) step(session string, n int) *script {
	return s.event(session, "step/start", fmt.Sprintf(`{"turn":%d,"step":%d}`, s.turn[session], n))
}

func (s *script) user(session, id string) *script {
	return s.event(session, "user/message", fmt.Sprintf(`{"content":[{"type":"text","text":"text of %s"}],"source":{"kind":"user"},"role":"user","id":%q}`, id, id), `,"surfaceOp":"append"`)
}

func (s *script) delta(session string, n int, text string) *script {
	if s.version == 1 {
		return s.event(session, "assistant/chunk", fmt.Sprintf(`{"turn":%d,"step":1,"chunk":{"type":"text-delta","index":0,"text":%q}}`, s.turn[session], text))
	}
	return s.s2c(fmt.Sprintf(`{"jsonrpc":"2.0","method":"session.delta","params":{"sessionId":%q,"turn":%d,"step":1,"attempt":1,"n":%d,"index":0,"kind":"text","text":%q}}`,
		session, s.turn[session], n, text))
}

func (s *script) says(session, text string, more ...string) *script {
	stream := ""
	if s.version == 2 {
		stream = `,"stream":[]`
	}
	return s.event(session, "assistant/message", fmt.Sprintf(`{"turn":%d,"step":1,"message":{"role":"assistant","content":[{"type":"text","text":%q}],"source":{"kind":"model","provider":"p","model":"m"},"id":"a-%d"}%s%s}`,
		s.turn[session], text, s.seq[session], strings.Join(more, ""), stream), `,"surfaceOp":"append"`)
}

func (s *script) end(session, reason string) *script {
	s.event(session, "step/end", fmt.Sprintf(`{"turn":%d,"step":1}`, s.turn[session]))
	s.event(session, "turn/end", fmt.Sprintf(`{"turn":%d,"reason":%s}`, s.turn[session], reason))
	s.turn[session] = 0
	return s
}

// turnOf is a whole turn that takes the first message of the inbox.
func (s *script) whole(session string, turn int, message, text string) *script {
	return s.start(session, turn).claim(session, 0, 1).step(session, 1).user(session, message).says(session, text).end(session, `{"kind":"completed"}`)
}

func (s *script) exit(code int) *script { return s.line(`{"t":"proc","do":"exit","code":%d}`, code) }

func (s *script) bye() *script {
	return s.host(`"do":"close"`).c2s(`{"id":"$bye","method":"shutdown"}`).respond("bye", "{}").exit(0)
}

// play plays a script and returns its result.
func (s *script) play(t *testing.T, expect string, o Options) *Result {
	t.Helper()
	steps, err := ParseSteps("script", []byte(strings.Join(s.lines, "\n")))
	require.NoError(t, err)
	e, err := parseExpect("expect", []byte(expect))
	require.NoError(t, err)
	r, err := Run(t.Context(), &Case{Folder: "script", File: "script", Steps: steps, Expect: e}, o)
	require.NoError(t, err)
	return r
}

// passes plays a script whose expectations hold.
func (s *script) passes(t *testing.T, expect string) {
	t.Helper()
	r := s.play(t, expect, testOptions())
	assert.True(t, r.Passed, "%s\n%s", r.Line(), strings.Join(r.Transcript, "\n"))
}
