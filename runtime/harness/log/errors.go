// SPDX-License-Identifier: Apache-2.0

package log

import (
	"fmt"
	"strings"
)

// DamagedError says that a log is broken where it should be whole.
type DamagedError struct {
	Line           int64  // of the text, from 1, which is the header; 0: not known
	Offset         int64  // bytes of the file before the row, or before its frame
	Expected       int64  // the sequence that the row should have; -1: it is not about a row
	Found          int64  // the sequence that it has; -1: it cannot be read
	CommittedAfter bool   // a turn ends at this row or later: work is behind the damage
	Reason         string // what is wrong

	// LostTurns are the turns that end at this row or later, as far as rows behind
	// the damage can be read, and no more than 1000.
	LostTurns []int64
}

// maxLost bounds how many turns are listed as lost.
const maxLost = 1000

func (e *DamagedError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "log is damaged at byte %d", e.Offset)
	if e.Line > 0 {
		fmt.Fprintf(&b, ", line %d", e.Line)
	}
	if e.Expected >= 0 {
		fmt.Fprintf(&b, " (sequence %d expected", e.Expected)
		if e.Found >= 0 {
			fmt.Fprintf(&b, ", %d found", e.Found)
		}
		b.WriteString(")")
	}
	b.WriteString(": ")
	b.WriteString(e.Reason)
	if e.CommittedAfter {
		b.WriteString("; turns that ended follow, so it is not a torn tail: salvage a copy")
	}
	return b.String()
}

// IncompatibleError says that a log is from a writer that knows more than this
// build. Nothing is wrong with the log.
type IncompatibleError struct {
	Version  int       // the log's generation
	Newest   int       // the newest one that this build reads
	Blockers []Blocker // what may not be skipped, in order; none: the generation is too new
	More     int64     // blockers beyond those that are listed
}

// Blocker is a row that may neither be understood nor skipped.
type Blocker struct {
	Line int64  // of the text, from 1, which is the header
	Seq  int64  // of the event
	Type string // of the event
}

// maxBlockers bounds how many blockers an error lists.
const maxBlockers = 100

func (e *IncompatibleError) Error() string {
	if len(e.Blockers) == 0 {
		return fmt.Sprintf("log has generation %d; this build reads 0 to %d: read it with a newer one", e.Version, e.Newest)
	}
	var b strings.Builder
	b.WriteString("log has events that this build does not know and may not skip: ")
	for i, k := range e.Blockers {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q (line %d, sequence %d)", k.Type, k.Line, k.Seq)
	}
	if e.More > 0 {
		fmt.Fprintf(&b, " and %d more", e.More)
	}
	b.WriteString(": read it with a newer build")
	return b.String()
}

// SizeError says that a row is longer than the reader takes.
type SizeError struct {
	Line int64 // of the text, from 1, which is the header
	Max  int   // the limit in bytes
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("line %d of the log has more than %d bytes: raise the limit to read it", e.Line, e.Max)
}
