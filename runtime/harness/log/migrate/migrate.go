// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/log"
)

// RefusedError says that a log cannot be migrated, with all reasons that were
// found. The log remains as it is.
type RefusedError struct {
	Version  int       // the log's generation
	Refusals []Refusal // in the order of the log
	More     int       // refusals beyond those that are listed
}

// Refusal is a row that cannot be migrated.
type Refusal struct {
	Line   int64  // of the old log's text, from 1, which is the header; where it was noticed
	Type   string // of the row
	Reason string
}

const maxRefusals = 100

func (e *RefusedError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the log of generation %d cannot be migrated, and remains as it is", e.Version)
	for _, r := range e.Refusals {
		fmt.Fprintf(&b, "; line %d (%s): %s", r.Line, r.Type, r.Reason)
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "; and %d more", e.More)
	}
	return b.String()
}

// Child is what a parent's log says of a child session, from the child's own.
type Child struct {
	ID        harness.SessionID
	CreatedAt int64
	Mode      string // of its descriptor; empty: its log cannot be read
	Label     string
}

// Options say what lies around the log.
type Options struct {
	// Children are the logs of the home whose parent the session is. Those that
	// its log does not list are added to it: without them the list is lost.
	Children []Child
}

// Log migrates a log of an older generation. It calls emit with each row of the
// new log, valid until the next; the first call comes after the header is known,
// which begin gets. Nothing that was emitted is of use if Log returns an error:
// RefusedError, those of the reader, and those of begin and emit. A torn tail is
// not migrated.
func Log(l *log.Reader, o Options, begin func(harness.SessionHeaderLine) error, emit func(log.Row) error) error {
	old := l.Header()
	header := successor(old)
	if err := begin(header); err != nil {
		return err
	}
	m := &migration{reader: l, refused: &RefusedError{Version: int(old.Version)}}
	s := &sink{
		migration: m, emit: emit, options: o,
		checker: log.NewChecker(&header),
		listed:  map[string]bool{},
		moved:   map[int64]int64{},
	}
	next := s.row
	var ends []func() error
	add := func(st stage) {
		following := next
		next = func(r log.Row) error { return st.row(r, following) }
		ends = append([]func() error{func() error { return st.end(following) }}, ends...)
	}
	add(&toFour{migration: m})
	if old.Version < 3 {
		add(&toThree{migration: m, id: string(old.ID)})
	}
	if old.Version < 2 {
		add(newToTwo(m, old))
	}
	if old.Version < 1 {
		add(&toOne{migration: m, id: string(old.ID)})
	}
	for {
		r, err := l.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := next(r); err != nil {
			return err
		}
	}
	for _, end := range append(ends, s.end) {
		if err := end(); err != nil {
			return err
		}
	}
	if len(m.refused.Refusals) > 0 {
		return m.refused
	}
	return nil
}

// stage turns rows of one generation into rows of the next. A row's data and line
// are valid until row returns.
type stage interface {
	row(r log.Row, next func(log.Row) error) error
	end(next func(log.Row) error) error
}

// migration is what stages have in common.
type migration struct {
	reader  *log.Reader
	refused *RefusedError
}

// refuse notes a reason against the migration, which continues, to find others.
func (m *migration) refuse(r log.Row, reason string) error {
	if len(m.refused.Refusals) < maxRefusals {
		m.refused.Refusals = append(m.refused.Refusals, Refusal{m.reader.Line(), r.Type, reason})
	} else {
		m.refused.More++
	}
	return nil
}

// successor is the header of the new log.
func successor(old *harness.SessionHeaderLine) harness.SessionHeaderLine {
	h := *old
	h.Version, h.Extra = log.Newest, nil
	if h.IsSeeded == nil {
		h.IsSeeded = new(old.SeedLength != nil && *old.SeedLength > 0)
	}
	h.SeedLength = nil
	if old.Version < 3 && h.AgentPreset == "code" {
		h.AgentPreset = "ptc"
	}
	return h
}

// sink counts rows anew, replaces references, and checks what comes out.
type sink struct {
	*migration
	emit    func(log.Row) error
	options Options
	checker *log.Checker
	listed  map[string]bool // children
	next    int64
	last    int64           // time of the last row
	moved   map[int64]int64 // new sequences by the old ones; rows that a stage inserts have negative ones
	broken  bool            // a row did not fit, and those that follow are not checked
}

func (s *sink) row(r log.Row) error {
	if len(s.refused.Refusals) > 0 || s.broken {
		return nil
	}
	if r.Type == harness.EventTypeTurnStart && s.checker.Open() {
		for _, c := range s.checker.Closers() {
			if err := s.write(c); err != nil {
				return err
			}
		}
	}
	if r.Type == harness.EventTypeSubagentCatalog {
		o, _ := parse(r.Data)
		s.listed[o.text("childId")] = true
	}
	old := r.Seq
	r, err := s.refer(r)
	if err != nil {
		return s.refuse(r, err.Error())
	}
	r.Seq = s.next
	s.moved[old] = s.next
	return s.write(r)
}

func (s *sink) write(r log.Row) error {
	r.Line = nil
	if err := s.checker.Check(r); err != nil {
		s.broken = true
		return s.refuse(r, err.Error())
	}
	s.next++
	s.last = r.Time
	return s.emit(r)
}

func (s *sink) end() error {
	for _, c := range s.options.Children {
		if s.listed[string(c.ID)] {
			continue
		}
		version, mode := 0, c.Mode
		if mode == "" {
			version, mode = 1, "unknown"
		}
		data := fmt.Appendf(nil, `{"version":%d,"childId":%s,"childCreatedAt":%d,"mode":%s`, version, quote(string(c.ID)), c.CreatedAt, quote(mode))
		if c.Label != "" {
			data = fmt.Appendf(data, `,"label":%s`, quote(c.Label))
		}
		if err := s.row(log.Row{Type: harness.EventTypeSubagentCatalog, Seq: inserted - s.next, Time: s.last, Data: append(data, '}')}); err != nil {
			return err
		}
	}
	if len(s.refused.Refusals) > 0 {
		return nil
	}
	if err := s.checker.End(); err != nil {
		return s.refuse(log.Row{}, err.Error())
	}
	return nil
}

// inserted is the greatest of the sequences that rows have which a stage inserts;
// each stage that refers to them has its own below it.
const inserted = -1 << 40

// references are the members of data that hold sequences, by type: a sequence, a
// list of them, or a range.
var references = map[string][]string{
	harness.EventTypeSessionTitle:           {"messageSeqs"},
	harness.EventTypeSessionTitleLLMRequest: {"messageSeqs"},
	harness.EventTypeCompactionSummary:      {"shadowedRange", "shadowedSeqs"},
	harness.EventTypeCompactionPrune:        {"shadowedRange", "shadowedSeqs"},
	harness.EventTypeCommandDone:            {"sourceEventSeq"},
	harness.EventTypeDeveloperMessage:       {"headerSeq"},
}

var errReference = errors.New("it refers to a row that the migration does not keep")

func (s *sink) refer(r log.Row) (log.Row, error) {
	if r.Sources != nil {
		var sources []log.Range
		for _, old := range r.Sources {
			for n := old.First; n <= old.Last; n++ {
				seq, ok := s.moved[n]
				if !ok {
					return r, errReference
				}
				at := log.Range{First: seq, Last: seq}
				if !slices.Contains(sources, at) {
					sources = append(sources, at)
				}
			}
		}
		r.Sources = sources
	}
	if r.Surface.Op == "replace" {
		start, ok := s.moved[r.Surface.Start]
		end, too := s.moved[r.Surface.End]
		if !ok || !too {
			return r, errReference
		}
		r.Surface.Start, r.Surface.End = start, end
	}
	members := references[r.Type]
	if len(members) == 0 {
		return r, nil
	}
	data, ok := parse(r.Data)
	if !ok {
		return r, errShape
	}
	for _, key := range members {
		if raw := data.get(key); raw != nil {
			moved, ok := s.move(raw)
			if !ok {
				return r, errReference
			}
			data = data.set(key, moved)
		}
	}
	r.Data = data.bytes()
	return r, nil
}

// move replaces the sequences of a value: an integer, or the integers in a list or
// an object.
func (s *sink) move(raw []byte) ([]byte, bool) {
	switch raw[0] {
	case '[':
		all := items(raw)
		for i, v := range all {
			moved, ok := s.move(v)
			if !ok {
				return nil, false
			}
			all[i] = moved
		}
		return list(all), all != nil
	case '{':
		o, ok := parse(raw)
		for i := range o {
			if o[i].raw, ok = s.move(o[i].raw); !ok {
				return nil, false
			}
		}
		return o.bytes(), ok
	}
	n, ok := s.moved[object{{"", raw}}.number("")]
	return fmt.Appendf(nil, "%d", n), ok
}

// keep copies what a row has borrowed from its reader.
func keep(r log.Row) log.Row {
	r.Data, r.Line, r.Sources = bytes.Clone(r.Data), nil, slices.Clone(r.Sources)
	return r
}
