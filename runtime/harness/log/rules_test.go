// SPDX-License-Identifier: Apache-2.0

package log

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func check(l *Reader) (*Checker, error) {
	c := NewChecker(l.Header())
	for r, err := range l.Rows() {
		if err != nil {
			return c, err
		}
		if err := c.Check(r); err != nil {
			return c, err
		}
	}
	return c, c.End()
}

// DSH opens each of the logs of its generation but one.
func TestRulesHoldForWhatDSHWrote(t *testing.T) {
	n := 0
	for _, path := range golden(t) {
		l := open(t, path)
		if l.Header().Version != Newest {
			continue
		}
		n++
		c, err := check(l)
		if strings.Contains(path, "nohead-2") {
			var v *Violation
			require.ErrorAs(t, err, &v)
			assert.Contains(t, v.Rule, "system/message is the first row of the conversation")
			continue
		}
		assert.NoError(t, err, path)
		assert.Equal(t, strings.Contains(path, "nohead-1"), c.Headless(), path)
	}
	assert.Greater(t, n, 30)
}

// A log that was killed gets the rows that DSH gave it, byte for byte.
func TestClosersAreThoseOfDSH(t *testing.T) {
	for before, after := range map[string]string{
		"v4-raw-killed-tool-1-before":   "v4-raw-killed-tool-2-resumed",
		"v4-raw-killed-stream-1-before": "v4-raw-killed-stream-2-resumed",
		"v4-zstd-killed-1-before":       "v4-zstd-killed-2-resumed",
		"v4-raw-torn-1-before":          "v4-raw-torn-2-resumed",
		"v4-zstd-torn-1-before":         "v4-zstd-torn-2-resumed",
		"v4-raw-two-processes":          "v4-raw-two-processes",
	} {
		t.Run(before, func(t *testing.T) {
			path := func(dir string) string {
				m, err := filepath.Glob("testdata/golden/" + dir + "/sessions/*/*/session.v4.*")
				require.NoError(t, err)
				require.Len(t, m, 1)
				return m[0]
			}
			l := open(t, path(before))
			c, err := check(l)
			require.NoError(t, err)
			want, err := all(open(t, path(after)))
			require.NoError(t, err)
			rows := c.Closers()
			for _, r := range rows {
				require.NoError(t, c.Check(r))
				assert.Equal(t, string(want[r.Seq].Line), string(r.Append(nil)))
			}
			assert.Empty(t, c.Closers())
			if before == after {
				return
			}
			assert.NotEmpty(t, rows)
			n := len(rows) + int(l.Seq())
			seed, ok := c.EndSeed(want[n].Time)
			assert.True(t, ok)
			assert.Equal(t, string(want[n].Line), string(seed.Append(nil)))
			require.NoError(t, c.Check(seed))
			_, ok = c.EndSeed(0)
			assert.False(t, ok)
		})
	}
}

// The least log that DSH continues, with a tool call; each case changes one thing.
var least = []string{
	`turn/start {"turn":1}`,
	`step/start {"turn":1,"step":1}`,
	`system/message {"turn":1,"step":1,"message":{"id":"s1","role":"system","source":{"kind":"system-prompt"},"content":[]}} append`,
	`user/message {"id":"u1","role":"user","source":{"kind":"user"},"content":[{"type":"text","text":"hi"}]} append`,
	`request/header {"header":{"config":{"provider":"p","model":"m"},"tools":[{"name":"a"},{"name":"b"}]},"reason":"initial"}`,
	`llm/retry {"retryId":"r","turn":1,"step":1,"provider":"p","mode":"normal","policyKey":"k","retry":1,"delayMs":1.5,"failure":{}}`,
	`llm/retry-started {"retryId":"r","turn":1,"step":1,"retry":1}`,
	`assistant/message {"turn":1,"step":1,"message":{"id":"a1","role":"assistant","source":{"kind":"model","provider":"p","model":"m"},"content":[{"type":"tool-call","id":"c1","name":"a","arguments":"{}"}]},"stream":[]} append`,
	`tool/call {"turn":1,"step":1,"callId":"c1","name":"a","arguments":"{}"}`,
	`tool/result {"turn":1,"step":1,"message":{"id":"t1","role":"tool","toolCallId":"c1","isError":false,"source":{"kind":"tool","callId":"c1"},"content":[]}} append [8]`,
	`developer/message {"turn":1,"step":1,"message":{"id":"d1","role":"developer","source":{"kind":"tool-registry"},"content":[{"type":"tool-addition","toolName":"b"}]},"headerSeq":4} append`,
	`session/title {"title":"hi","messageSeqs":[3],"source":{"kind":"fallback"}}`,
	`subagent/catalog {"version":0,"childId":"k","childCreatedAt":1,"mode":"continuable","label":"l"}`,
	`session-log-deepseek/delivery-accepted {"sessionId":"s","sessionFormatVersion":4,"throughSeq":9}`,
	`command/run {"commandId":"c","name":"n","source":{"kind":"user"}}`,
	`command/done {"commandId":"c","kind":"success"}`,
	`step/end {"turn":1,"step":1}`,
	`compaction/start {"compactionId":"x","turn":1}`,
	`compaction/summary {"compactionId":"x","summary":[]}`,
	`user/message {"id":"u2","role":"user","source":{"kind":"compact-checkpoint"},"content":[]} {"op":"replace","startSeq":3,"endSeq":7} [3,7]`,
	`compaction/end {"compactionId":"x","turn":1}`,
	`system/message {"turn":1,"step":1,"message":{"id":"s2","role":"system","source":{"kind":"system-prompt"},"content":[]}} {"op":"replace","startSeq":2,"endSeq":2} [2]`,
	`turn/end {"turn":1,"reason":{"kind":"completed"}}`,
}

// leastLog writes rows of the short form: type, data, surfaceOp, sources.
func leastLog(rows []string) string {
	var b strings.Builder
	b.WriteString(header4)
	for i, r := range rows {
		kind, rest, _ := strings.Cut(r, " ")
		sources := ""
		if n := strings.LastIndex(rest, " ["); n > 0 && strings.HasSuffix(rest, "]") {
			sources, rest = `,"sourceEventSeqs":`+rest[n+1:], rest[:n]
		}
		surface := ""
		if cut, ok := strings.CutSuffix(rest, " append"); ok {
			surface, rest = `,"surfaceOp":"append"`, cut
		} else if n := strings.Index(rest, ` {"op"`); n > 0 {
			surface, rest = `,"surfaceOp":`+rest[n+1:], rest[:n]
		}
		fmt.Fprintf(&b, `{"type":%q,"seq":%d,"time":1,"data":%s%s%s}`+"\n", kind, i, rest, sources, surface)
	}
	return b.String()
}

func TestRules(t *testing.T) {
	log := append([]string{}, least...)
	// The replaced system message lies in a step.
	log[16], log[21] = log[21], log[16]
	_, err := check(openBytes(t, []byte(leastLog(log)), Raw))
	require.NoError(t, err)

	for rule, change := range map[string]struct {
		row      int
		old, new string
	}{
		"turns are counted from 1":                                    {0, `"turn":1`, `"turn":2`},
		"steps are counted from 1 in each turn":                       {1, `"step":1`, `"step":2`},
		"a message has the role of its row":                           {3, `"role":"user"`, `"role":"assistant"`},
		"a message has an id":                                         {3, `"id":"u1"`, `"id":""`},
		"a message has a source with a kind":                          {3, `"kind":"user"`, `"kind":""`},
		`the source kind "plugin" ended`:                              {3, `"kind":"user"`, `"kind":"plugin"`},
		"a message has a list of content":                             {3, `"content":[{"type":"text","text":"hi"}]`, `"content":"hi"`},
		"a block with a tool's result ended":                          {3, `"type":"text"`, `"type":"tool-result"`},
		"rows of the conversation have a surfaceOp":                   {3, ` append`, ``},
		"only rows of the conversation":                               {1, `{"turn":1,"step":1}`, `{"turn":1,"step":1} append`},
		"an assistant/message has no sourceEventSeqs":                 {7, ` append`, ` append [1]`},
		"sourceEventSeqs is absent or not empty":                      {9, `[8]`, `[]`},
		"sourceEventSeqs has rows that came before":                   {9, `[8]`, `[9]`},
		"sourceEventSeqs has no row twice":                            {9, `[8]`, `[8,[7,8]]`},
		"system/message is the first row of the conversation":         {16, `{"op":"replace","startSeq":2,"endSeq":2} [2]`, `append`},
		"a replacement begins and ends with rows of the conversation": {19, `"endSeq":7`, `"endSeq":8`},
		"sourceEventSeqs has each row that is replaced":               {19, `[3,7]`, `[3]`},
		"a system/message, and nothing else, replaces the first":      {19, `"startSeq":3`, `"startSeq":16`},
		"a turn ends that is open":                                    {22, `"turn":1`, `"turn":2`},
		"a step ends when each of its tool calls has a result":        {9, `tool/result`, `x`},
		"rows of a step lie in it":                                    {8, `"step":1`, `"step":2`},
		"a request header's system prompt ended":                      {4, `"tools"`, `"system":"s","tools"`},
		"retries of a request are counted from 1":                     {5, `"retry":1`, `"retry":2`},
		"a retry has the provider of the last request header":         {5, `"provider":"p"`, `"provider":"q"`},
		"a retry starts once":                                         {6, `"retryId":"r"`, `"retryId":"q"`},
		"a tool call starts once":                                     {8, `"c1"`, `"c2"`},
		"a tool call has the name and the arguments":                  {8, `"{}"`, `"{ }"`},
		"a tool's result has the call's id":                           {9, `"toolCallId":"c1"`, `"toolCallId":"c2"`},
		"a tool's result that has an error says so":                   {9, `"content":[]}`, `"content":[]},"error":{"name":"n","code":"c"}`},
		"the result of a call that did not start":                     {9, `"isError":false,"source":{"kind":"tool","callId":"c1"},"content":[]}`, `"isError":true,"source":{"kind":"tool","callId":"c1"},"content":[]},"error":{"name":"n","code":"TOOL_NOT_STARTED"}`},
		"headerSeq is that of an earlier request header":              {10, `"headerSeq":4`, `"headerSeq":5`},
		"the request header has each tool that is added once":         {10, `"toolName":"b"`, `"toolName":"c"`},
		"a developer/message has headerSeq exactly when":              {10, `tool-addition`, `tool-removal`},
		"a title has messageSeqs, except":                             {11, `[3]`, `[]`},
		"messageSeqs has no message twice":                            {11, `[3]`, `[3,3]`},
		"messageSeqs has earlier messages of the user":                {11, `[3]`, `[2]`},
		"what was delivered came before":                              {13, `"throughSeq":9`, `"throughSeq":13`},
		"a delivery is one of this session":                           {13, `"sessionId":"s"`, `"sessionId":"t"`},
		"a command is done after it has run":                          {15, `"commandId":"c"`, `"commandId":"d"`},
		"a summary is that of the compaction that runs":               {18, `"x"`, `"y"`},
		"a compaction ends that has started":                          {20, `"x"`, `"y"`},
		"a child is listed once":                                      {11, `session/title {"title":"hi","messageSeqs":[3],"source":{"kind":"fallback"}}`, log[12]},
		"a log that is seeded, and no other, has a session/end-seed":  {12, log[12], `session/end-seed {"inherited":true}`},
		"a turn starts after the one before has ended":                {14, log[14], `turn/start {"turn":2}`},
		"a turn ends after its steps":                                 {14, log[14], `turn/end {"turn":1}`},
		"a step starts in the open turn, after the one before":        {14, log[14], `step/start {"turn":1,"step":2}`},
		"a compaction starts after the one before":                    {18, log[18], `compaction/start {"compactionId":"z","turn":1}`},
		"requests and calls of programs lie in a turn":                {0, log[0], `request/context {"provider":"p","model":"m"}`},
		"a tool's result is that of a call without one":               {10, log[10], log[9]},
		"a tool/result replaces one tool/result":                      {10, log[10], strings.Replace(strings.Replace(log[9], "append", `{"op":"replace","startSeq":3,"endSeq":3}`, 1), "[8]", "[3]", 1)},
	} {
		t.Run(rule, func(t *testing.T) {
			rows := append([]string{}, log...)
			require.Contains(t, rows[change.row], change.old)
			rows[change.row] = strings.Replace(rows[change.row], change.old, change.new, 1)
			text := leastLog(rows)
			if strings.HasPrefix(rows[change.row], "x ") {
				text = strings.Replace(text, `"data":{"turn":1,"step":1,"message":{"id":"t1"`, `"ignorable":true,"data":{"message":{"id":"t1"`, 1)
			}
			_, err := check(openBytes(t, []byte(text), Raw))
			var v *Violation
			require.ErrorAs(t, err, &v)
			assert.Contains(t, v.Rule, rule)
		})
	}
}

// What other writers may add is taken, at any place.
func TestWhatOthersAdd(t *testing.T) {
	b, err := os.ReadFile("testdata/golden/foreign-epoch-2-continued-by-dsh/sessions/--tmp-ws--/foreign-epoch/session.v4.jsonl")
	require.NoError(t, err)
	_, err = check(openBytes(t, b, Raw))
	require.NoError(t, err)
	assert.Contains(t, string(b), `"ignorable":true`)
	_, err = check(openBytes(t, []byte(strings.Replace(string(b), `,"ignorable":true`, "", 1)), Raw))
	assert.Error(t, err)
}
