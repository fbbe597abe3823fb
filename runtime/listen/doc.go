// SPDX-License-Identifier: Apache-2.0

// Package listen opens the endpoints at which a runtime can be reached besides
// its standard streams: a Unix socket and a WebSocket.
//
// Both are for this user on this machine alone. A Unix socket lies in a folder
// of its owner's, and its peer's user is checked. A WebSocket is bound to the
// loopback address; a request needs a Host that names it (a page that rebinds
// its own name does not), an Origin, if it has one, that was allowed, and the
// token of a file that only its owner can read.
//
// A connection is a stream of lines, whatever carries it. The package must
// never look into one.
package listen
