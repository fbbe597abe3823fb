// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"iter"
)

// Header is what a log is born with. It never changes.
type Header struct {
	ID        string
	CreatedAt int64  // milliseconds since 1970, UTC
	Cwd       string // absolute; empty: none
	Parent    string // id of the session that delegated to it; empty: a root
	Origin    string // "subagent" or empty
	Depth     int    // delegation depth, 0 for a root
	Seeded    bool   // starts with records of its parent
	Preset    string // agent preset, empty: none
}

// Record is one event of a log: its encoded JSON object, and its sequence,
// which Data repeats.
type Record struct {
	Seq    int64
	Data   []byte
	Stable bool // Data, as Read yields it, never changes: parts of it may be kept
}

// Durability is what a record survives once Append has returned.
type Durability string

// What a store survives.
const (
	Volatile   Durability = ""           // nothing: what it has ends with the process
	Process    Durability = "process"    // the end of the process, a crash included
	Machine    Durability = "machine"    // the end of the machine, a loss of power included
	Replicated Durability = "replicated" // the loss of the machine
)

// Store keeps logs. Its methods may be called from several goroutines.
type Store interface {
	// Durability returns what the store's records survive. It never changes.
	Durability() Durability

	// Create makes an empty log that the caller owns. It
	// never touches a log that exists: ExistsError.
	Create(ctx context.Context, h Header) (Log, error)

	// Open returns a stored log, which the caller then owns. Errors:
	// NotFoundError, LockedError, DamagedError, FormatError. None of them
	// changes or creates anything.
	Open(ctx context.Context, id string) (Log, error)

	// Stat describes a stored log without owning it: NotFoundError,
	// DamagedError, FormatError.
	Stat(ctx context.Context, id string) (Info, error)

	// Read yields the records of a stored log from a sequence on, owned or not:
	// a reader that is behind continues here after the owner has gone. As
	// Log.Read otherwise; a missing log is a NotFoundError in the sequence.
	Read(ctx context.Context, id string, from int64) iter.Seq2[Record, error]

	// List lists stored logs, the last changed first, without children's. A
	// log that cannot be read is named in Skipped and spoils nothing else.
	List(ctx context.Context, q Query) (Page, error)
}

// Attachments is a Store that keeps what messages refer to: images. Without it
// they are not kept, and a message has only the reference.
type Attachments interface {
	// Keep keeps bytes under the id that the reference has: "sha256:" and the
	// digest in hexadecimal. To keep the same again does nothing.
	Keep(ctx context.Context, id string, data []byte) error

	// Find returns kept bytes; NotFoundError.
	Find(ctx context.Context, id string) ([]byte, error)
}

// Log is an owned log. Its methods are called by its owner, one at a time,
// except Read, which may run concurrently with the others.
type Log interface {
	Header() Header

	// Next returns the sequence of the next record: the number of records.
	Next() int64

	// Append adds records after the one with sequence after (-1: the log is
	// empty); their sequences continue from there. Either all are added, and are
	// as durable as the store makes them, or none. The records' bytes belong
	// to the caller again when Append returns. If the log does not end with
	// after, FencedError: another owner wrote, and this handle is dead.
	Append(ctx context.Context, after int64, records ...Record) error

	// Read yields the records from a sequence on, as many as there are at the
	// time of the call. A yielded record's bytes must not be changed, and are
	// valid until the next one if they are not stable. An error ends the
	// sequence.
	Read(ctx context.Context, from int64) iter.Seq2[Record, error]

	// Flush returns when all that was appended is as durable as it gets.
	Flush(ctx context.Context) error

	// Close flushes and gives up the ownership. The log stays.
	Close(ctx context.Context) error
}

// Info is what a listing says of a log.
type Info struct {
	Header    Header
	Title     string // of the last session/title record, empty: none
	UpdatedAt int64  // time of the last record in milliseconds, or CreatedAt
	Next      int64
	Owner     *Owner // who has it open; nil: none, or not known
}

// Owner names the owner of a log, as far as the store knows it.
type Owner struct {
	PID  int
	Host string
}

// Query selects logs for List.
type Query struct {
	Cwd    string // only logs with this working directory; empty: all
	Cursor string // the NextCursor of an earlier Page; empty: from the start
	Limit  int    // at most so many, 1..; 0: the store's choice
}

// Page is one part of a listing.
type Page struct {
	Logs       []Info
	NextCursor string // empty: this is the last page
	Skipped    []Skipped
}

// Skipped names a log that could not be listed.
type Skipped struct {
	Path   string
	Reason string
}
