// SPDX-License-Identifier: Apache-2.0

package jsonl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/log"
	"github.com/accordkit/accord/runtime/harness/log/disk"
	"github.com/accordkit/accord/runtime/harness/log/files"
	"github.com/accordkit/accord/runtime/store"
)

// Options say how logs are kept.
type Options struct {
	Durability disk.Durability
	Encoding   log.Encoding // of a home that has no log yet; DSH's own is Zstd
	MaxRow     int          // see log.Options
}

// Store keeps the logs of one home. Several processes may use the same home, each
// log in one of them at a time.
type Store struct {
	dir      string
	home     *disk.Home
	o        Options
	encoding log.Encoding

	mu   sync.Mutex // guards open
	open map[string]*handle
}

var (
	_ store.Store       = (*Store)(nil)
	_ store.Attachments = (*Store)(nil)
)

// Open opens a home, and makes its directory if there is none. One that every user
// may write to is refused, and so is one that DSH would refuse: with logs of both
// encodings, or with a log outside of a session's directory.
func Open(home string, o Options) (*Store, error) {
	h, err := disk.OpenHome(home)
	if err != nil {
		return nil, fmt.Errorf("the home for sessions cannot be opened: %w", err)
	}
	s := &Store{dir: home, home: h, o: o, open: map[string]*handle{}}
	if err := s.check(); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return s, nil
}

func (s *Store) check() error {
	info, err := fs.Stat(s.home, ".")
	if err != nil {
		return err
	}
	if mode := info.Mode(); mode.Perm()&0o002 != 0 && mode&fs.ModeSticky == 0 {
		return fmt.Errorf("every user may write to %s, and so to its sessions: take that right away (chmod o-w), or name another home", s.dir)
	}
	l, err := files.Scan(s.home)
	if err != nil {
		return fmt.Errorf("the home %s cannot be read: %w", s.dir, err)
	}
	if s.encoding, err = l.Encoding(s.o.Encoding); err != nil {
		return fmt.Errorf("%s: %w", s.dir, err)
	}
	return nil
}

// Close closes the home, when none of its logs is open any more.
func (s *Store) Close() error { return s.home.Close() }

// Durability implements store.Store.
func (s *Store) Durability() store.Durability {
	return s.o.Durability.Survives()
}

// place returns where a log lies; store.NotFoundError: nowhere.
func (s *Store) place(id string) (files.Place, error) {
	if err := named(id); err != nil {
		return files.Place{}, err
	}
	found, err := files.Find(s.home, id)
	switch {
	case err != nil:
		return files.Place{}, err
	case len(found) == 0:
		return files.Place{}, &store.NotFoundError{ID: id}
	case len(found) > 1:
		return files.Place{}, s.damaged(found[0], "the session lies in another project too, "+found[1].Dir+": DSH opens neither")
	}
	return found[0], nil
}

// named checks that an id has a place in a home.
func named(id string) error {
	if _, err := files.Segment(id); err != nil {
		return &store.IDError{ID: id, Reason: err.Error()}
	}
	return nil
}

func (s *Store) damaged(p files.Place, reason string) *store.DamagedError {
	return &store.DamagedError{ID: p.ID, Seq: -1, Got: -1, Reason: reason, Path: s.path(p.Path())}
}

// path is a name below the home as the system has it.
func (s *Store) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// Create implements store.Store. Nothing is written before the first row, and the
// session is locked with it: of two processes that create the same one, the second
// gets a store.LockedError or store.ExistsError then.
func (s *Store) Create(_ context.Context, h store.Header) (store.Log, error) {
	if err := named(h.ID); err != nil {
		return nil, err
	}
	l, err := disk.Create(s.home, lineOf(h), s.writing())
	if err != nil {
		return nil, err
	}
	return s.keep(&handle{s: s, log: l, header: h}), nil
}

// Open implements store.Store. A log of an older generation is migrated: its file
// stays as it is, next to the new one.
func (s *Store) Open(_ context.Context, id string) (store.Log, error) {
	if err := named(id); err != nil {
		return nil, err
	}
	l, err := disk.Open(s.home, id, s.writing())
	if err != nil {
		return nil, s.placed(err)
	}
	line := l.Header()
	return s.keep(&handle{s: s, log: l, header: headerOf(&line), next: l.Next()}), nil
}

func (s *Store) writing() disk.Options {
	return disk.Options{Encoding: s.encoding, Durability: s.o.Durability}
}

func (s *Store) keep(l *handle) *handle {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[l.header.ID] = l
	return l
}

// owned returns the log if this process writes it; nil: it does not.
func (s *Store) owned(id string) *handle {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[id]
}

// Stat implements store.Store. It reads the whole log.
func (s *Store) Stat(ctx context.Context, id string) (store.Info, error) {
	if l := s.owned(id); l != nil {
		return l.info(ctx)
	}
	p, err := s.place(id)
	if err != nil {
		return store.Info{}, err
	}
	h, err := s.head(p)
	if err != nil {
		return store.Info{}, err
	}
	return describe(h, s.read(ctx, p, 0, -1))
}

// describe gathers what a listing says from a log's rows.
func describe(h store.Header, rows iter.Seq2[store.Record, error]) (store.Info, error) {
	info := store.Info{Header: h, UpdatedAt: h.CreatedAt}
	for r, err := range rows {
		if err != nil {
			return info, err
		}
		info.Next = r.Seq + 1
		time, title, titled := peek(r.Data)
		info.UpdatedAt = time
		if titled {
			info.Title = title
		}
	}
	return info, nil
}

// Read implements store.Store. A torn tail is not read.
func (s *Store) Read(ctx context.Context, id string, from int64) iter.Seq2[store.Record, error] {
	if l := s.owned(id); l != nil {
		return l.Read(ctx, from)
	}
	p, err := s.place(id)
	if err != nil {
		return func(yield func(store.Record, error) bool) { yield(store.Record{}, err) }
	}
	return s.read(ctx, p, from, -1)
}

// defaultPage is the page size of List when a query names none.
const defaultPage = 100

// List implements store.Store. It opens the head of each log; a log's time is its
// file's. Logs of older generations are listed too.
func (s *Store) List(_ context.Context, q store.Query) (store.Page, error) {
	l, err := files.Scan(s.home)
	if err != nil {
		return store.Page{}, err
	}
	var page store.Page
	for _, stray := range l.Strays {
		page.Skipped = append(page.Skipped, store.Skipped{Path: s.path(stray.Path), Reason: stray.Reason})
	}
	for _, name := range l.Flat {
		page.Skipped = append(page.Skipped, store.Skipped{Path: s.path(name), Reason: "the log lies outside of a session's directory"})
	}
	var infos []store.Info
	for _, p := range l.Places {
		h, err := s.head(p)
		if err != nil {
			page.Skipped = append(page.Skipped, store.Skipped{Path: s.path(p.Path()), Reason: err.Error()})
			continue
		}
		if h.Parent != "" || q.Cwd != "" && h.Cwd != q.Cwd {
			continue
		}
		file, err := fs.Stat(s.home, p.Path())
		if err != nil {
			continue // it has just been removed
		}
		infos = append(infos, store.Info{Header: h, UpdatedAt: file.ModTime().UnixMilli()})
	}
	slices.SortFunc(infos, func(a, b store.Info) int { return compare(&a, &b) })
	if q.Cursor != "" {
		last, err := parseCursor(q.Cursor)
		if err != nil {
			return store.Page{}, err
		}
		at, found := slices.BinarySearchFunc(infos, last, func(a, b store.Info) int { return compare(&a, &b) })
		if found {
			at++
		}
		infos = infos[at:]
	}
	limit := q.Limit
	if limit <= 0 {
		limit = defaultPage
	}
	if page.Logs = infos; len(infos) > limit {
		page.Logs = infos[:limit:limit]
		last := page.Logs[limit-1]
		page.NextCursor = strconv.FormatInt(last.UpdatedAt, 10) + "/" + last.Header.ID
	}
	return page, nil
}

// compare orders a listing: the log that changed last comes first.
func compare(a, b *store.Info) int {
	if a.UpdatedAt != b.UpdatedAt {
		return int(min(max(b.UpdatedAt-a.UpdatedAt, -1), 1))
	}
	return strings.Compare(a.Header.ID, b.Header.ID)
}

func parseCursor(c string) (store.Info, error) {
	updated, id, ok := strings.Cut(c, "/")
	at, err := strconv.ParseInt(updated, 10, 64)
	if !ok || err != nil {
		return store.Info{}, &store.CursorError{Cursor: c}
	}
	return store.Info{UpdatedAt: at, Header: store.Header{ID: id}}, nil
}

// placed gives an error the log's path as the system has it.
func (s *Store) placed(err error) error {
	var damaged *store.DamagedError
	var format *store.FormatError
	switch {
	case errors.As(err, &damaged):
		damaged.Path = s.path(damaged.Path)
	case errors.As(err, &format):
		format.Path = s.path(format.Path)
	}
	return err
}

// head reads a log's header.
func (s *Store) head(p files.Place) (store.Header, error) {
	h, err := files.Head(s.home, p)
	if err != nil {
		return store.Header{}, s.unreadable(p, err)
	}
	return headerOf(h), nil
}

// lineOf is a header as a log has it.
func lineOf(h store.Header) harness.SessionHeaderLine {
	line := harness.SessionHeaderLine{
		ID: harness.SessionID(h.ID), CreatedAt: h.CreatedAt, Origin: h.Origin,
		DelegationDepth: int64(h.Depth), AgentPreset: h.Preset, IsSeeded: &h.Seeded,
	}
	if h.Cwd != "" {
		line.CWD = &h.Cwd
	}
	if h.Parent != "" {
		line.ParentSession = new(harness.SessionID(h.Parent))
	}
	return line
}

func headerOf(h *harness.SessionHeaderLine) store.Header {
	out := store.Header{
		ID: string(h.ID), CreatedAt: h.CreatedAt, Origin: h.Origin, Depth: int(h.DelegationDepth),
		Preset: h.AgentPreset, Seeded: h.IsSeeded != nil && *h.IsSeeded,
	}
	if h.CWD != nil {
		out.Cwd = *h.CWD
	}
	if h.ParentSession != nil {
		out.Parent = string(*h.ParentSession)
	}
	return out
}

// unreadable says in the store's terms why a log cannot be read.
func (s *Store) unreadable(p files.Place, err error) error {
	var damaged *log.DamagedError
	var newer *log.IncompatibleError
	var misplaced *files.MisplacedError
	var size *log.SizeError
	switch at := s.path(p.Path()); {
	case errors.As(err, &newer):
		e := &store.FormatError{ID: p.ID, Version: newer.Version, Newest: newer.Newest, Reason: newer.Error(), Path: at}
		if len(newer.Blockers) > 0 {
			e.EventType, e.Seq = newer.Blockers[0].Type, newer.Blockers[0].Seq
		}
		return e
	case errors.As(err, &damaged):
		return &store.DamagedError{ID: p.ID, Line: damaged.Line, Seq: damaged.Expected, Got: damaged.Found, Reason: damaged.Reason, Path: at}
	case errors.As(err, &misplaced) || errors.As(err, &size):
		return s.damaged(p, err.Error())
	}
	return err
}
