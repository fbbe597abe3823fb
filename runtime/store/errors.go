// SPDX-License-Identifier: Apache-2.0

package store

import "fmt"

// NotFoundError says that no log has the id.
type NotFoundError struct{ ID string }

func (e *NotFoundError) Error() string { return fmt.Sprintf("store: no log has the id %q", e.ID) }

// IDError says that no log can have the id.
type IDError struct{ ID, Reason string }

func (e *IDError) Error() string { return "store: no log can have the id: " + e.Reason }

// ExistsError says that a log with the id exists already.
type ExistsError struct{ ID string }

func (e *ExistsError) Error() string {
	return fmt.Sprintf("store: a log with the id %q exists; open it instead of creating it", e.ID)
}

// CursorError says that a listing cannot continue from a cursor, which is not one
// that the store gave.
type CursorError struct{ Cursor string }

func (e *CursorError) Error() string {
	return fmt.Sprintf("store: cursor %q is not one of this store: begin again without it", e.Cursor)
}

// LockedError says that the log has another owner now.
type LockedError struct {
	ID    string
	Owner *Owner // nil: not known
}

func (e *LockedError) Error() string {
	if e.Owner == nil {
		return fmt.Sprintf("store: log %q is open elsewhere", e.ID)
	}
	return fmt.Sprintf("store: log %q is open in process %d on %q", e.ID, e.Owner.PID, e.Owner.Host)
}

// FencedError says that the log no longer ends where its owner left it: another
// owner has taken over. The handle must not be used again, except to close it.
type FencedError struct {
	ID    string
	After int64 // where the append was to continue
	Last  int64 // where the log ends; -1: not known
}

func (e *FencedError) Error() string {
	if e.Last < 0 {
		return fmt.Sprintf("store: log %q does not end with sequence %d any more: another owner took over", e.ID, e.After)
	}
	return fmt.Sprintf("store: log %q ends with sequence %d, not %d: another owner took over", e.ID, e.Last, e.After)
}

// DamagedError says that a log cannot be read.
type DamagedError struct {
	ID     string
	Line   int64 // from 1; 0: not known
	Seq    int64 // expected there; -1: not known
	Got    int64 // found there; -1: nothing legible
	Reason string
	Path   string // the log in the store's own terms, empty: it has none
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("store: log %q is damaged in line %d (expected sequence %d, found %d): %s", e.ID, e.Line, e.Seq, e.Got, e.Reason)
}

// FormatError says that a log was written in a format that this build does not
// read.
type FormatError struct {
	ID      string
	Version int
	Newest  int // the newest version that can be read
	Reason  string
	Path    string // the log in the store's own terms, empty: it has none

	EventType string // an event type that is not known and may not be ignored; empty: the format itself is too new
	Seq       int64  // of that event
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("store: log %q has format version %d (%s); this build reads versions up to %d", e.ID, e.Version, e.Reason, e.Newest)
}
