// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"sync"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/log"
	"github.com/accordkit/accord/runtime/harness/log/files"
	"github.com/accordkit/accord/runtime/store"
)

// lockName is the file that the owner of a session locks.
const lockName = "session.lock"

// Log is a log that its owner writes. Append, Closers and Close are called one at a
// time; Flush and Barrier may be called by several goroutines, which then share one sync.
type Log struct {
	home    FS
	place   files.Place
	header  harness.SessionHeaderLine
	checker *log.Checker
	lock    io.Closer // nil: nothing has been written
	file    File      // nil: nothing has been written, or the log is closed
	next    int64     // rows
	size    int64     // of the file, to the end of what is whole
	tail    *log.Tail // that the next append repairs

	durability Durability

	mu     sync.Mutex
	err    error         // why the log stopped for good
	wrote  int64         // appends
	synced int64         // appends that are durable
	busy   chan struct{} // closed when the sync that runs is over; nil: none runs
}

// StoppedError says that a log takes no more rows, because what its file has is not
// known. It must be closed, and opened anew.
type StoppedError struct {
	ID  string
	Err error // what happened
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("log %q has stopped: close it and open it again: %v", e.ID, e.Err)
}

func (e *StoppedError) Unwrap() error { return e.Err }

// Options say how logs are written.
type Options struct {
	Encoding   log.Encoding // of a log that is created; a home has one
	Durability Durability
}

// Create begins a log that does not exist: store.ExistsError. Nothing is written
// before its first rows, and no lock is held.
func Create(home FS, h harness.SessionHeaderLine, o Options) (*Log, error) {
	if _, err := log.AppendHeader(nil, h); err != nil {
		return nil, err
	}
	found, err := files.Find(home, string(h.ID))
	if err != nil {
		return nil, err
	}
	if len(found) > 0 {
		return nil, &store.ExistsError{ID: string(h.ID)}
	}
	segment, err := files.Segment(string(h.ID))
	if err != nil {
		return nil, err
	}
	cwd := ""
	if h.CWD != nil {
		cwd = *h.CWD
	}
	h.Version = log.Newest
	l := &Log{home: home, header: h, durability: o.Durability}
	l.checker = log.NewChecker(&l.header)
	l.place = files.Place{
		ID: string(h.ID), Version: log.Newest, Encoding: o.Encoding,
		Dir: path.Join(files.Sessions, files.Project(cwd), segment),
	}
	return l, nil
}

// Open opens a stored log for writing, and locks it. One of an older generation is
// migrated next to the old file, which stays. Errors: store.NotFoundError,
// store.LockedError, store.DamagedError, store.FormatError, migrate.RefusedError, and
// those of the file system.
func Open(home FS, id string, o Options) (*Log, error) {
	found, err := files.Find(home, id)
	if err != nil {
		return nil, err
	}
	switch {
	case len(found) == 0:
		return nil, &store.NotFoundError{ID: id}
	case len(found) > 1:
		return nil, &store.DamagedError{
			ID: id, Seq: -1, Got: -1, Path: found[0].Path(),
			Reason: "the id is stored in several projects, also at " + found[1].Path(),
		}
	}
	l := &Log{home: home, place: found[0], durability: o.Durability}
	if err := l.acquire(); err != nil {
		return nil, err
	}
	if err := l.load(); err != nil {
		return nil, errors.Join(l.typed(err), l.Close())
	}
	return l, nil
}

func (l *Log) acquire() error {
	lock, err := l.home.Lock(path.Join(l.place.Dir, lockName))
	if errors.Is(err, ErrLocked) {
		return &store.LockedError{ID: l.place.ID}
	}
	if err != nil {
		return err
	}
	l.lock = lock
	return nil
}

// typed is an error of reading in the terms of a store.
func (l *Log) typed(err error) error {
	var damaged *log.DamagedError
	var newer *log.IncompatibleError
	var misplaced *files.MisplacedError
	switch {
	case errors.As(err, &newer):
		e := &store.FormatError{ID: l.place.ID, Version: newer.Version, Newest: newer.Newest, Reason: newer.Error(), Path: l.place.Path()}
		if len(newer.Blockers) > 0 {
			e.EventType, e.Seq = newer.Blockers[0].Type, newer.Blockers[0].Seq
		}
		return e
	case errors.As(err, &damaged):
		return &store.DamagedError{ID: l.place.ID, Line: damaged.Line, Seq: damaged.Expected, Got: damaged.Found, Reason: damaged.Error(), Path: l.place.Path()}
	case errors.As(err, &misplaced):
		return &store.DamagedError{ID: l.place.ID, Line: 1, Seq: -1, Got: -1, Reason: misplaced.Error(), Path: l.place.Path()}
	}
	return err
}

// load reads the log, after it has been migrated if that is necessary, and opens it
// for writing.
func (l *Log) load() error {
	if l.place.Version < log.Newest {
		if err := l.upgrade(); err != nil {
			return err
		}
	}
	rows := int64(0)
	reader, err := l.scan(func(r log.Row) error {
		rows++
		if err := l.checker.Check(r); err != nil {
			return &store.DamagedError{ID: l.place.ID, Line: r.Seq + 2, Seq: r.Seq, Got: r.Seq, Reason: err.Error(), Path: l.place.Path()}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := l.checker.End(); err != nil {
		return &store.DamagedError{ID: l.place.ID, Line: rows + 1, Seq: rows, Got: -1, Reason: err.Error(), Path: l.place.Path()}
	}
	l.next, l.tail = rows, reader.Tail()
	// The process that gave the log its name may have died before it was durable.
	if err := l.home.SyncDir(l.place.Dir); err != nil {
		return err
	}
	return l.reopen()
}

// reopen opens the file for writing.
func (l *Log) reopen() error {
	f, err := l.home.Append(l.place.Path())
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.file = f
	l.mu.Unlock()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	l.size = info.Size()
	return nil
}

// scan reads the log's rows. The reader is at its end, and closed.
func (l *Log) scan(each func(log.Row) error) (*log.Reader, error) {
	r, f, err := files.Open(l.home, l.place, 0)
	if err != nil {
		return nil, err
	}
	l.header = *r.Header()
	l.checker = log.NewChecker(&l.header)
	for row, err := range r.Rows() {
		if err == nil {
			err = each(row)
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return r, f.Close()
}

// Header is the log's header.
func (l *Log) Header() harness.SessionHeaderLine { return l.header }

// Next is the sequence of the next row: the number of rows.
func (l *Log) Next() int64 { return l.next }

// Closers are the rows with which a log that was opened continues: those that close
// what a crash left open, and, in a batch of its own, the one that says that a new
// process begins. The latter is nil if the log ends with one. Both are for Append.
func (l *Log) Closers(now int64) (closers []log.Row, endSeed []log.Row) {
	closers = l.checker.Closers()
	seed, ok := l.checker.EndSeed(now)
	if ok {
		seed.Seq += int64(len(closers))
		endSeed = []log.Row{seed}
	}
	return closers, endSeed
}

// Append adds rows after the one with sequence after; -1: there is none. Their Seq
// is set. All of them are added with one write, or none: then the log may be
// appended to again, unless the error is a StoppedError or a store.FencedError. A
// row that DSH would refuse is a log.Violation. Rows are durable after Flush.
func (l *Log) Append(after int64, rows ...log.Row) error {
	if err := l.stopped(); err != nil {
		return err
	}
	if after != l.next-1 {
		return &store.FencedError{ID: l.place.ID, After: after, Last: l.next - 1}
	}
	if len(rows) == 0 {
		return nil
	}
	var text []byte
	for i, r := range rows {
		r.Seq = l.next + int64(i)
		if err := l.checker.Check(r); err != nil {
			return l.rewind(err)
		}
		text = append(r.Append(text), '\n')
	}
	first := l.file == nil
	var err error
	if first {
		err = l.publish(text)
	} else {
		err = l.add(text)
	}
	if err != nil {
		return err
	}
	l.next += int64(len(rows))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wrote++
	if first {
		l.synced = l.wrote
	}
	return nil
}

func (l *Log) stopped() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

func (l *Log) stop(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = &StoppedError{l.place.ID, err}
	}
	return l.err
}

// add writes at the end of the file.
func (l *Log) add(text []byte) error {
	info, err := l.file.Stat()
	if err != nil {
		return l.stop(err)
	}
	if info.Size() != l.size {
		return l.stop(fmt.Errorf("another process has written to the log, it has %d bytes instead of %d: %w",
			info.Size(), l.size, &store.FencedError{ID: l.place.ID, After: l.next - 1, Last: -1}))
	}
	if l.tail != nil {
		if text, err = l.repair(text); err != nil {
			return err
		}
	}
	batch := log.AppendBatch(nil, l.place.Encoding, text)
	n, err := l.file.Write(batch)
	if err == nil && n < len(batch) {
		err = io.ErrShortWrite
	}
	if err != nil {
		if undo := l.file.Truncate(l.size); undo != nil {
			return l.stop(errors.Join(err, undo))
		}
		if undo := l.file.Sync(); undo != nil {
			return l.stop(errors.Join(err, undo))
		}
		return l.rewind(err)
	}
	l.size += int64(n)
	return nil
}

// rewind brings the checker back to what the file has, after rows that were not
// added because of cause.
func (l *Log) rewind(cause error) error {
	if l.file == nil {
		l.checker = log.NewChecker(&l.header)
		return cause
	}
	if _, err := l.scan(l.check); err != nil {
		return l.stop(errors.Join(cause, err))
	}
	return cause
}

func (l *Log) check(r log.Row) error { return l.checker.Check(r) }

// repair truncates the torn end of the file, and returns text with the rows in
// front that a cut frame still had.
func (l *Log) repair(text []byte) ([]byte, error) {
	var kept []byte
	if l.tail.Recovered > 0 {
		checker := l.checker
		_, err := l.scan(func(r log.Row) error {
			if r.Seq >= l.next-int64(l.tail.Recovered) {
				kept = append(append(kept, r.Line...), '\n')
			}
			return nil
		})
		l.checker = checker
		if err != nil {
			return nil, l.stop(err)
		}
	}
	if err := l.file.Truncate(l.tail.Offset); err != nil {
		return nil, l.stop(err)
	}
	l.size, l.tail = l.tail.Offset, nil
	if len(kept) == 0 {
		return text, nil
	}
	// The rows are in no file until they are written again.
	batch := log.AppendBatch(nil, l.place.Encoding, kept)
	n, err := l.file.Write(batch)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		return nil, l.stop(err)
	}
	l.size += int64(n)
	return text, nil
}

// publish writes the first rows, and gives them the log's name.
func (l *Log) publish(text []byte) error {
	if err := MkdirAll(l.home, l.place.Dir); err != nil {
		return l.unpublished(err)
	}
	if l.lock == nil {
		if err := l.acquire(); err != nil {
			return l.unpublished(err)
		}
	}
	err := l.link(l.place, func(w io.Writer) error {
		b, err := log.AppendHeader(nil, l.header)
		if err != nil {
			return err
		}
		b = log.AppendBatch(nil, l.place.Encoding, b)
		_, err = w.Write(log.AppendBatch(b, l.place.Encoding, text))
		return err
	})
	if errors.Is(err, fs.ErrExist) {
		return l.stop(&store.ExistsError{ID: l.place.ID})
	}
	if err != nil {
		return l.unpublished(err)
	}
	if err := l.reopen(); err != nil {
		return l.stop(err)
	}
	return nil
}

// unpublished is err, after which the log may be appended to again if nothing has
// its name.
func (l *Log) unpublished(err error) error {
	if found, bad := files.Find(l.home, l.place.ID); bad != nil || len(found) > 0 {
		return l.stop(errors.Join(err, bad))
	}
	return l.rewind(err)
}

// link writes a file and gives it the name of a place when it is durable.
func (l *Log) link(p files.Place, write func(io.Writer) error) error {
	return Publish(l.home, p.Path(), write)
}

// Flush returns when all that was appended is durable. Calls that wait together
// share one sync. After an error of the file system the log has stopped.
func (l *Log) Flush(ctx context.Context) error {
	l.mu.Lock()
	want := l.wrote
	for l.err == nil && l.synced < want {
		if busy := l.busy; busy != nil {
			l.mu.Unlock()
			select {
			case <-busy:
			case <-ctx.Done():
				return ctx.Err()
			}
			l.mu.Lock()
			continue
		}
		done := make(chan struct{})
		l.busy = done
		covers, file := l.wrote, l.file
		l.mu.Unlock()
		err := file.Sync()
		l.mu.Lock()
		l.busy = nil
		close(done)
		if err == nil {
			l.synced = max(l.synced, covers)
		} else if l.err == nil {
			l.err = &StoppedError{l.place.ID, err}
		}
	}
	defer l.mu.Unlock()
	return l.err
}

// Close makes what was appended durable and gives up the log, when no other call
// runs. The lock is given up in any case.
func (l *Log) Close() error {
	var err error
	if l.file != nil {
		err = l.Flush(context.Background())
		err = errors.Join(err, l.file.Close())
		l.mu.Lock()
		l.file = nil
		l.mu.Unlock()
	}
	_ = l.stop(fs.ErrClosed)
	if l.lock != nil {
		err = errors.Join(err, l.lock.Close())
		l.lock = nil
	}
	return err
}
