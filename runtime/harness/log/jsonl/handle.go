// SPDX-License-Identifier: Apache-2.0

package jsonl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/log"
	"github.com/accordkit/accord/runtime/harness/log/disk"
	"github.com/accordkit/accord/runtime/harness/log/files"
	"github.com/accordkit/accord/runtime/store"
)

// handle is the ownership of a log.
type handle struct {
	s      *Store
	log    *disk.Log
	header store.Header
	rows   []log.Row // of the batch that is being appended

	mu   sync.Mutex // guards next, which readers use
	next int64
}

func (l *handle) Header() store.Header { return l.header }

func (l *handle) Next() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next
}

// Append implements store.Log. A record that DSH would refuse is a log.Violation.
func (l *handle) Append(ctx context.Context, after int64, records ...store.Record) error {
	l.rows = l.rows[:0]
	for i := range records {
		want := after + 1 + int64(i)
		r, err := log.ParseRow(records[i].Data)
		if err != nil {
			return &store.DamagedError{ID: l.header.ID, Seq: want, Got: records[i].Seq, Reason: err.Error()}
		}
		if r.Seq != want || records[i].Seq != want {
			return &store.DamagedError{ID: l.header.ID, Seq: want, Got: records[i].Seq, Reason: "the records to append are not contiguous"}
		}
		l.rows = append(l.rows, r)
	}
	if err := l.log.Append(after, l.rows...); err != nil {
		return err
	}
	for _, r := range l.rows {
		if b, is := barriers[r.Type]; is {
			if err := l.log.Barrier(ctx, b); err != nil {
				return err
			}
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next = l.log.Next()
	return nil
}

// barriers are events that are followed by something which cannot be taken back: a
// receipt, the report of a turn's end, a request to a model, a tool that runs. A
// second barrier of one batch waits for nothing.
var barriers = map[string]disk.Barrier{
	harness.EventTypeInboxSpliced:           disk.Receipt,
	harness.EventTypeWorkingDirectoryChange: disk.Receipt,
	harness.EventTypeTurnEnd:                disk.TurnEnd,
	harness.EventTypeStepStart:              disk.Request,
	harness.EventTypeToolCall:               disk.ToolStart,
}

// Read implements store.Log.
func (l *handle) Read(ctx context.Context, from int64) iter.Seq2[store.Record, error] {
	next := l.Next()
	if from >= next {
		return func(func(store.Record, error) bool) {}
	}
	p, err := l.s.place(l.header.ID)
	if err != nil {
		return func(yield func(store.Record, error) bool) { yield(store.Record{}, err) }
	}
	return l.s.read(ctx, p, from, next)
}

// read yields the rows of a log from one sequence up to another; a negative one is
// the end.
func (s *Store) read(ctx context.Context, p files.Place, from, to int64) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		if p.Version != log.Newest {
			yield(store.Record{}, &store.FormatError{
				ID: p.ID, Version: p.Version, Newest: log.Newest, Path: s.path(p.Path()),
				Reason: fmt.Sprintf("only generation %d is read by a session", log.Newest),
			})
			return
		}
		rows, f, err := files.Open(s.home, p, s.o.MaxRow)
		if err != nil {
			yield(store.Record{}, s.unreadable(p, err))
			return
		}
		defer f.Close()
		var event []byte
		for row, err := range rows.Rows() {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(store.Record{}, s.unreadable(p, err))
				return
			}
			switch {
			case row.Seq < from:
				continue
			case row.Seq == to:
				return
			}
			r := store.Record{Seq: row.Seq, Data: row.Line}
			if row.Sources != nil {
				event = appendEvent(event[:0], &row)
				r.Data = event
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// appendEvent appends a row as an event of the wire, which lists each source.
func appendEvent(b []byte, r *log.Row) []byte {
	plain := *r
	plain.Sources = nil
	b = bytes.TrimSuffix(plain.Append(b), []byte{'}'})
	b = append(b, `,"sourceEventSeqs":[`...)
	for i, run := range r.Sources {
		for seq := run.First; seq <= run.Last; seq++ {
			if i > 0 || seq > run.First {
				b = append(b, ',')
			}
			b = codec.AppendInt(b, seq)
		}
	}
	return append(b, `]}`...)
}

// info describes a log that this process writes.
func (l *handle) info(ctx context.Context) (store.Info, error) {
	return describe(l.header, l.Read(ctx, 0))
}

// Flush implements store.Log.
func (l *handle) Flush(ctx context.Context) error { return l.log.Flush(ctx) }

// Close implements store.Log. A handle that was fenced can be closed.
func (l *handle) Close(context.Context) error {
	l.s.mu.Lock()
	if l.s.open[l.header.ID] == l {
		delete(l.s.open, l.header.ID)
	}
	l.s.mu.Unlock()
	err := l.log.Close()
	if fenced := new(*store.FencedError); errors.As(err, fenced) {
		return nil
	}
	return err
}

// peek reads a row's time, and its title if it is one.
func peek(row []byte) (time int64, title string, titled bool) {
	d := codec.Decoder{Lax: true}
	d.Reset(row)
	for d.Object(); d.More(); {
		switch string(d.Key()) {
		case "type":
			titled = d.String() == harness.EventTypeSessionTitle
		case "time":
			time = d.Int64()
		case "data":
			if !titled {
				d.Skip()
				continue
			}
			for d.Object(); d.More(); {
				if string(d.Key()) == "title" && d.Peek() == '"' {
					title = d.String()
				} else {
					d.Skip()
				}
			}
		default:
			d.Skip()
		}
	}
	return time, title, titled
}
