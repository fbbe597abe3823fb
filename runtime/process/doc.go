// SPDX-License-Identifier: Apache-2.0

// Package process starts child processes that speak a protocol on their
// standard streams, and ends them for certain.
//
// A child gets a process group of its own, pipes for stdin and stdout, and its
// stderr is always drained into a bounded ring whose last lines explain a
// failure. It ends by a ladder in which each rung has a bound: the protocol's
// own shutdown, the end of stdin, SIGTERM to the group, SIGKILL to the group.
// No caller waits for a grandchild that inherited a pipe.
//
// The package knows no protocol. It must never start a child again by itself,
// write to its own process's standard streams, or leave a goroutine behind
// once a child is gone.
package process
