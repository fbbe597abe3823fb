// SPDX-License-Identifier: Apache-2.0

// Package jsonl keeps session logs in the files of a home, as DSH does: logs of its
// newest generation that DSH opens and continues, and that are opened and continued
// here when DSH wrote them.
//
// Who writes a log holds the lock of its session, which ends with the process. A log
// appears whole: its first rows are written to another name, made durable and then
// linked. What a crash left at the end is cut off before the next row is written, and
// not earlier.
//
// The package must never write outside of the home, whatever an id or a link says,
// never store anything in session.lock, which contenders truncate, and never remove
// that file.
package jsonl
