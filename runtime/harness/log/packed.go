// SPDX-License-Identifier: Apache-2.0

package log

import (
	"errors"
	"fmt"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// Packed rows of generations 0 and 1, and entries of a stream since: runs of
// deltas of one kind, with the member that holds the texts, and how one of them is
// written as a chunk.
var packedTypes = map[string]struct{ list, chunk, text string }{
	"text-chunks":      {"texts", "text-delta", "text"},
	"reasoning-chunks": {"texts", "reasoning-delta", "text"},
	"tool-call-chunks": {"args", "tool-call-delta", "argumentsDelta"},
}

// isPacked reports whether a row of the generation stands for several events.
func (p *rowParser) isPacked(kind string) bool {
	_, ok := packedTypes[kind]
	return ok && p.version < 2
}

// expand appends the events of a packed row.
func (p *rowParser) expand(list []Row, row Row) ([]Row, error) {
	form := packedTypes[row.Type]
	if row.Sources != nil || row.Surface.Op != "" || row.Ignorable {
		return list, fmt.Errorf("%s: a packed row has only type, seq0, time0 and data", row.Type)
	}
	var turn, step, index, id, name []byte
	var dt []int64
	var texts [][]byte
	d := &p.d
	d.Reset(row.Data)
	for d.Object(); d.More(); {
		switch key := string(d.Key()); key {
		case "turn":
			turn = d.RawBorrowed()
		case "step":
			step = d.RawBorrowed()
		case "index":
			index = d.RawBorrowed()
		case "id":
			id = d.RawBorrowed()
		case "name":
			name = d.RawBorrowed()
		case "dt":
			dt = codec.List(d, (*codec.Decoder).Int64)
		case form.list:
			for d.Array(); d.Next(); {
				if d.Peek() != '"' {
					d.Unlike("a string")
				}
				texts = append(texts, d.RawBorrowed())
			}
		default:
			return list, fmt.Errorf("%s: a packed row has no member %q", row.Type, key)
		}
	}
	call := form.list == "args"
	switch {
	case d.Err() != nil:
		return list, d.Err()
	case turn == nil || step == nil || index == nil || call != (id != nil) || name != nil && !call:
		return list, fmt.Errorf("%s: the packed row lacks a member, or has one too many", row.Type)
	case len(texts) == 0:
		return list, fmt.Errorf("%s: the packed row is empty", row.Type)
	case len(dt) != len(texts)-1:
		return list, errors.New(row.Type + ": gap list and payload list differ in length")
	}
	event := Row{Type: harness.EventTypeAssistantChunk, Seq: row.Seq, Time: row.Time, Line: row.Line}
	for i, text := range texts {
		b := append([]byte(`{"turn":`), turn...)
		b = append(append(b, `,"step":`...), step...)
		b = append(append(b, `,"chunk":{"type":"`...), form.chunk...)
		b = append(append(b, `","index":`...), index...)
		if call {
			b = append(append(b, `,"id":`...), id...)
		}
		if name != nil {
			b = append(append(b, `,"name":`...), name...)
		}
		b = append(append(append(b, `,"`...), form.text...), `":`...)
		event.Data = append(append(b, text...), "}}"...)
		if i > 0 {
			event.Seq++
			event.Time += dt[i-1]
			event.Packed = true
		}
		list = append(list, event)
	}
	return list, nil
}
