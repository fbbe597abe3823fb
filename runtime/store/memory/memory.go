// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"bytes"
	"context"
	"iter"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/store"
)

// DefaultLimit is the page size of List when a query names none.
const DefaultLimit = 100

// Store keeps logs in memory. The zero value is an empty store.
type Store struct {
	// TakeOver lets Open succeed while another handle is open, as a store does
	// whose lease has run out: the fence alone then keeps the old owner out.
	TakeOver bool

	mu     sync.RWMutex // guards what follows
	logs   map[string]*log
	images map[string][]byte
}

var (
	_ store.Store       = (*Store)(nil)
	_ store.Attachments = (*Store)(nil)
)

// log is one stored log; handles share it.
type log struct {
	header store.Header

	mu      sync.RWMutex // guards what follows; the elements of records never change
	records [][]byte
	owner   *handle
}

// Durability implements store.Store: everything ends with the process.
func (*Store) Durability() store.Durability { return store.Volatile }

// Create implements store.Store.
func (s *Store) Create(_ context.Context, h store.Header) (store.Log, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.logs[h.ID]; ok {
		return nil, &store.ExistsError{ID: h.ID}
	}
	if s.logs == nil {
		s.logs = make(map[string]*log)
	}
	l := &log{header: h}
	l.owner = &handle{log: l}
	s.logs[h.ID] = l
	return l.owner, nil
}

// Open implements store.Store.
func (s *Store) Open(_ context.Context, id string) (store.Log, error) {
	l, err := s.find(id)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.owner != nil && !s.TakeOver {
		return nil, &store.LockedError{ID: id}
	}
	l.owner = &handle{log: l}
	return l.owner, nil
}

// Stat implements store.Store.
func (s *Store) Stat(_ context.Context, id string) (store.Info, error) {
	l, err := s.find(id)
	if err != nil {
		return store.Info{}, err
	}
	return l.info(), nil
}

// Keep implements store.Attachments.
func (s *Store) Keep(_ context.Context, id string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.images == nil {
		s.images = make(map[string][]byte)
	}
	if _, ok := s.images[id]; !ok {
		s.images[id] = bytes.Clone(data)
	}
	return nil
}

// Find implements store.Attachments.
func (s *Store) Find(_ context.Context, id string) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	data, ok := s.images[id]
	if !ok {
		return nil, &store.NotFoundError{ID: id}
	}
	return data, nil
}

// Read implements store.Store.
func (s *Store) Read(ctx context.Context, id string, from int64) iter.Seq2[store.Record, error] {
	l, err := s.find(id)
	if err != nil {
		return func(yield func(store.Record, error) bool) { yield(store.Record{}, err) }
	}
	return l.read(ctx, from)
}

// List implements store.Store. A log that changes while a listing is paged
// through moves to its front.
func (s *Store) List(_ context.Context, q store.Query) (store.Page, error) {
	s.mu.RLock()
	infos := make([]store.Info, 0, len(s.logs))
	for _, l := range s.logs {
		if l.header.Parent == "" && (q.Cwd == "" || l.header.Cwd == q.Cwd) {
			infos = append(infos, l.info())
		}
	}
	s.mu.RUnlock()
	sort.Slice(infos, func(i, j int) bool { return before(&infos[i], &infos[j]) })
	if q.Cursor != "" {
		last, err := parseCursor(q.Cursor)
		if err != nil {
			return store.Page{}, err
		}
		infos = infos[sort.Search(len(infos), func(i int) bool { return before(&last, &infos[i]) }):]
	}
	limit := q.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	page := store.Page{Logs: infos}
	if len(infos) > limit {
		page.Logs = infos[:limit:limit]
		page.NextCursor = cursor(&page.Logs[limit-1])
	}
	return page, nil
}

func (s *Store) find(id string) (*log, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	l, ok := s.logs[id]
	if !ok {
		return nil, &store.NotFoundError{ID: id}
	}
	return l, nil
}

// before orders a listing: the log that changed last comes first.
func before(a, b *store.Info) bool {
	if a.UpdatedAt != b.UpdatedAt {
		return a.UpdatedAt > b.UpdatedAt
	}
	return a.Header.ID < b.Header.ID
}

func cursor(i *store.Info) string {
	return strconv.FormatInt(i.UpdatedAt, 10) + "/" + i.Header.ID
}

func parseCursor(c string) (store.Info, error) {
	updated, id, ok := strings.Cut(c, "/")
	at, err := strconv.ParseInt(updated, 10, 64)
	if !ok || err != nil {
		return store.Info{}, &store.CursorError{Cursor: c}
	}
	return store.Info{UpdatedAt: at, Header: store.Header{ID: id}}, nil
}

func (l *log) info() store.Info {
	l.mu.RLock()
	records := l.records
	l.mu.RUnlock()
	info := store.Info{Header: l.header, UpdatedAt: l.header.CreatedAt, Next: int64(len(records))}
	if n := len(records); n > 0 {
		info.UpdatedAt, _ = peek(records[n-1])
	}
	for i := len(records) - 1; i >= 0; i-- {
		if bytes.Contains(records[i][:min(len(records[i]), 64)], []byte(`"session/title"`)) {
			_, info.Title = peek(records[i])
			break
		}
	}
	return info
}

// peek reads the time of a record, and the title if it has one.
func peek(record []byte) (time int64, title string) {
	var d codec.Decoder
	d.Reset(record)
	for d.Object(); d.More(); {
		switch string(d.Key()) {
		case "time":
			time = d.Int64()
		case "data":
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
	return time, title
}

// handle is the ownership of a log.
type handle struct{ log *log }

func (h *handle) Header() store.Header { return h.log.header }

func (h *handle) Next() int64 {
	h.log.mu.RLock()
	defer h.log.mu.RUnlock()
	return int64(len(h.log.records))
}

func (h *handle) Append(_ context.Context, after int64, records ...store.Record) error {
	size := 0
	for i := range records {
		if records[i].Seq != after+1+int64(i) {
			return &store.DamagedError{ID: h.log.header.ID, Seq: after + 1 + int64(i), Got: records[i].Seq, Reason: "the records to append are not contiguous"}
		}
		size += len(records[i].Data)
	}
	h.log.mu.Lock()
	defer h.log.mu.Unlock()
	if last := int64(len(h.log.records)) - 1; last != after {
		return &store.FencedError{ID: h.log.header.ID, After: after, Last: last}
	}
	// One allocation a batch: an event's own would be rounded up each.
	all := make([]byte, 0, size)
	for i := range records {
		at := len(all)
		all = append(all, records[i].Data...)
		h.log.records = append(h.log.records, all[at:len(all):len(all)])
	}
	return nil
}

func (h *handle) Read(ctx context.Context, from int64) iter.Seq2[store.Record, error] {
	return h.log.read(ctx, from)
}

func (l *log) read(ctx context.Context, from int64) iter.Seq2[store.Record, error] {
	l.mu.RLock()
	records := l.records
	l.mu.RUnlock()
	return func(yield func(store.Record, error) bool) {
		for seq := max(from, 0); seq < int64(len(records)); seq++ {
			if err := ctx.Err(); err != nil {
				yield(store.Record{}, err)
				return
			}
			if !yield(store.Record{Seq: seq, Data: records[seq], Stable: true}, nil) {
				return
			}
		}
	}
}

func (h *handle) Flush(context.Context) error { return nil }

func (h *handle) Close(context.Context) error {
	h.log.mu.Lock()
	defer h.log.mu.Unlock()
	if h.log.owner == h {
		h.log.owner = nil
	}
	return nil
}
