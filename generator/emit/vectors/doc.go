// SPDX-License-Identifier: Apache-2.0

// Package vectors writes what an implementation must reproduce, as data that
// any language's tests can read: the rows of a protocol's machines, and what its
// codecs read, write and refuse.
//
// A file of rows holds, for each machine, its states, each with a way there
// from the start, and for each move what it answers and changes. Rows are
// folded: one stands for all states and arguments of which the same is true.
//
// A file of codec vectors holds, for each payload type, values with the text
// that a writer makes of them, texts with what a reader writes again, and texts
// that it refuses, with the kind of the error and the path of the member; and
// each example of a message as a frame. All of it is derived from what the
// model declares: a bound makes the vectors on both sides of it, an open enum
// one with an unknown value.
//
// Nothing in it depends on Go. It must never know a protocol.
package vectors
