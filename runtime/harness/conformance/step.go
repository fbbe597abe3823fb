// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
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

// Step is one line of a script. Exactly the members of its kind are set.
type Step struct {
	Line int    // 1-based line in the script
	Kind string // host, c2s, s2c, proc, delay or quiet

	Host *HostStep
	text string // the line as written

	// Frame is the frame of a c2s or s2c step, compacted; nil when Raw is set.
	Frame json.RawMessage
	Raw   *string
	// EOL replaces the newline of an s2c step; nil means "\n".
	EOL *string
	Pad *Pad
	// SplitMultibyte writes the line in pieces that cut every multibyte
	// character.
	SplitMultibyte bool

	Proc *ProcStep

	// Within bounds how long a c2s step waits for its frame, in milliseconds; nil:
	// as long as the player waits.
	Within *int

	// Ms is the length of a delay or quiet, in milliseconds.
	Ms int
}

// Pad puts Bytes bytes of Char in place of every Token of a line.
type Pad struct {
	Token string `json:"token"`
	Char  string `json:"char"`
	Bytes int    `json:"bytes"`
}

// ProcStep is something that the runtime's process does other than sending
// frames.
type ProcStep struct {
	Do     string   `json:"do"` // stderr, exit or closeStdout
	Lines  []string `json:"lines"`
	Repeat int      `json:"repeat"` // stderr: how often the lines are written, at least once
	Code   int      `json:"code"`
	Signal string   `json:"signal"` // exit: killed by KILL, TERM, ABRT, SEGV or INT instead of a code
}

// HostStep is one action of the embedding program.
type HostStep struct {
	// Do is run, cancel, resume, closeSession, wait, interruptAndPrompt or
	// close.
	Do      string `json:"do"`
	As      string `json:"as"`
	Session string `json:"session"`
	Run     string `json:"run"` // cancel: the run to stop, by its name
	Text    string `json:"text"`

	ContentBlocks json.RawMessage `json:"contentBlocks"` // run: instead of Text, as sent
	SlowHandlerMs int             `json:"slowHandlerMs"`
	TimeoutMs     int             `json:"timeoutMs"` // wait: the request's own; else the caller's context

	IdempotencyKey string `json:"idempotencyKey"`
	IfStored       string `json:"ifStored"`
	IfMissing      string `json:"ifMissing"`
	Delivery       string `json:"delivery"`

	Queue      string `json:"queue"`
	Background string `json:"background"`
	WaitFor    string `json:"waitFor"`
	Turn       int64  `json:"turn"`
	MessageID  string `json:"messageId"`

	OnActive string `json:"onActive"`
	Cwd      string `json:"cwd"`
	AfterSeq *int64 `json:"afterSeq"`
	Path     string `json:"path"`

	Method string          `json:"method"` // call: a raw request
	Params json.RawMessage `json:"params"`
}

var hostActions = map[string]bool{
	"run": true, "cancel": true, "resume": true, "load": true, "closeSession": true, "wait": true,
	"interruptAndPrompt": true, "close": true, "status": true, "list": true,
	"call": true, "getWorkingDirectory": true, "setWorkingDirectory": true,
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
		s, err := parseStep(line)
		if err != nil {
			return nil, &SyntaxError{File: file, Line: n + 1, Why: err.Error()}
		}
		s.Line = n + 1
		steps = append(steps, *s)
	}
	if len(steps) == 0 {
		return nil, &SyntaxError{File: file, Why: "no steps: a script needs at least one line with a member t"}
	}
	return steps, nil
}

func parseStep(line []byte) (*Step, error) {
	if !utf8.Valid(line) {
		return nil, errors.New("not UTF-8")
	}
	m, err := members(line)
	if err != nil {
		return nil, err
	}
	s := &Step{text: string(line)}
	if err := take(m, "t", &s.Kind); err != nil {
		return nil, err
	}
	delete(m, "note")
	switch s.Kind {
	case kindHost:
		s.Host = &HostStep{}
		if err := strict(m, s.Host); err != nil {
			return nil, err
		}
		return s, s.Host.check()
	case kindProc:
		s.Proc = &ProcStep{}
		if err := strict(m, s.Proc); err != nil {
			return nil, err
		}
		return s, s.Proc.check()
	case kindC2S:
		if err := takeFrame(m, s); err != nil {
			return nil, err
		}
		if s.Frame == nil {
			return nil, errors.New(`a c2s step needs an object "frame"`)
		}
		if m["within"] != nil {
			s.Within = new(int)
			if err := take(m, "within", s.Within); err != nil {
				return nil, err
			}
			if *s.Within <= 0 {
				return nil, errors.New(`"within" must be positive`)
			}
		}
	case kindS2C:
		if err := takeS2C(m, s); err != nil {
			return nil, err
		}
	case kindDelay, kindQuiet:
		if err := take(m, "ms", &s.Ms); err != nil {
			return nil, err
		}
		if s.Ms < 0 {
			return nil, errors.New(`"ms" must not be negative`)
		}
	case "":
		return nil, errors.New(`no member "t": say host, c2s, s2c, proc, delay or quiet`)
	default:
		return nil, fmt.Errorf("unknown step %q: host, c2s, s2c, proc, delay and quiet can be played", s.Kind)
	}
	return s, noneLeft(m, s.Kind)
}

func (h *HostStep) check() error {
	switch {
	case h.Do == "":
		return errors.New(`a host step needs "do"`)
	case !hostActions[h.Do]:
		return fmt.Errorf("unknown host action %q", h.Do)
	case h.Do == "cancel" && h.Run == "" && h.Session == "":
		return errors.New(`cancel needs "run" or "session"`)
	case h.Do == "call" && h.Method == "":
		return errors.New(`call needs "method"`)
	case h.Session == "" && h.Do != "close" && h.Do != "cancel" && h.Do != "list" && h.Do != "call":
		return fmt.Errorf(`%s needs "session"`, h.Do)
	}
	return nil
}

func (p *ProcStep) check() error {
	switch p.Do {
	case "stderr", "exit", "closeStdout":
		return nil
	case "":
		return errors.New(`a proc step needs "do"`)
	default:
		return fmt.Errorf("unknown proc action %q: stderr, exit and closeStdout can be played", p.Do)
	}
}

func takeFrame(m map[string]json.RawMessage, s *Step) error {
	raw, ok := m["frame"]
	if !ok {
		return nil
	}
	delete(m, "frame")
	if raw[0] != '{' && raw[0] != '[' {
		return errors.New(`"frame" is not an object; use "raw" for other text`)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return err
	}
	s.Frame = b.Bytes()
	return nil
}

func takeS2C(m map[string]json.RawMessage, s *Step) error {
	if err := takeFrame(m, s); err != nil {
		return err
	}
	if raw, ok := m["raw"]; ok {
		delete(m, "raw")
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return fmt.Errorf(`"raw" is not a string`)
		}
		s.Raw = &text
	}
	if (s.Raw == nil) == (s.Frame == nil) {
		return errors.New(`an s2c step needs "frame" or "raw", and only one of them`)
	}
	if raw, ok := m["eol"]; ok {
		delete(m, "eol")
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return fmt.Errorf(`"eol" is not a string`)
		}
		s.EOL = &text
	}
	if raw, ok := m["pad"]; ok {
		delete(m, "pad")
		pm, err := members(raw)
		if err != nil {
			return fmt.Errorf(`"pad": %w`, err)
		}
		s.Pad = &Pad{Char: "x"}
		if err := strict(pm, s.Pad); err != nil {
			return fmt.Errorf(`"pad": %w`, err)
		}
		if s.Pad.Token == "" || len(s.Pad.Char) == 0 || s.Pad.Bytes < 0 {
			return errors.New(`"pad" needs a token, a char and bytes ≥ 0`)
		}
	}
	if raw, ok := m["splitInsideEveryMultibyte"]; ok {
		delete(m, "splitInsideEveryMultibyte")
		if err := json.Unmarshal(raw, &s.SplitMultibyte); err != nil {
			return errors.New(`"splitInsideEveryMultibyte" is not a boolean`)
		}
	}
	return nil
}

// members splits an object into its members; a duplicate key is an error, for
// a script that says two things says neither.
func members(data []byte) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	t, err := d.Token()
	if err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if t != json.Delim('{') {
		return nil, errors.New("not a JSON object")
	}
	m := map[string]json.RawMessage{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("not JSON: %w", err)
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, fmt.Errorf("not JSON: %w", err)
		}
		key := t.(string)
		if _, ok := m[key]; ok {
			return nil, fmt.Errorf("member %q twice", key)
		}
		m[key] = v
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the object")
	}
	return m, nil
}

func take(m map[string]json.RawMessage, key string, into any) error {
	raw, ok := m[key]
	if !ok {
		return fmt.Errorf("no member %q", key)
	}
	delete(m, key)
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("member %q: %w", key, err)
	}
	return nil
}

// strict decodes what is left of a step into a struct and refuses members that
// the struct does not have, by exact case.
func strict(m map[string]json.RawMessage, into any) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

func noneLeft(m map[string]json.RawMessage, kind string) error {
	if len(m) == 0 {
		return nil
	}
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return fmt.Errorf("unknown member %q in a %s step", keys[0], kind)
}
