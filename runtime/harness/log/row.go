// SPDX-License-Identifier: Apache-2.0

package log

import (
	"errors"
	"fmt"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// Row is one event of a log. What a Reader gives is valid until its next row.
type Row struct {
	Type      string
	Seq       int64 // the number of events before it
	Time      int64 // milliseconds since 1970 UTC; may be negative, and less than the last
	Data      []byte
	Sources   []Range // sourceEventSeqs, in the order of the row; nil: absent
	Surface   Surface // what it does to the conversation
	Ignorable bool    // a reader that does not know the type may skip it

	// SurfaceFirst has Append write surfaceOp before sourceEventSeqs, as DSH does
	// in rows that close an interrupted turn.
	SurfaceFirst bool

	// Line is the row as it was read, without its end: what a copy writes. Events
	// that were packed in one row share it, and all but the first have Packed.
	Line   []byte
	Packed bool
}

// Range is a run of sequences, both ends included.
type Range struct{ First, Last int64 }

// Surface is a surfaceOp.
type Surface struct {
	Op         string // "append", "replace", or empty: absent
	Start, End int64  // of a replacement: the sequences of the first and the last row that it replaces
}

// Append appends r as DSH writes it, without the end of the line. Data is written
// as it is.
func (r *Row) Append(b []byte) []byte {
	b = append(b, `{"type":`...)
	b = codec.AppendString(b, r.Type)
	b = append(b, `,"seq":`...)
	b = codec.AppendInt(b, r.Seq)
	b = append(b, `,"time":`...)
	b = codec.AppendInt(b, r.Time)
	b = append(b, `,"data":`...)
	b = codec.AppendRaw(b, r.Data)
	if r.SurfaceFirst {
		b = r.appendSurface(b)
	}
	if r.Sources != nil {
		b = append(b, `,"sourceEventSeqs":`...)
		b = appendRanges(b, r.Sources)
	}
	if !r.SurfaceFirst {
		b = r.appendSurface(b)
	}
	if r.Ignorable {
		b = append(b, `,"ignorable":true`...)
	}
	return append(b, '}')
}

func (r *Row) appendSurface(b []byte) []byte {
	switch r.Surface.Op {
	case "":
		return b
	case "append":
		return append(b, `,"surfaceOp":"append"`...)
	default:
		return fmt.Appendf(b, `,"surfaceOp":{"op":"replace","startSeq":%d,"endSeq":%d}`, r.Surface.Start, r.Surface.End)
	}
}

// appendRanges writes a run of three or more as [first,last], and shorter ones
// one by one.
func appendRanges(b []byte, list []Range) []byte {
	b = append(b, '[')
	for i := 0; i < len(list); i++ {
		r := list[i]
		for i+1 < len(list) && list[i+1].First == r.Last+1 {
			i++
			r.Last = list[i].Last
		}
		if r.Last-r.First >= 2 {
			b = append(comma(b), '[')
			b = codec.AppendInt(b, r.First)
			b = codec.AppendInt(append(b, ','), r.Last)
			b = append(b, ']')
			continue
		}
		for n := r.First; n <= r.Last; n++ {
			b = codec.AppendInt(comma(b), n)
		}
	}
	return append(b, ']')
}

func comma(b []byte) []byte {
	if b[len(b)-1] == '[' {
		return b
	}
	return append(b, ',')
}

// rowParser reads the rows of one generation.
type rowParser struct {
	version int64
	d       codec.Decoder
	known   map[string]bool // types that are known; never more than there are
	skim    bool            // as in Options
	types   codec.Interner
	sources []Range
}

func newRowParser(version int64) *rowParser {
	return &rowParser{version: version, d: codec.Decoder{Lax: true, MaxDepth: maxDepth}, known: map[string]bool{}}
}

// ParseRow reads a row of the newest generation. It lies in line.
func ParseRow(line []byte) (Row, error) {
	p := rowParser{version: Newest, d: codec.Decoder{Lax: true, MaxDepth: maxDepth}}
	return p.row(line)
}

// row reads a line that is one event. A packed row has a type of packedTypes, and
// its sequence and time are those of its first event.
func (p *rowParser) row(line []byte) (Row, error) {
	if p.skim {
		if r, ok := p.skimRow(line); ok {
			return r, nil
		}
	}
	r := Row{Seq: -1, Line: line}
	var timed bool
	d := &p.d
	d.Reset(line)
	var bad error
	for d.Object(); d.More(); {
		switch string(d.Key()) {
		case "type":
			r.Type = d.Intern(&p.types)
		case "seq", "seq0":
			r.Seq = d.Int64()
		case "time", "time0":
			r.Time, timed = d.Int64(), true
		case "data":
			if d.Peek() != '{' {
				bad = errors.New("data is not an object")
			}
			r.Data = d.RawBorrowed()
		case "sourceEventSeqs":
			r.Sources = p.ranges()
		case "surfaceOp":
			r.Surface = p.surface()
		case "ignorable":
			r.Ignorable = d.Bool()
			if !r.Ignorable && d.Err() == nil {
				bad = errors.New("ignorable is not true")
			}
		default:
			bad = fmt.Errorf("the row has a member %q: its set of members is closed", d.Key())
			d.Skip()
		}
	}
	d.End()
	switch {
	case d.Err() != nil:
		return r, d.Err()
	case bad != nil:
		return r, bad
	case r.Type == "" || r.Seq < 0 || !timed || r.Data == nil:
		return r, errors.New("the row lacks its type, seq, time or data")
	}
	return r, nil
}

// ranges reads sourceEventSeqs: sequences and [first,last] runs. The list is valid
// until the next row.
func (p *rowParser) ranges() []Range {
	d := &p.d
	list := p.sources[:0]
	if list == nil {
		list = []Range{}
	}
	for d.Array(); d.Next(); {
		var r Range
		if d.Peek() != '[' {
			r.First = d.Int64()
			r.Last = r.First
		} else {
			n := 0
			for d.Array(); d.Next(); n++ {
				r.First, r.Last = r.Last, d.Int64()
			}
			if n != 2 {
				d.Fail(codec.Type, "a run of sequences has a first and a last one")
			}
		}
		if d.Err() == nil && (r.First < 0 || r.Last < r.First) {
			d.Fail(codec.Type, "a run of sequences ends before it begins")
		}
		list = append(list, r)
	}
	p.sources = list
	return list
}

// surface reads a surfaceOp; generations before 3 name the ends of a replacement
// start and end.
func (p *rowParser) surface() Surface {
	d := &p.d
	if d.Peek() == '"' {
		s := Surface{Op: d.Intern(&p.types)}
		if s.Op != "append" {
			d.Fail(codec.Type, `surfaceOp is "append" or an object`)
		}
		return s
	}
	s := Surface{Start: -1, End: -1}
	first, last := "startSeq", "endSeq"
	if p.version < 3 {
		first, last = "start", "end"
	}
	for d.Object(); d.More(); {
		switch string(d.Key()) {
		case "op":
			s.Op = d.String()
		case first:
			s.Start = d.Int64()
		case last:
			s.End = d.Int64()
		default:
			d.Fail(codec.Type, "surfaceOp has a member that it may not have")
			d.Skip()
		}
	}
	if d.Err() == nil && (s.Op != "replace" || s.Start < 0 || s.End < 0) {
		d.Fail(codec.Type, "surfaceOp is not a replacement of rows")
	}
	return s
}

// understood reports whether this build knows an event type in the parser's
// generation. The declaration says which there are: a value of a type that it has
// is either read as that type or refused.
func (p *rowParser) understood(kind string) bool {
	if p.known[kind] {
		return true
	}
	known := Known(p.version, kind)
	if known {
		p.known[kind] = true
	}
	return known
}

// Known reports whether this build knows an event type in a generation.
func Known(version int64, kind string) bool {
	if version < 4 {
		return declared(kind) || retired[kind]
	}
	return declared(kind) && !superseded[kind]
}

func declared(kind string) bool {
	text := codec.AppendString([]byte(`{"type":`), kind)
	d := codec.Decoder{Strict: true}
	d.Reset(append(text, `,"seq":0,"time":0,"data":{}}`...))
	e := codec.Decode(&d, new(harness.Event))
	_, unknown := e.Data.(*harness.UnknownEvent)
	return d.Err() != nil || !unknown
}

// superseded are declared types that generation 4 has no more.
var superseded = map[string]bool{
	harness.EventTypeAssistantChunk:    true,
	harness.EventTypeCodeDispatchStart: true,
	harness.EventTypeCodeDispatch:      true,
}

// retired are types of old logs that the declaration does not have, because the
// migration gives them their present names.
var retired = map[string]bool{
	"compact/start":    true,
	"compact/summary":  true,
	"compact/prune":    true,
	"compact/end":      true,
	"steering/message": true,
}
