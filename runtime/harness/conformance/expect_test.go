// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
)

// verdictsOf checks an expectation against what a made-up script showed.
func verdictsOf(t *testing.T, text string, r *record) string {
	t.Helper()
	e, err := parseExpect("expect.json", []byte(text))
	require.NoError(t, err)
	e = e.forVariant(nil, "")
	var out []string
	for _, v := range e.check(r) {
		if v.why != "" {
			out = append(out, e.at(v.path)+v.why)
		}
	}
	return strings.Join(out, "\n")
}

// scene is a script that showed two runs, a cancel and a wait, each 10 ms long.
func scene() *record {
	r := newRecord()
	act := func(do, name string, tree map[string]any) {
		a := newAction(&Step{Kind: kindHost, Do: do, As: name, Session: "s"})
		a.tree, a.begun, a.started = tree, len(r.moments), time.Now().Add(-10*time.Millisecond)
		r.actions = append(r.actions, a)
		r.add(acted, nil, nil)
		r.end(a)
	}
	r.launches = 1
	r.add(sent, []byte(`{"id":1,"method":"initialize"}`), nil)
	r.add(sent, []byte(`{"id":2,"method":"session/prompt","params":{"sessionId":"s"}}`), nil)
	r.add(sent, []byte(`{"id":3,"method":"session/prompt","params":{"sessionId":"s"}}`), nil)
	act("run", "p1", map[string]any{"outcome": "completed", "finalText": "hello", "turn": int64(2), "usage": json.RawMessage(`{"inputTokens":3,"outputTokens":1}`)})
	act("run", "p2", map[string]any{"outcome": "error", "error": "connection-lost", "stderrTail": []string{"a", "FATAL", "last"}})
	act("cancel", "k1", map[string]any{"effect": "stopping", "withdrawn": []any{}})
	act("wait", "w1", map[string]any{"idle": true, "seq": json.Number("7")})
	r.handOut("session.closed", &harness.SessionClosed{SessionID: "s", Outcome: "clean"}, &harness.SessionClosed{SessionID: "s", Outcome: "clean"})
	return r
}

func TestExpectationsThatHold(t *testing.T) {
	for _, text := range []string{
		`{"runs":{"p1":{"outcome":"completed","finalText":"hello","turn":2,"usage":{"inputTokens":3},"endReason":null,"withinMs":5000}}}`,
		`{"runs":{"p1":"completed"},"cancels":{"k1":"stopping"}}`,
		`{"cancels":{"k1":{"effect":"stopping","withdrawn":[]}}}`,
		`{"p1":{"outcome":"completed"}}`,
		`{"wait":{"lastSeq":7,"idle":true},"waits":{"w1":{"seq":7}}}`,
		`{"runs":{"p2":{"error":"connection-lost","stderrTail":["FATAL","last"],"turn":null}}}`,
		`{"never":{"p1.finalText":"other","runs.p1.turn":[1,3],"initializeCount":2}}`,
		`{"oneOf":[{"runs":{"p1":{"turn":1}}},{"runs":{"p1":{"turn":2}}}]}`,
		`{"initializeCount":1,"processRestarts":0,"autoRestart":false,"framesFromClient":{"session/prompt":2,"session/load":0}}`,
		`{"closed":["s"]}`, `{"closed":{"s":"clean"}}`, `{"mustNotHang":true}`,
	} {
		assert.Empty(t, verdictsOf(t, text, scene()), "%s", text)
	}
}

func TestExpectationsThatDoNotHold(t *testing.T) {
	for text, why := range map[string]string{
		`{"runs":{"p1":{"finalText":"bye"}}}`:                          `runs.p1.finalText is "hello", expected "bye"`,
		`{"runs":{"p1":{"turn":null}}}`:                                `runs.p1.turn is 2, expected null`,
		`{"runs":{"p1":{"withinMs":1}}}`:                               "runs.p1.withinMs took",
		`{"runs":{"p9":{"turn":1}}}`:                                   "runs.p9 no host step of that name",
		`{"runs":{"k1":{"turn":1}}}`:                                   "runs.k1 is a cancel",
		`{"runs":{"p1":{"usage":{"inputTokens":4}}}}`:                  "runs.p1.usage.inputTokens is 3, expected 4",
		`{"runs":{"p2":{"stderrTail":["FATAL"]}}}`:                     "expected",
		`{"cancels":{"k1":"idle"}}`:                                    `cancels.k1 is "stopping", expected "idle"`,
		`{"never":{"p1.finalText":"hello"}}`:                           "must never be",
		`{"never":{"p1.turn":[1,2]}}`:                                  "must never be",
		`{"oneOf":[{"runs":{"p1":{"turn":1}}},{"initializeCount":4}]}`: "oneOf none holds: oneOf[0].runs.p1.turn is 2, expected 1; oneOf[1].initializeCount is 1, expected 4",
		`{"initializeCount":2}`:                                        "initializeCount is 1, expected 2",
		`{"framesFromClient":{"session/prompt":1}}`:                    "framesFromClient.session/prompt is 2, expected 1",
		`{"closed":[]}`:                                                `closed is ["s"], expected []`,
		`{"secondCloseIsNoop":true}`:                                   "secondCloseIsNoop is false",
		`{"hostCancelReturnsWithinMs":1}`:                              "hostCancelReturnsWithinMs took",
		`{"closeReturnsWithinMs":1}`:                                   "no close was played",
		`{"reportedToDiagnostics":{"malformed line":1}}`:               "is 0, expected 1",
		`{"noEventsDuringQuiet":true}`:                                 "noEventsDuringQuiet is false",
		`{"unknownNotification":"delivered raw"}`:                      "writes no unknown notification",
		`{"roundTripByteEqualValues":["lang member"]}`:                 "writes no member",
	} {
		assert.Contains(t, verdictsOf(t, text, scene()), why, "%s", text)
	}
}

// TestOutputAfterAStop counts what the consumer got after the call returned,
// and nothing of a run that began later.
func TestOutputAfterAStop(t *testing.T) {
	for do, word := range map[string]string{"cancel": "outputAfterHostCancel", "interruptAndPrompt": "outputAfterInterrupt"} {
		r := scene()
		p1, p2, k1 := r.actions[0], r.actions[1], r.actions[2]
		k1.Do, k1.returned = do, time.UnixMilli(3)
		p2.begun = k1.begun + 1
		p1.heard = []heard{{"early", time.UnixMilli(2)}, {"late", time.UnixMilli(4)}, {"last", time.UnixMilli(5)}}
		p2.heard = []heard{{"new", time.UnixMilli(6)}}
		assert.Empty(t, verdictsOf(t, `{"`+word+`":8}`, r))
		assert.Contains(t, verdictsOf(t, `{"`+word+`":0}`, r), "is 8, expected 0")
		// The handler is a consumer too; what both got counts once.
		r.handOut("session.delta", &harness.SessionDelta{SessionID: "s", Turn: 2, Kind: harness.DeltaText, Text: "old words"}, nil)
		assert.Contains(t, verdictsOf(t, `{"`+word+`":0}`, r), "is 9, expected 0")
		r.actions = []*action{p1, p2}
		assert.Contains(t, verdictsOf(t, `{"`+word+`":0}`, r), "is null", "no such stop was played")
	}
}

func TestUnknownExpectationsAreSaid(t *testing.T) {
	for _, text := range []string{
		`{"colour":"red"}`, `{"ignored":{"colour":1}}`, `{"ignored":{"blank":0}}`, `{"anyOf":[{}]}`, `{"status":{}}`, `{"launches":1}`, `{"order":["x",1]}`, `{"order":[]}`, `{"treeSessions":"s"}`, `{"given":{"termMs":5}}`, `{"given":{"colour":5}}`, `{"given":7}`, `{"runs":{"p1":{"colour":"red"}}}`, `{"never":{"p1.colour":"red"}}`, `{"never":["x"]}`,
		`{"oneOf":[{"colour":"red"}]}`, `{"limits":{"colour":1}}`, `{"limits":{"overLimit":null}}`, `{"unknownNotification":"dropped"}`, `{"runs":[1]}`,
	} {
		assert.Contains(t, verdictsOf(t, text, scene()), "NOT CHECKED", "%s", text)
	}
}

func TestValuesThatRoundTrip(t *testing.T) {
	s := scene()
	s.add(written, []byte(`{"params":{"traceId":"t","event":{"content":[{"type":"acme-chart","points":[1,2]}],"y":9007199254740993}}}`), nil)
	s.add(handed, []byte(`{"traceId":"t","event":{"content":[{"type":"acme-chart","points":[1,2]}],"y":9007199254740993}}`), nil)
	assert.Empty(t, verdictsOf(t, `{"roundTripByteEqualValues":["traceId","acme-chart block","9007199254740993"]}`, s))
	s.moments[len(s.moments)-1].text = []byte(`{"content":[{"type":"acme-chart","points":[1, 2]}],"y":9007199254740992}`)
	got := verdictsOf(t, `{"roundTripByteEqualValues":["acme-chart block","9007199254740993"]}`, s)
	assert.Equal(t, 2, strings.Count(got, "did not come out so"), got)
}
