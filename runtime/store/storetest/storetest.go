// SPDX-License-Identifier: Apache-2.0

// Package storetest checks that a store keeps the contract of package store. Authors
// of stores run it in their tests. It must know no store.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/accordkit/accord/runtime/store"
)

// Run checks a store; create returns an empty one each time.
func Run(t *testing.T, create func(t *testing.T) store.Store) {
	for _, c := range []struct {
		name  string
		check func(s *subject)
	}{
		{"create never clobbers", createNeverClobbers},
		{"a log has one owner", oneOwner},
		{"append is all or nothing, and in sequence", inSequence},
		{"append copies", appendCopies},
		{"reading sees what was there when it began", snapshot},
		{"a log can be read while its owner writes", readWhileWriting},
		{"a log is described", described},
		{"listings are paged, the last changed first", listed},
		{"of concurrent creates one wins", createRace},
		{"what is not there is not found", missing},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(&subject{t, t.Context(), create(t)}) })
	}
}

// subject is a store that is being checked.
type subject struct {
	*testing.T
	ctx context.Context
	s   store.Store
}

func record(seq int64, kind, data string) store.Record {
	return store.Record{Seq: seq, Data: fmt.Appendf(nil, `{"type":%q,"seq":%d,"time":%d,"data":%s}`, kind, seq, 1000+seq, data)}
}

// turn is a record of an event that logs of any kind have.
func turn(seq int64) store.Record {
	if seq%2 == 0 {
		return record(seq, "turn/start", fmt.Sprintf(`{"turn":%d}`, seq/2+1))
	}
	return record(seq, "turn/end", fmt.Sprintf(`{"turn":%d,"reason":{"kind":"completed"}}`, seq/2+1))
}

func (s *subject) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// create makes a log with so many records.
func (s *subject) create(h store.Header, n int64) store.Log {
	s.Helper()
	l, err := s.s.Create(s.ctx, h)
	s.must(err)
	for seq := range n {
		s.must(l.Append(s.ctx, seq-1, turn(seq)))
	}
	return l
}

func (s *subject) seqs(l store.Log, from int64) (seqs []int64) {
	s.Helper()
	for r, err := range l.Read(s.ctx, from) {
		s.must(err)
		if want := string(turn(r.Seq).Data); string(r.Data) != want {
			s.Errorf("record %d is %s, not %s", r.Seq, r.Data, want)
		}
		seqs = append(seqs, r.Seq)
	}
	return seqs
}

func (s *subject) equal(want, got []int64) {
	s.Helper()
	if !slices.Equal(want, got) {
		s.Errorf("the sequences are %v, not %v", got, want)
	}
}

// as checks that an error is one of type E, and returns it.
func as[E error](s *subject, err error) (e E) {
	s.Helper()
	if !errors.As(err, &e) {
		s.Fatalf("the error is %v, not a %T", err, e)
	}
	return e
}

func createNeverClobbers(s *subject) {
	s.must(s.create(store.Header{ID: "a", CreatedAt: 1, Cwd: "/w"}, 2).Close(s.ctx))
	for _, cwd := range []string{"/w", "/other", ""} {
		_, err := s.s.Create(s.ctx, store.Header{ID: "a", CreatedAt: 2, Cwd: cwd})
		if e := as[*store.ExistsError](s, err); e.ID != "a" {
			s.Errorf("the error names %q", e.ID)
		}
	}
	l, err := s.s.Open(s.ctx, "a")
	s.must(err)
	if h := l.Header(); h.CreatedAt != 1 || h.Cwd != "/w" || h.ID != "a" {
		s.Errorf("the header is %+v", h)
	}
	if l.Next() != 2 {
		s.Errorf("the next sequence is %d, not 2", l.Next())
	}
	s.equal([]int64{0, 1}, s.seqs(l, 0))
	s.must(l.Append(s.ctx, 1, turn(2), turn(3)))
	s.equal([]int64{2, 3}, s.seqs(l, 2))
	s.must(l.Close(s.ctx))
}

func oneOwner(s *subject) {
	l := s.create(store.Header{ID: "a"}, 1)
	_, err := s.s.Open(s.ctx, "a")
	as[*store.LockedError](s, err)
	s.must(l.Close(s.ctx))
	l, err = s.s.Open(s.ctx, "a")
	s.must(err)
	s.must(l.Close(s.ctx))
}

func inSequence(s *subject) {
	l := s.create(store.Header{ID: "a"}, 2)
	as[*store.DamagedError](s, l.Append(s.ctx, 1, turn(2), turn(4)))
	if e := as[*store.FencedError](s, l.Append(s.ctx, 0, turn(1))); e.After != 0 || e.Last != 1 {
		s.Errorf("the fence says %+v", e)
	}
	s.equal([]int64{1}, s.seqs(l, 1))
	s.equal(nil, s.seqs(l, 2))
	s.must(l.Append(s.ctx, 1, turn(2)))
	s.must(l.Close(s.ctx))
}

func appendCopies(s *subject) {
	l, err := s.s.Create(s.ctx, store.Header{ID: "a"})
	s.must(err)
	r := turn(0)
	s.must(l.Append(s.ctx, -1, r))
	clear(r.Data)
	s.equal([]int64{0}, s.seqs(l, 0))
	s.must(l.Close(s.ctx))
}

func snapshot(s *subject) {
	l := s.create(store.Header{ID: "a"}, 1)
	n := int64(0)
	for range l.Read(s.ctx, 0) {
		n++
		s.must(l.Append(s.ctx, n-1, turn(n)))
	}
	if n != 1 {
		s.Errorf("%d records were read, not 1", n)
	}
	cancelled, cancel := context.WithCancel(s.ctx)
	cancel()
	for _, err := range l.Read(cancelled, 0) {
		if !errors.Is(err, context.Canceled) {
			s.Errorf("a reading whose context has ended gives %v", err)
		}
	}
	s.must(l.Close(s.ctx))
}

func readWhileWriting(s *subject) {
	l := s.create(store.Header{ID: "a"}, 1)
	var written atomic.Int64
	written.Store(1)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				least := written.Load()
				n := int64(0)
				for r, err := range s.s.Read(s.ctx, "a", 0) {
					if err != nil || r.Seq != n {
						s.Errorf("record %d is read after %d: %v", r.Seq, n, err)
						return
					}
					n++
				}
				if n < least {
					s.Errorf("%d records were read, though %d had been written", n, least)
				}
				if least == 100 {
					return
				}
			}
		})
	}
	for seq := int64(1); seq < 100; seq++ {
		s.must(l.Append(s.ctx, seq-1, turn(seq)))
		written.Store(seq + 1)
	}
	wg.Wait()
	s.must(l.Close(s.ctx))
}

func described(s *subject) {
	l := s.create(store.Header{ID: "a", CreatedAt: 5, Cwd: "/w"}, 4)
	for range 2 { // owned, and not
		i, err := s.s.Stat(s.ctx, "a")
		s.must(err)
		if i.Header.ID != "a" || i.Header.Cwd != "/w" || i.Header.CreatedAt != 5 || i.Next != 4 || i.UpdatedAt != 1003 {
			s.Errorf("the log is described as %+v", i)
		}
		_ = l.Close(s.ctx)
	}
}

func listed(s *subject) {
	want := map[string]bool{}
	for i := range 5 {
		h := store.Header{ID: fmt.Sprint("s", i), CreatedAt: int64(100 + i), Cwd: "/w"}
		if i == 2 {
			h.Cwd = "/other"
		} else {
			want[h.ID] = true
		}
		s.must(s.create(h, 2).Close(s.ctx))
	}
	s.must(s.create(store.Header{ID: "child", Parent: "s1", Origin: "subagent", Depth: 1, Cwd: "/w"}, 2).Close(s.ctx))
	var last *store.Info
	q := store.Query{Cwd: "/w", Limit: 3}
	for pages := 1; ; pages++ {
		page, err := s.s.List(s.ctx, q)
		s.must(err)
		for _, l := range page.Logs {
			if !want[l.Header.ID] {
				s.Errorf("%s is listed once more, or should not be", l.Header.ID)
			}
			delete(want, l.Header.ID)
			if last != nil && last.UpdatedAt < l.UpdatedAt {
				s.Errorf("%s comes after %s, which changed before it", l.Header.ID, last.Header.ID)
			}
			last = &l
		}
		if page.NextCursor == "" {
			if pages != 2 {
				s.Errorf("there are %d pages, not 2", pages)
			}
			break
		}
		q.Cursor = page.NextCursor
	}
	if len(want) > 0 {
		s.Errorf("%v are not listed", want)
	}
	_, err := s.s.List(s.ctx, store.Query{Cursor: "nonsense"})
	as[*store.CursorError](s, err)
}

func createRace(s *subject) {
	var won atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			l, err := s.s.Create(s.ctx, store.Header{ID: "a"})
			if err == nil { // a store may find out when something is written
				err = l.Append(s.ctx, -1, turn(0))
			}
			var exists *store.ExistsError
			var locked *store.LockedError
			switch {
			case err == nil:
				won.Add(1)
			case !errors.As(err, &exists) && !errors.As(err, &locked):
				s.Error(err)
			}
		})
	}
	if wg.Wait(); won.Load() != 1 {
		s.Errorf("%d creates won", won.Load())
	}
}

func missing(s *subject) {
	_, err := s.s.Open(s.ctx, "none")
	as[*store.NotFoundError](s, err)
	_, err = s.s.Stat(s.ctx, "none")
	as[*store.NotFoundError](s, err)
	for _, err := range s.s.Read(s.ctx, "none", 0) {
		as[*store.NotFoundError](s, err)
	}
}
