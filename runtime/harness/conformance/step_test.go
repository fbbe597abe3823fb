// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStepsAreRead(t *testing.T) {
	steps, err := ParseSteps("f", []byte("\ufeff"+`{"t":"host","do":"run","session":"s","text":"x","as":"p1","slowHandlerMs":2}

{"t":"c2s","frame":{ "id": "$a", "method":"m" }}`+"\r\n"+`{"t":"s2c","raw":"garbage","eol":"\r\n"}
{"t":"s2c","frame":{"n":9007199254740993},"pad":{"token":"@","char":"y","bytes":3},"splitInsideEveryMultibyte":true}
{"t":"proc","do":"stderr","lines":["a","b"]}
{"t":"proc","do":"exit","code":134}
{"t":"delay","ms":5}
{"t":"quiet","ms":7}
`))
	require.NoError(t, err)
	require.Len(t, steps, 8)
	assert.Equal(t, "run", steps[0].Do)
	assert.Equal(t, 2, steps[0].SlowHandlerMs)
	assert.Equal(t, 3, steps[1].Line, "lines count from 1, blank ones too")
	assert.Equal(t, `{"id":"$a","method":"m"}`, string(steps[1].Frame))
	assert.Equal(t, "garbage", *steps[2].Raw)
	assert.Equal(t, "\r\n", *steps[2].EOL)
	assert.Equal(t, `{"n":9007199254740993}`, string(steps[3].Frame))
	assert.Equal(t, &Pad{Token: "@", Char: "y", Bytes: 3}, steps[3].Pad)
	assert.True(t, steps[3].SplitMultibyte)
	assert.Equal(t, 134, steps[5].Code)
	assert.Equal(t, 7, steps[7].Ms)
}

func TestWhatCannotBePlayedSaysWhereAndWhy(t *testing.T) {
	for text, why := range map[string]string{
		`{"t":"host","do":"run","session":"s"`: "f:1: not JSON",
		`[1]`:                                  "f:1: not a JSON object",
		`{"do":"run"}`:                         `f:1: no member "t"`,
		`{"t":"dance"}`:                        `f:1: unknown step "dance": there are c2s, delay, host, proc, quiet, s2c`,
		`{"t":"host","do":"dance","session":"s"}`:               `f:1: unknown host action "dance": there are cancel, close, closeSession, interruptAndPrompt, resume, run, wait`,
		`{"t":"host","session":"s"}`:                            `f:1: a host step needs "do": cancel, close, closeSession, interruptAndPrompt, resume, run, wait`,
		`{"t":"host","do":"run"}`:                               `f:1: a host run step needs "session"`,
		`{"t":"host","do":"cancel"}`:                            `f:1: a host cancel step needs "run" or "session"`,
		`{"t":"host","do":"close","colour":"red"}`:              `f:1: unknown member "colour" in a host close step, which takes t, do, as`,
		`{"t":"c2s"}`:                                           `f:1: a c2s step needs "frame"`,
		`{"t":"c2s","frame":"x"}`:                               `f:1: "frame" is not an object`,
		`{"t":"c2s","frame":{},"withColour":1}`:                 `f:1: unknown member "withColour" in a c2s step`,
		`{"t":"s2c"}`:                                           `f:1: an s2c step needs "frame" or "raw"`,
		`{"t":"s2c","frame":{},"raw":"x"}`:                      `f:1: an s2c step needs "frame" or "raw"`,
		`{"t":"s2c","raw":5}`:                                   `f:1: "raw" cannot be a JSON number`,
		`{"t":"s2c","frame":{},"pad":{"char":"x"}}`:             `f:1: "pad" needs a token`,
		`{"t":"proc","do":"dance"}`:                             `f:1: unknown proc action "dance": there are exit, stderr`,
		`{"t":"delay"}`:                                         `f:1: a delay step needs "ms"`,
		`{"t":"host","do":"wait","session":"s","queue":"drop"}`: `f:1: unknown member "queue" in a host wait step, which takes t, do, session, as`,
		`{"t":"s2c","raw":"x","pad":{"token":"x","colour":1}}`:  `f:1: unknown field "colour"`,
		`{"t":"delay","ms":-1}`:                                 `f:1: "ms" must not be negative`,
		`{"t":"quiet","ms":1,"ms":2}`:                           `f:1: member "ms" twice`,
		"\n\n" + `{"t":"delay","ms":1} {"t":"delay"}`:           `f:3: not JSON: invalid character '{' after top-level value`,
		"{\"t\":\"delay\",\"ms\":1}\n" + "{\"t\":\xff}":         "f:2: not UTF-8",
		"": "f: no steps",
	} {
		_, err := ParseSteps("f", []byte(text))
		var se *SyntaxError
		require.ErrorAs(t, err, &se, "%s", text)
		assert.Contains(t, err.Error(), why)
	}
}

func TestVariantsHaveTheirOwnExpectations(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "08-queue")
	write(t, dir, "wire.drop.jsonl", `{"t":"delay","ms":1}`)
	write(t, dir, "wire.keep.jsonl", `{"t":"delay","ms":1}`)
	write(t, dir, "expect.json", `{"layer":"client","mustNotHang":true,"drop":{"initializeCount":1,"log":{"x":1}},"keep":{"initializeCount":2}}`)
	cases, others, err := Discover(filepath.Dir(dir))
	require.NoError(t, err)
	assert.Empty(t, others)
	require.Len(t, cases, 2)
	assert.Equal(t, "08-queue/drop", cases[0].Name())
	assert.Equal(t, "08-queue/keep", cases[1].Name())
	assert.Equal(t, []string{"initializeCount", "mustNotHang"}, sortedKeys(cases[0].Expect.tree))
	assert.Equal(t, "1", encode(cases[0].Expect.tree["initializeCount"]))
	assert.Equal(t, "2", encode(cases[1].Expect.tree["initializeCount"]))
	require.Len(t, cases[0].Expect.skipped, 1)
	assert.Contains(t, cases[0].Expect.skipped[0], "log: ")
	assert.Equal(t, "expect.json:1: initializeCount", cases[1].Expect.at("initializeCount"))
}

func TestFoldersThatAreNotCasesAreNamed(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "01-a"), "wire.jsonl", `{"t":"delay","ms":1}`)
	write(t, filepath.Join(dir, "01-a"), "expect.json", `{"mustNotHang":true}`)
	write(t, filepath.Join(dir, "14-log"), "session.jsonl", `{}`)
	cases, others, err := Discover(dir)
	require.NoError(t, err)
	require.Len(t, cases, 1)
	assert.Equal(t, []string{filepath.Join(dir, "14-log")}, others)

	_, _, err = Discover(filepath.Join(dir, "14-log"))
	assert.ErrorContains(t, err, "no wire*.jsonl")
	_, _, err = Discover(filepath.Join(dir, "nowhere"))
	assert.ErrorContains(t, err, "nowhere")
}

func TestBadExpectationsSayTheLine(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "wire.jsonl", `{"t":"delay","ms":1}`)
	write(t, dir, "expect.json", "{\n\"runs\": {,}\n}")
	cases, _, err := Discover(dir)
	require.NoError(t, err)
	require.Len(t, cases, 1)
	assert.ErrorContains(t, cases[0].Err, "expect.json:2: ")

	write(t, dir, "expect.json", "{}")
	write(t, dir, "wire.jsonl", "{\"t\":\"delay\",\"ms\":1}\n{\"t\":\"dance\"}")
	cases, _, err = Discover(dir)
	require.NoError(t, err)
	assert.ErrorContains(t, cases[0].Err, "wire.jsonl:2: unknown step")
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}
