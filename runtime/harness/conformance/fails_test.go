// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestThePlayerFails alters cases that pass, and says why each must not.
func TestThePlayerFails(t *testing.T) {
	for name, c := range map[string]struct {
		folder   string
		old, new string // in the script or in expect.json
		why      string
	}{
		"another text":          {"01-receipt-before-response", `"finalText": "hello"`, `"finalText": "noted the job"`, `runs.p1.finalText is "hello", expected "noted the job"`},
		"another turn":          {"01-receipt-before-response", `"turn": 2`, `"turn": 1`, "runs.p1.turn is 2, expected 1"},
		"another interval":      {"01-receipt-before-response", `"firstEventSeq": 1`, `"firstEventSeq": 0`, "runs.p1.firstEventSeq is 1, expected 0"},
		"a run that hangs":      {"01-receipt-before-response", `{"turn":2,"reason":{"kind":"completed"}}`, `{"turn":7,"reason":{"kind":"completed"}}`, `runs.p1.outcome is`},
		"a member that is not":  {"01-receipt-before-response", `"sessionId":"sess-a","contentBlocks"`, `"sessionId":"sess-a","colour":1,"contentBlocks"`, "wire.jsonl:4: the client sent"},
		"no frame at all":       {"01-receipt-before-response", `{"t":"host","do":"close"}`, `{"t":"delay","ms":1}`, "the client sent nothing for"},
		"an unknown key":        {"01-receipt-before-response", `"mustNotHang": true`, `"mustNotSing": true`, "expect.json:11: mustNotSing: NOT CHECKED: the player does not know this expectation; it knows a host step's name, autoRestart, "},
		"the second answer":     {"03-two-prompts-one-idle", `"p1.finalText": "ANSWER-TWO"`, `"p1.finalText": "ANSWER-ONE"`, "never.p1.finalText is"},
		"neither alternative":   {"03-two-prompts-one-idle", `"turn": 2`, `"turn": 9`, "oneOf none holds"},
		"another partial text":  {"05-cancel-mid-stream", "one, two, three\",\n", "one\",\n", "runs.p1.partialText"},
		"a gap":                 {"05-cancel-mid-stream", `"type":"turn/start","seq":9,`, `"type":"turn/start","seq":10,`, "seqContiguous is false"},
		"another effect":        {"06-cancel-twice-and-when-idle", `"k2": "already-stopping"`, `"k2": "stopping"`, "cancels.k2 is"},
		"not withdrawn":         {"08-cancel-and-the-queue", `,"outcome":"canceled"`, ``, "runs.p2.outcome"},
		"nothing waits":         {"08-cancel-and-the-queue", `"m-2"` + "\n", `"m-9"` + "\n", `idleWithPendingMessageIds is ["m-2"]`},
		"a write in the quiet":  {"08-cancel-and-the-queue", `{"t":"quiet","ms":300}`, `{"t":"host","do":"cancel","session":"sess-a","as":"k9"}` + "\n" + `{"t":"quiet","ms":300}`, "the client wrote in a quiet of 300 ms"},
		"another session":       {"10-cancel-is-per-session", `"sess-a"` + "\n", `"sess-b"` + "\n", `closed is ["sess-a"]`},
		"another kind":          {"11-session-id-already-on-disk", `"error": "session-exists"`, `"error": "internal"`, `runs.p1.error is "session-exists"`},
		"asked twice":           {"11-session-id-already-on-disk", `"retried": false`, `"retried": true`, "runs.p1.retried is false"},
		"another capability":    {"12-resume-load-and-mismatch", `"capability": "session.resume"`, `"capability": "session.load"`, "capability"},
		"other usage":           {"12-resume-load-and-mismatch", `"inputTokens": 120`, `"inputTokens": 220`, "usage.inputTokens is 120"},
		"less history":          {"12-resume-load-and-mismatch", `"replayedEvents": 9`, `"replayedEvents": 8`, "replayedEvents is 9"},
		"a smaller result":      {"18-huge-line-and-split-character", `"bytes":12582912`, `"bytes":12582911`, "toolResultBytes is 12582911"},
		"a delta more":          {"20-ordered-delivery", `"deltas": 60`, `"deltas": 61`, "deltas is 60"},
		"too early":             {"20-ordered-delivery", `"promptFutureResolvesAfterDelta": 30`, `"promptFutureResolvesAfterDelta": 61`, "expected at least 61"},
		"another exit code":     {"21-runtime-dies-mid-turn", `"code":134`, `"code":135`, "runs.p1.exitCode is 135"},
		"another last word":     {"21-runtime-dies-mid-turn", `"last words"]`, `"other words"]`, "stderrTail"},
		"an event more":         {"21-runtime-dies-mid-turn", `"eventsSeen": 6`, `"eventsSeen": 7`, "runs.p1.eventsSeen is 6"},
		"success made of other": {"23-unknown-vocabulary", `"outcome": "other"`, `"outcome": "completed"`, `runs.p1.outcome is "other"`},
		"output after a cancel": {"05-cancel-mid-stream", `"initializeCount": 1`, `"outputAfterHostCancel": 5`, "outputAfterHostCancel is 0, expected 5"},
		"a slow cancel":         {"05-cancel-mid-stream", `"initializeCount": 1`, `"hostCancelReturnsWithinMs": 0`, "hostCancelReturnsWithinMs took"},
		"a slow close":          {"05-cancel-mid-stream", `"initializeCount": 1`, `"closeReturnsWithinMs": 0`, "closeReturnsWithinMs took"},
		"a second close":        {"05-cancel-mid-stream", `"initializeCount": 1`, `"secondCloseIsNoop": false`, "secondCloseIsNoop is true"},
		"nothing was ignored":   {"05-cancel-mid-stream", `"initializeCount": 1`, `"ignored": {"malformed": 1}`, "ignored.malformed is 0, expected 1"},
		"no blank line":         {"05-cancel-mid-stream", `"initializeCount": 1`, `"ignored": {"blank": 1}`, "ignored.blank is 0, expected 1"},
		"an unknown kind":       {"05-cancel-mid-stream", `"initializeCount": 1`, `"ignored": {"loud": 0}`, "ignored.loud: NOT CHECKED"},
		"no diagnostics":        {"05-cancel-mid-stream", `"initializeCount": 1`, `"reportedToDiagnostics": true`, "reportedToDiagnostics is false"},
		"an alias of old":       {"05-cancel-mid-stream", `"initializeCount": 1`, `"closeWithinMs": 1000`, "closeWithinMs: NOT CHECKED"},
		"a frame within":        {"01-receipt-before-response", `{"t":"host","do":"close"}`, `{"t":"c2s","within":20,"frame":{"method":"shutdown"}}`, "the client sent nothing for 20ms"},
		"a value nobody wrote":  {"23-unknown-vocabulary", `"traceId",`, `"traceId", "spanId",`, `"spanId"`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			altered := 0
			entries, err := os.ReadDir(filepath.Join("testdata", "cases", c.folder))
			require.NoError(t, err)
			for _, e := range entries {
				if e.IsDir() {
					continue
				}
				data, err := os.ReadFile(filepath.Join("testdata", "cases", c.folder, e.Name()))
				require.NoError(t, err)
				text := strings.Replace(string(data), c.old, c.new, 1)
				if text != string(data) {
					altered++
				}
				require.NoError(t, os.WriteFile(filepath.Join(dir, e.Name()), []byte(text), 0o600))
			}
			require.NotZero(t, altered, "nothing was altered")
			opts := testOptions()
			if strings.Contains(c.why, "nothing") || strings.Contains(c.why, "outcome") {
				opts.Timeout = time.Second // it is waited out
			}
			var lines []string
			s, err := Play(t.Context(), []string{dir}, opts, func(r *Result) { lines = append(lines, r.Line()) })
			require.NoError(t, err)
			assert.NotZero(t, s.Failed)
			assert.Contains(t, strings.Join(lines, "\n"), c.why)
		})
	}
}

// TestARuntimeOfItsOwn launches fake-runtime.sh instead of a player.
func TestARuntimeOfItsOwn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "30-own")
	write(t, dir, "fake-runtime.sh", `#!/bin/sh
read line
echo '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"r","version":"1"}}}'
read line
echo "cannot go on" >&2
exit 6
`)
	write(t, dir, "expect.json", `{"layer":"client","runs":{"p1":{"outcome":"error","error":"connection-lost","exitCode":6,"stderrTail":["cannot go on"]}}}`)
	s, err := Play(t.Context(), []string{dir}, testOptions(), func(r *Result) { assert.True(t, r.Passed, r.Line()) })
	require.NoError(t, err)
	assert.Equal(t, "1 passed, 0 failed", s.Line())

	write(t, dir, "wire.jsonl", `{"t":"host","do":"run","session":"s","text":"x","as":"p1"}`)
	s, err = Play(t.Context(), []string{dir}, testOptions(), func(r *Result) { assert.True(t, r.Passed, r.Line()) })
	require.NoError(t, err)
	assert.Equal(t, 1, s.Passed)

	// One that will not go, with a child that holds its pipes.
	write(t, dir, "fake-runtime.sh", `#!/bin/sh
trap '' TERM
sleep 600 &
read line
echo '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"r","version":"1"}}}'
while :; do read line || sleep 1; done
`)
	write(t, dir, "wire.jsonl", `{"t":"host","do":"wait","session":"s","as":"w"}
{"t":"delay","ms":50}
{"t":"host","do":"close"}`)
	write(t, dir, "expect.json", `{"layer":"client","w":{"error":"connection-lost"},"closeReturnsWithinMs":9000,"survivingProcesses":0}`)
	s, err = Play(t.Context(), []string{dir}, testOptions(), func(r *Result) { assert.True(t, r.Passed, r.Line()) })
	require.NoError(t, err)
	assert.Equal(t, 1, s.Passed)

	write(t, dir, "wire.jsonl", `{"t":"c2s","frame":{}}`)
	s, err = Play(t.Context(), []string{dir}, testOptions(), func(r *Result) {
		assert.Contains(t, r.Line(), "wire.jsonl:1: a c2s step needs the player")
	})
	require.NoError(t, err)
	assert.Equal(t, 1, s.Broken)
}

// TestARuntimeOfItsOwnIsNotWatched says what cannot be known of a runtime whose
// frames are not seen, and what can.
func TestARuntimeOfItsOwnIsNotWatched(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "31-own")
	play := func(expect string) *Result {
		write(t, dir, "expect.json", expect)
		var got *Result
		opts := testOptions()
		opts.Timeout = time.Second
		_, err := Play(t.Context(), []string{dir}, opts, func(r *Result) { got = r })
		require.NoError(t, err)
		return got
	}
	write(t, dir, "fake-runtime.sh", `#!/bin/sh
read line
echo '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"r","version":"1"}}}'
read line
echo '{"jsonrpc":"2.0","id":2,"error":{"code":-32050,"message":"not today","data":{"why":"rain"}}}'
read line
exit 0
`)
	r := play(`{"layer":"client","runs":{"p1":{"outcome":"error","code":-32050,"why":"rain"}},"processRestarts":0,"autoRestart":false}`)
	assert.True(t, r.Passed, r.Line())
	r = play(`{"layer":"client","runs":{"p1":{"outcome":"error","retried":false}},"framesFromClient":{"session/load":0},"initializeCount":1}`)
	assert.Len(t, r.NotChecked, 3, r.Line())
	assert.False(t, r.Passed)
	assert.False(t, play(`{"layer":"client","processRestarts":1}`).Passed)

	// One that never answers is given up, and ended.
	write(t, dir, "fake-runtime.sh", "#!/bin/sh\nexec sleep 600\n")
	r = play(`{"layer":"client","runs":{"p1":{"outcome":"error","error":"timeout"}},"survivingProcesses":0,"mustNotHang":true}`)
	assert.True(t, r.Passed, r.Line())

	// One that does not go takes longer to end than a step may take.
	write(t, dir, "fake-runtime.sh", `#!/bin/sh
trap '' TERM
read line
echo '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"r","version":"1"}}}'
while :; do read line || sleep 0.1; done
`)
	write(t, dir, "wire.jsonl", `{"t":"host","do":"run","session":"s","text":"x","as":"p1"}
{"t":"delay","ms":50}
{"t":"host","do":"close"}`)
	r = play(`{"layer":"client","runs":{"p1":{"outcome":"error","error":"connection-lost"}},"closeReturnsWithinMs":9500,"survivingProcesses":0}`)
	assert.True(t, r.Passed, r.Line())
}
