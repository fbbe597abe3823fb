// SPDX-License-Identifier: Apache-2.0

// Package track is what generated client handles stand on: it follows the work
// that a peer does, from the ticket in a response to the end of the activity
// that took it.
//
// A Scope is one ordered stream of messages, a session's say. Its messages come
// in on the goroutine that reads the connection and go out to a handler, one at
// a time, and to the Runs that they belong to. A Run is one accepted call: it
// waits for an activity to take its ticket, collects that activity's messages
// and settles once, as the protocol's own outcome or because the connection is
// lost. A Caller makes the calls: it refuses what the peer lacks, asks peers
// that announce nothing once, and repeats only what may be repeated.
//
// What a message means (which ticket, which activity, which end) is decided by
// a Knowledge that generated code, and a little by hand, implements for one
// protocol. The package itself must know no protocol, must never block the
// reading goroutine on a handler, a consumer or a write, and must keep within
// its bounds whatever a peer sends and however slow a host is.
package client
