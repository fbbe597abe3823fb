// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// verdictsOf checks an expectation against what a made-up script showed.
func verdictsOf(t *testing.T, text string, s *seen) string {
	t.Helper()
	e, err := parseExpect("expect.json", []byte(text))
	require.NoError(t, err)
	var out []string
	for _, v := range e.forVariant(nil, "").check(s) {
		if v.why != "" {
			out = append(out, v.path+" "+v.why)
		}
	}
	return strings.Join(out, "\n")
}

func over(a *action) *action {
	a.done = make(chan struct{})
	if a.step == nil {
		a.step = &HostStep{Do: a.do}
	}
	if a.started.IsZero() {
		a.started = time.Now().Add(-10 * time.Millisecond)
	}
	a.end()
	return a
}

func scene() *seen {
	p1 := over(&action{name: "p1", do: "run", session: "s", outcome: "completed", text: "hello", turn: 2, usage: json.RawMessage(`{"inputTokens":3,"outputTokens":1}`)})
	p2 := over(&action{name: "p2", do: "run", session: "s", outcome: "error", err: &seenError{kind: "connection-lost", stderrTail: []string{"a", "FATAL", "last"}}})
	k1 := over(&action{name: "k1", do: "cancel", session: "s", members: map[string]any{"effect": "stopping", "withdrawn": []any{}}})
	w1 := over(&action{name: "w1", do: "wait", session: "s", members: map[string]any{"idle": true, "seq": json.Number("7")}})
	return &seen{
		actions: []*action{p1, p2, k1, w1}, named: map[string]*action{"p1": p1, "p2": p2, "k1": k1, "w1": w1},
		launches: 1, frames: map[string]int{"initialize": 1, "session/prompt": 2}, closed: map[string]string{"s": "clean"}, closedBefore: map[string]string{"s": "clean"},
	}
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
		`{"runs":{"p1":{"oneOf":[{"turn":5},{"turn":2}]}}}`,
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
		`{"runs":{"p1":{"usage":{"inputTokens":4}}}}`:                  "member inputTokens is 3, expected 4",
		`{"runs":{"p2":{"stderrTail":["FATAL"]}}}`:                     "expected",
		`{"cancels":{"k1":"idle"}}`:                                    `cancels.k1 is "stopping", expected "idle"`,
		`{"never":{"p1.finalText":"hello"}}`:                           "must never be",
		`{"never":{"p1.turn":[1,2]}}`:                                  "must never be",
		`{"oneOf":[{"runs":{"p1":{"turn":1}}},{"initializeCount":4}]}`: "oneOf none holds: (1) runs.p1.turn is 2, expected 1 (2) initializeCount",
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

// TestOutputAfterACancel counts what the consumer got after the call returned,
// and nothing of a run that began later.
func TestOutputAfterACancel(t *testing.T) {
	s := scene()
	p1, p2, k1 := s.named["p1"], s.named["p2"], s.named["k1"]
	p1.started, k1.started, p2.started = time.UnixMilli(1), time.UnixMilli(2), time.UnixMilli(4)
	k1.ended = time.UnixMilli(3)
	p1.deltas, p1.heard = []string{"early", "late", "last"}, []time.Time{time.UnixMilli(2), time.UnixMilli(4), time.UnixMilli(5)}
	p2.deltas, p2.heard = []string{"new"}, []time.Time{time.UnixMilli(6)}
	assert.Empty(t, verdictsOf(t, `{"outputAfterHostCancel":8}`, s))
	assert.Contains(t, verdictsOf(t, `{"outputAfterHostCancel":0}`, s), "is 8, expected 0")
	delete(s.named, "k1")
	s.actions = []*action{p1, p2}
	assert.Contains(t, verdictsOf(t, `{"outputAfterHostCancel":0}`, s), "is null", "no cancel was played")
}

func TestUnknownExpectationsAreSaid(t *testing.T) {
	for _, text := range []string{
		`{"colour":"red"}`, `{"ignored":{"colour":1}}`, `{"ignored":{"blank":0}}`, `{"anyOf":[{}]}`, `{"runs":{"p1":{"colour":"red"}}}`, `{"never":{"p1.colour":"red"}}`, `{"never":["x"]}`,
		`{"oneOf":[{"colour":"red"}]}`, `{"limits":{"colour":1}}`, `{"limits":{"overLimit":null}}`, `{"unknownNotification":"dropped"}`, `{"runs":[1]}`,
	} {
		assert.Contains(t, verdictsOf(t, text, scene()), "NOT CHECKED", "%s", text)
	}
}

func TestValuesThatRoundTrip(t *testing.T) {
	s := scene()
	s.written = []writtenFrame{{text: []byte(`{"params":{"traceId":"t","event":{"content":[{"type":"acme-chart","points":[1,2]}],"y":9007199254740993}}}`)}}
	s.events = []seenEvent{{params: []byte(`{"traceId":"t","event":{"content":[{"type":"acme-chart","points":[1,2]}],"y":9007199254740993}}`)}}
	assert.Empty(t, verdictsOf(t, `{"roundTripByteEqualValues":["traceId","acme-chart block","9007199254740993"]}`, s))
	s.events[0].params = []byte(`{"content":[{"type":"acme-chart","points":[1, 2]}],"y":9007199254740992}`)
	got := verdictsOf(t, `{"roundTripByteEqualValues":["acme-chart block","9007199254740993"]}`, s)
	assert.Equal(t, 2, strings.Count(got, "did not come out so"), got)
}
