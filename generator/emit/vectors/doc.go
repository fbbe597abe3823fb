// Package vectors writes what an implementation must reproduce, as data that
// any language's tests can read: so far the rows of a protocol's machines.
//
// A file of rows holds, for each machine, its states, each with a way there
// from the start, and for each move what it answers and changes. Rows are
// folded: one stands for all states and arguments of which the same is true.
// Nothing in it depends on Go. It must never know a protocol.
package vectors
