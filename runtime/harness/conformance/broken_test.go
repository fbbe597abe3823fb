// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/process"
)

// breakEnv names the variable that puts a flaw between the client and the
// player's peer: client and flaw together are a client that is broken.
const breakEnv = "ACCORD_REPLAY_BREAK"

// noFlaw passes everything on.
const noFlaw = "none"

// flaw is what a broken client does with the lines that it reads and those that
// it writes; nil passes a line on.
type flaw struct {
	reads, writes func(line string) []string
	fails         map[string]string // cases that are about it, and what is said of each
}

func replacing(old, new string) func(string) []string {
	return func(line string) []string { return []string{strings.ReplaceAll(line, old, new)} }
}

func dropping(part string) func(string) []string {
	return func(line string) []string {
		if strings.Contains(line, part) {
			return nil
		}
		return []string{line}
	}
}

// twice repeats a line, at the same place.
func twice(part string) func(string) []string {
	return func(line string) []string {
		if strings.Contains(line, part) {
			return []string{line, line}
		}
		return []string{line}
	}
}

// holding keeps lines back until one comes that releases them, which goes first.
func holding(part, release string) func(string) []string {
	var held []string
	released := false
	return func(line string) []string {
		switch {
		case released:
		case strings.Contains(line, release):
			released = true
			return append([]string{line}, held...)
		case strings.Contains(line, part):
			held = append(held, line)
			return nil
		}
		return []string{line}
	}
}

// onReceipt puts the end of a turn behind the first prompt's receipt.
func onReceipt(line string) []string {
	if !strings.Contains(line, `"result":{"messageId":"m-1"}`) {
		return []string{line}
	}
	return []string{
		line,
		`{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"sess-a","event":{"type":"turn/start","seq":1,"time":1,"data":{"turn":1}},"turn":1}}`,
		`{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"sess-a","event":{"type":"agent/inbox/spliced","seq":2,"time":1,"data":{"target":"next-turn","start":0,"removedCount":1,"inserted":[]}},"turn":1}}`,
		`{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"sess-a","event":{"type":"turn/end","seq":3,"time":1,"data":{"turn":1,"reason":{"kind":"completed"}}},"turn":1}}`,
	}
}

var flaws = map[string]flaw{
	noFlaw: {},
	"settles at the receipt": {reads: onReceipt, fails: map[string]string{
		"05-cancel-mid-stream": `runs.p1.outcome is "completed", expected "cancelled"`,
	}},
	"drops a delta": {reads: dropping(`"text":"c2 "`), fails: map[string]string{
		"20-ordered-delivery": "deltas is 59, expected 60",
	}},
	"hands out a delta twice": {reads: replacing(`"text":"c2 "`, `"text":"b1 c2 "`), fails: map[string]string{
		"20-ordered-delivery": "joined is",
	}},
	"lets a reply overtake": {reads: holding(`session.delta`, `"result":{"messageId"`), fails: map[string]string{
		"20-ordered-delivery": "promptFutureResolvesAfterDelta is 0, expected at least 30",
	}},
	"merges two sessions": {reads: replacing(`"sess-b"`, `"sess-a"`), fails: map[string]string{
		"10-cancel-is-per-session": "runs.pb.outcome is",
	}},
	"sends a cancel twice": {writes: twice(`"session/cancel"`), fails: map[string]string{
		"05-cancel-mid-stream":          "the client sent",
		"06-cancel-twice-and-when-idle": "the client sent",
		"10-cancel-is-per-session":      "the client sent",
	}},
	"cancels whatever runs": {writes: replacing(`,"messageId":"m-1"`, ``), fails: map[string]string{
		"05-cancel-mid-stream": "member params.messageId is missing",
	}},
	"drops the queue": {writes: replacing(`"queue":"keep"`, `"queue":"drop"`), fails: map[string]string{
		"08-cancel-and-the-queue/keep": `queue is "drop", expected "keep"`,
	}},
	"asks again after a refusal": {writes: twice(`continue please`), fails: map[string]string{
		"11-session-id-already-on-disk": "the client sent",
	}},
	"loses the partial text": {reads: replacing(`one, two, three`, ``), fails: map[string]string{
		"05-cancel-mid-stream": "runs.p1.partialText is",
	}},
	"loses an event": {reads: dropping(`"type":"step/start"`), fails: map[string]string{
		"05-cancel-mid-stream":     "seqContiguous is false",
		"21-runtime-dies-mid-turn": "runs.p1.eventsSeen is",
	}},
	"gives the first answer to the second": {reads: replacing(`ANSWER-ONE`, `ANSWER-TWO`), fails: map[string]string{
		"03-two-prompts-one-idle": "never.p1.finalText is",
	}},
	"reads the number of another turn": {reads: replacing(`"turn":2`, `"turn":3`), fails: map[string]string{
		"01-receipt-before-response": "runs.p1.turn is 3, expected 2",
	}},
	"rounds numbers": {reads: replacing(`9007199254740993`, `9007199254740992`), fails: map[string]string{
		"23-unknown-vocabulary": "did not come out so",
	}},
	"drops unknown notifications": {reads: dropping(`"method":"runtime.weather"`), fails: map[string]string{
		"23-unknown-vocabulary": "was not handed out with its params as written",
	}},
	"takes an unknown end for success": {reads: replacing(`acme-budget`, `completed`), fails: map[string]string{
		"23-unknown-vocabulary": "runs.p1.outcome is",
	}},
	"reads an absent number as zero": {reads: replacing(`"inputTokens":120`, `"inputTokens":0`), fails: map[string]string{
		"12-resume-load-and-mismatch/resume": "usage.inputTokens is 0, expected 120",
	}},
	"announces a child late":    {reads: holding(`"subagent.started"`, `"subagent.finished"`)},
	"loses the end of a child":  {reads: dropping(`"subagent.finished"`)},
	"does not announce a child": {reads: dropping(`"subagent.started"`)},
	"merges a stranger":         {reads: replacing(`"stranger"`, `"kid"`)},
	"spoils a split character": {reads: replacing(`🎉`, `�`), fails: map[string]string{
		"18-huge-line-and-split-character": "runs.p1.finalText is",
	}},
}

// tree is a run that begins a child, next to a session that it did not begin.
func tree() *script {
	return newScript(2).run("p1", "s", "hi").init(allCaps()...).prompt("r1", "s", "hi").insert("s", 0, "m").receipt("r1", "m").start("s", 1).claim("s", 0, 1).
		s2c(`{"jsonrpc":"2.0","method":"subagent.started","params":{"parentSessionId":"s","childSessionId":"kid"}}`).
		insert("kid", 0, "k").start("stranger", 1).whole("kid", 1, "k", "from the kid").line(`{"t":"delay","ms":50}`).
		s2c(`{"jsonrpc":"2.0","method":"subagent.finished","params":{"provider":"x","agentId":"kid","parentSessionId":"s","childSessionId":"kid","status":"ok","stopReason":"completed"}}`).
		says("s", "parent").end("s", completed).bye()
}

// stoppedTree is a run that began two children; the cancel stops one of them.
func stoppedTree() *script {
	kid := func(what, id, more string) string {
		return `{"jsonrpc":"2.0","method":"subagent.` + what + `","params":{"parentSessionId":"s","childSessionId":"` + id + `"` + more + `}}`
	}
	return newScript(2).run("p1", "s", "hi").init(allCaps()...).prompt("r1", "s", "hi").insert("s", 0, "m").receipt("r1", "m").start("s", 1).claim("s", 0, 1).
		s2c(kid("started", "kid", "")).s2c(kid("started", "other", "")).
		host(`"do":"cancel","session":"s","as":"k"`).c2s(`{"id":"$c","method":"session/cancel"}`).
		s2c(kid("finished", "kid", `,"provider":"x","agentId":"kid","status":"error","stopReason":"aborted"`)).
		respond("c", `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":[]}`).end("s", stopped).bye()
}

// old is a turn that continues although it was interrupted.
func old() *script {
	return newScript(2).run("p1", "s", "one").init(allCaps()...).prompt("r1", "s", "one").insert("s", 0, "m1").receipt("r1", "m1").
		start("s", 1).claim("s", 0, 1).step("s", 1).user("s", "m1").delta("s", 0, "a").
		host(`"do":"interruptAndPrompt","session":"s","text":"now","as":"p2"`).
		c2s(`{"id":"$c","method":"session/cancel","params":{"sessionId":"s"}}`).respond("c", `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":[]}`).
		prompt("r2", "s", "now").insert("s", 0, "m2").receipt("r2", "m2").line(`{"t":"delay","ms":20}`).delta("s", 1, "old").delta("s", 2, "old").end("s", stopped).whole("s", 2, "m2", "new").bye()
}

// stubborn is a close of a runtime that does not go.
func stubborn() *script {
	return newScript(2).run("p1", "s", "one").init(allCaps()...).prompt("r1", "s", "one").host(`"do":"close"`).c2s(`{"method":"shutdown"}`).c2s(`{"method":"$/cancel_request"}`)
}

// TestWordsThatNoCaseUses plays a script that is about a word, with a client that is
// right and with one that is broken: the word must fail the script then, and say why.
func TestWordsThatNoCaseUses(t *testing.T) {
	for name, c := range map[string]struct {
		script *script
		expect string
		flaw   string // between the client and its peer
		broken breakage
		why    string
	}{
		"a child that is announced late": {
			script: tree(), flaw: "announces a child late",
			expect: `{"order":["subagent.started kid",{"sessionId":"kid"},{"sessionId":"kid","type":"turn/end"},"subagent.finished kid","p1 ended"]}`,
			why:    `order is [{"sessionId":"kid"},`,
		},
		"a child whose end is lost": {
			script: tree(), flaw: "loses the end of a child",
			expect: `{"order":["subagent.started kid","turn/end kid","subagent.finished kid","p1 ended"]}`,
			why:    `order is ["subagent.started kid","turn/end kid","p1 ended"]`,
		},
		"a tree without its child": {
			script: tree(), flaw: "does not announce a child",
			expect: `{"treeSessions":["kid","s"]}`,
			why:    `treeSessions is ["s"], expected ["kid","s"]`,
		},
		"a stranger in the tree": {
			script: tree(), flaw: "merges a stranger",
			expect: `{"excludedSessions":["stranger"]}`,
			why:    `excludedSessions is [], expected ["stranger"]`,
		},
		"a child that was stopped and runs": {
			script: stoppedTree(), flaw: "loses the end of a child",
			expect: `{"leftRunning":["other"],"cancels":{"k":{"leftRunning":["other"]}}}`,
			why:    `leftRunning is ["kid","other"], expected ["other"]`,
		},
		"an old turn that is heard": {
			script: old(), expect: `{"outputAfterInterrupt":0,"never":{"p1.joined":["aold","aoldold"]}}`,
			broken: breakage{interrupt: cancelAndPrompt}, why: "outputAfterInterrupt is 6, expected 0",
		},
		"a ladder that is not kept": {
			script: stubborn(), expect: `{"given":{"shutdownMs":100,"eofMs":100,"termMs":100,"killMs":100}}`,
			broken: breakage{ladder: func(c *process.Cmd) {
				c.Ladder = process.Ladder{Shutdown: 1200 * time.Millisecond, EOF: 1200 * time.Millisecond}
			}},
			why: "given took",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.script.passes(t, c.expect)
			o := testOptions()
			o.broken = c.broken
			if c.flaw != "" {
				o.Peer = append([]string{"/usr/bin/env", breakEnv + "=" + c.flaw}, o.Peer...)
			}
			r := c.script.play(t, c.expect, o)
			assert.False(t, r.Passed, r.Line())
			assert.Contains(t, r.Line(), c.why)
		})
	}
}

// cancelAndPrompt is how a host interrupted before its client did: what the old turn
// says after that is heard.
func cancelAndPrompt(s *harnessclient.Session, ctx context.Context, content []harness.ContentBlock, _ *harness.InterruptOptions) (*harnessclient.Turn, error) {
	stop, err := s.Cancel(ctx, nil)
	if err != nil {
		return nil, err
	}
	turn, err := s.Prompt(ctx, content, nil)
	if turn != nil {
		turn.Interrupted = stop
	}
	return turn, err
}

// brokenPeer runs a peer behind a flaw.
func brokenPeer(f flaw) int {
	var copies sync.WaitGroup
	through := func(from io.Reader, to *os.File, apply func(string) []string) {
		defer to.Close()
		r := bufio.NewReaderSize(from, 64<<10)
		for {
			line, err := r.ReadBytes('\n')
			lines := []string{string(line)}
			if text, whole := bytes.CutSuffix(line, []byte("\n")); whole && apply != nil {
				lines = apply(string(text))
				for i := range lines {
					lines[i] += "\n"
				}
			}
			for _, l := range lines {
				// A reader that is gone is noticed at the end of from.
				_, _ = to.WriteString(l)
			}
			if err != nil {
				return
			}
		}
	}
	pipe := func() (r, w *os.File) {
		r, w, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		return r, w
	}
	in, out := os.Stdin, os.Stdout
	inRead, inWrite := pipe()
	outRead, outWrite := pipe()
	os.Stdin, os.Stdout = inRead, outWrite
	go through(in, inWrite, f.writes) // ends with the process
	copies.Go(func() { through(outRead, out, f.reads) })
	code := PeerMain()
	_ = outWrite.Close()
	copies.Wait()
	return code
}

// TestABrokenClientFails plays each case that is about a flaw with a client
// that has it: the case must fail, and say why.
func TestABrokenClientFails(t *testing.T) {
	byName := map[string]*Case{}
	cases, _, err := Discover(filepath.Join("testdata", "cases"))
	require.NoError(t, err)
	for _, c := range cases {
		byName[c.Name()] = c
	}
	play := func(t *testing.T, flaw, name string) *Result {
		require.Contains(t, byName, name)
		o := testOptions()
		if flaw != noFlaw {
			o.Timeout = time.Second // what never comes is waited out
		}
		o.Peer = append([]string{"/usr/bin/env", breakEnv + "=" + flaw}, o.Peer...)
		r, err := Run(t.Context(), byName[name], o)
		require.NoError(t, err)
		return r
	}
	for name, f := range flaws {
		for of, why := range f.fails {
			t.Run(name+", "+of, func(t *testing.T) {
				r := play(t, name, of)
				assert.False(t, r.Passed, r.Line())
				assert.Contains(t, r.Line(), why)
			})
		}
	}
	// What stands between must not itself make a case fail.
	flawed := map[string]bool{}
	for _, f := range flaws {
		for of := range f.fails {
			flawed[of] = true
		}
	}
	for of := range flawed {
		t.Run("no flaw, "+of, func(t *testing.T) {
			r := play(t, noFlaw, of)
			assert.True(t, r.Passed, r.Line())
		})
	}
}
