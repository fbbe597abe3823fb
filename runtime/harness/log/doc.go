// SPDX-License-Identifier: Apache-2.0

// Package log reads and writes the logs in which DeepSeek Harness (DSH) keeps
// its sessions: generation 4, which DSH 0.2.1 writes, and generations 0 to 3,
// which it reads.
//
// A log is a header line and one row for each event. It lies in a file as text,
// or as zstd frames: the header alone in the first, one batch of whole rows in
// each of the others. A Reader takes either from an io.Reader, holds one row at
// a time, and expands the packed rows of generations 0 and 1.
//
// Three kinds of trouble are distinguished:
//
//   - A torn tail is what a crash leaves behind: rows at the end that no turn's
//     end follows. Reading ends before it, and Tail describes it.
//   - A DamagedError is any other broken row or frame: work that was committed
//     is lost or in doubt.
//   - An IncompatibleError is a sound log of a writer that knows more: a newer
//     generation, or event types that this build may not skip. All of them are
//     reported together.
//
// A Checker holds the relations between rows that DSH checks whenever it opens a
// log, and knows what is open, so that Closers can end an interrupted turn as DSH
// does. Verify, Salvage and Usage stand on both and write nothing to what they
// read.
//
// The package must never open a file; the caller gives and keeps readers and
// writers.
package log
