// SPDX-License-Identifier: Apache-2.0

// Package core is the session engine's state: a root session and its
// descendants, and what each command makes of them.
//
// It is pure. A method takes a command, changes the state and appends what
// must be done to the family's outputs: rows for the log, frames for the
// subscribers, answers, turns to start and to stop. The order of the outputs is
// the order on the wire. Time and ids come from Options.
//
// The package must never start a goroutine, take a lock, do I/O or call an
// agent. Its caller owns a Family alone while it calls it.
package core
