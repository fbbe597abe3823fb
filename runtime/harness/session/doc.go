// SPDX-License-Identifier: Apache-2.0

// Package session is the engine behind the wire: it keeps sessions, drives
// agents in them, writes their logs and serves the protocol's methods to any
// number of connections.
//
// A session and its descendants are a family. What happens to a family is
// decided by one pure state (internal/core) which a mailbox owns: commands come
// in, rows go to the log, and what the subscribers get follows in the same
// order. The mailbox is drained by a goroutine only while there is work, so a
// session at rest costs its log and a few words. A turn's agent runs on a
// goroutine of its own and says everything through the mailbox, which is why
// nothing of a turn can follow its end.
//
// The package must never hold a lock while it calls a store, an agent or a
// connection, never let one family wait for another, and never write to the
// wire what is not in the log.
package session
