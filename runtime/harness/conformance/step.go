// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kinds of steps: member t of a line.
const (
	kindHost  = "host"  // the embedding program does something
	kindC2S   = "c2s"   // the client must send this frame next
	kindS2C   = "s2c"   // the runtime writes this
	kindProc  = "proc"  // the runtime's process does something
	kindDelay = "delay" // wait
	kindQuiet = "quiet" // wait, and neither side may write
)

// words are the members that each kind of step takes, and before the bar those that
// it needs. They are all the words of a script.
var words = map[string]string{
	"host run":                "session | as text ifStored delivery slowHandlerMs",
	"host cancel":             "| as session run queue waitFor turn",
	"host resume":             "session | as",
	"host closeSession":       "session | as",
	"host wait":               "session | as",
	"host interruptAndPrompt": "session | as text queue",
	"host close":              "| as",
	"c2s":                     "frame | within",
	"s2c":                     "| frame raw eol pad splitInsideEveryMultibyte",
	"proc stderr":             "lines |",
	"proc exit":               "| code",
	"delay":                   "ms |",
	"quiet":                   "ms |",
}

// Step is one line of a script. Exactly the members of its kind are set.
type Step struct {
	Line int    `json:"-"` // 1-based line in the script
	text string // the line as written

	Kind string `json:"t"`
	Do   string `json:"do"` // host, proc

	As            string `json:"as"`
	Session       string `json:"session"`
	Run           string `json:"run"` // cancel: the run to stop, by its name
	Text          string `json:"text"`
	IfStored      string `json:"ifStored"`
	Delivery      string `json:"delivery"`
	Queue         string `json:"queue"`
	WaitFor       string `json:"waitFor"`
	Turn          int64  `json:"turn"`
	SlowHandlerMs int    `json:"slowHandlerMs"`

	Frame  json.RawMessage `json:"frame"`  // c2s, s2c; compacted
	Within int             `json:"within"` // ms that the frame may take; 0: as long as the player waits
	Raw    *string         `json:"raw"`
	EOL    *string         `json:"eol"` // nil means "\n"
	Pad    *Pad            `json:"pad"`
	// SplitMultibyte writes the line in pieces that cut every multibyte character.
	SplitMultibyte bool `json:"splitInsideEveryMultibyte"`

	Lines []string `json:"lines"` // proc stderr
	Code  int      `json:"code"`  // proc exit
	Ms    int      `json:"ms"`    // delay, quiet
}

// Pad puts Bytes bytes of Char in place of every Token of a line.
type Pad struct {
	Token string `json:"token"`
	Char  string `json:"char"`
	Bytes int    `json:"bytes"`
}

// SyntaxError is a case that cannot be read: where, and why.
type SyntaxError struct {
	File string
	Line int // 1-based; 0 when the file as a whole is meant
	Why  string
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Why)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Why)
}

// ParseSteps reads a script. Blank lines are skipped; the first line that
// cannot be played is a *SyntaxError.
func ParseSteps(file string, data []byte) ([]Step, error) {
	var steps []Step
	for n, line := range bytes.Split(data, []byte("\n")) {
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		if len(line) == 0 {
			continue
		}
		s := Step{Line: n + 1, text: string(line)}
		if err := s.parse(line); err != nil {
			return nil, &SyntaxError{File: file, Line: n + 1, Why: err.Error()}
		}
		steps = append(steps, s)
	}
	if len(steps) == 0 {
		return nil, &SyntaxError{File: file, Why: "no steps: a script needs at least one line with a member t"}
	}
	return steps, nil
}

func (s *Step) parse(line []byte) error {
	if !utf8.Valid(line) {
		return errors.New("not UTF-8")
	}
	m, err := members(line)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields() // of pad; those of the step are checked by their exact names
	decodeErr := d.Decode(s)
	if err := s.checkWords(m); err != nil {
		return err
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(decodeErr, &wrong) {
		return fmt.Errorf("%q cannot be a JSON %s", wrong.Field, wrong.Value)
	}
	if decodeErr != nil {
		return errors.New(strings.TrimPrefix(decodeErr.Error(), "json: "))
	}
	return s.check(m)
}

// checkWords reports a step that is not known, a member that its kind does not take,
// and one that it needs.
func (s *Step) checkWords(m map[string]json.RawMessage) error {
	if m["t"] == nil {
		return errors.New(`no member "t": say ` + kindsOfSteps(""))
	}
	key := s.Kind
	known := []string{"t"}
	if s.Kind == kindHost || s.Kind == kindProc {
		if s.Do == "" {
			return fmt.Errorf(`a %s step needs "do": %s`, s.Kind, kindsOfSteps(s.Kind))
		}
		key += " " + s.Do
		known = append(known, "do")
	}
	all, ok := words[key]
	switch {
	case ok:
	case len(known) > 1:
		return fmt.Errorf("unknown %s action %q: there are %s", s.Kind, s.Do, kindsOfSteps(s.Kind))
	default:
		return fmt.Errorf("unknown step %q: there are %s", s.Kind, kindsOfSteps(""))
	}
	needs, may, _ := strings.Cut(all, "|")
	known = slices.Concat(known, strings.Fields(needs), strings.Fields(may))
	for _, k := range sortedKeys(m) {
		if !slices.Contains(known, k) {
			return fmt.Errorf("unknown member %q in a %s step, which takes %s", k, key, strings.Join(known, ", "))
		}
	}
	for _, k := range strings.Fields(needs) {
		if m[k] == nil {
			return fmt.Errorf("a %s step needs %q", key, k)
		}
	}
	return nil
}

// kindsOfSteps are the kinds of steps or, with one of them, its actions.
func kindsOfSteps(of string) string {
	var names []string
	for _, key := range sortedKeys(words) {
		kind, do, _ := strings.Cut(key, " ")
		switch {
		case of == "" && !slices.Contains(names, kind):
			names = append(names, kind)
		case of == kind:
			names = append(names, do)
		}
	}
	return strings.Join(names, ", ")
}

func (s *Step) check(m map[string]json.RawMessage) error {
	switch {
	case s.Frame != nil && s.Frame[0] != '{' && s.Frame[0] != '[':
		return errors.New(`"frame" is not an object; use "raw" for other text`)
	case s.Kind == kindS2C && (s.Raw == nil) == (s.Frame == nil):
		return errors.New(`an s2c step needs "frame" or "raw", and only one of them`)
	case s.Do == "cancel" && s.Run == "" && s.Session == "":
		return errors.New(`a host cancel step needs "run" or "session"`)
	case m["within"] != nil && s.Within <= 0:
		return errors.New(`"within" must be positive`)
	case s.Ms < 0:
		return errors.New(`"ms" must not be negative`)
	case s.Pad != nil && (s.Pad.Token == "" || s.Pad.Char == "" || s.Pad.Bytes < 0):
		return errors.New(`"pad" needs a token, a char and bytes ≥ 0`)
	}
	if s.Frame == nil {
		return nil
	}
	var b bytes.Buffer
	err := json.Compact(&b, s.Frame)
	s.Frame = b.Bytes()
	return err
}

// members splits an object into its members; a duplicate key is an error, for
// a script that says two things says neither.
func members(data []byte) (map[string]json.RawMessage, error) {
	var m map[string]json.RawMessage
	switch err := json.Unmarshal(data, &m); {
	case json.Valid(data) && (err != nil || m == nil):
		return nil, errors.New("not a JSON object")
	case err != nil:
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	_, _ = d.Token()
	for seen := map[any]bool{}; d.More(); {
		key, _ := d.Token()
		if seen[key] {
			return nil, fmt.Errorf("member %q twice", key)
		}
		seen[key] = true
		_ = d.Decode(new(json.RawMessage))
	}
	return m, nil
}
