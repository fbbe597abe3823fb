// SPDX-License-Identifier: Apache-2.0

package log

import (
	"errors"
	"io"
)

// Report is what Verify and Salvage found in a log.
type Report struct {
	Rows  int64 // events that were read; those of packed rows one by one
	Turns int64 // the last turn that began; generation 4 only
	Open  bool  // a turn is open, because its process ended or still runs; generation 4 only
	Tail  *Tail // what a crash left at the end; nil: nothing

	Damaged      *DamagedError      // nil: the log can be read to its end
	Incompatible *IncompatibleError // nil: every event is known or may be skipped
	Violation    *Violation         // the first row that does not fit; generation 4 only
	Line         int64              // of the violation, from 1, which is the header

	// Headless says that the conversation has no system message in front: DSH
	// opens the log once, and refuses it when it has continued it.
	Headless bool

	// Of Salvage: rows that were kept, and the turns that ended among those that
	// were not.
	Kept      int64
	LostTurns []int64
}

// Sound reports whether DSH of the log's generation opens the log and can continue
// it more than once.
func (r *Report) Sound() bool {
	return r.Damaged == nil && r.Incompatible == nil && r.Violation == nil && !r.Headless
}

// Verify reads a log to its end and reports what is wrong with it. Only what the
// io.Reader returns, and a SizeError, are errors.
func Verify(l *Reader) (*Report, error) { return inspect(l, func(Row) error { return nil }) }

// Salvage gives keep the rows that are sound, up to the first that is damaged or
// does not fit, and reports the turns that are lost. A torn tail, and a turn that
// is left open, are kept as they are for the next writer. Rows that this build does not
// know are kept. The rows of a file's text are their Line, written once for rows
// that were packed.
func Salvage(l *Reader, keep func(Row) error) (*Report, error) { return inspect(l, keep) }

func inspect(l *Reader, keep func(Row) error) (*Report, error) {
	report := new(Report)
	var c *Checker
	if l.Header().Version == Newest {
		c = NewChecker(l.Header())
	}
	check := func(err error) {
		if errors.As(err, &report.Violation) {
			report.Line = l.Line()
		}
	}
	var err error
	for {
		var r Row
		if r, err = l.Next(); err != nil {
			break
		}
		report.Rows++
		if c != nil && report.Violation == nil && (r.Ignorable || declared(r.Type)) {
			check(c.Check(r))
		} else if c != nil && report.Violation == nil {
			c.skip(r)
		}
		if report.Violation != nil {
			report.LostTurns = appendTurn(report.LostTurns, r)
			continue
		}
		if err := keep(r); err != nil {
			return report, err
		}
		report.Kept++
	}
	damaged := errors.As(err, &report.Damaged)
	incompatible := errors.As(err, &report.Incompatible)
	if !damaged && !incompatible && !errors.Is(err, io.EOF) {
		return report, err
	}
	if damaged {
		report.LostTurns = append(report.LostTurns, report.Damaged.LostTurns...)
	}
	report.Tail = l.Tail()
	if c == nil {
		return report, nil
	}
	if report.Violation == nil && !damaged {
		check(c.End())
	}
	report.Turns, report.Open, report.Headless = c.Turn(), c.Open(), c.Headless()
	return report, nil
}
