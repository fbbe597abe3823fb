// SPDX-License-Identifier: Apache-2.0

// Package store is the contract between the session engine and whatever keeps
// session logs: files, memory, a message broker.
//
// A log is a header and records, one record an event, numbered from 0 without
// a gap. It has one owner at a time. The owner's handle appends, and every
// append names the sequence it follows: that is the fence. A new owner's first
// append moves the log on, and from then on the old owner's appends fail with
// a FencedError, whatever leases or locks say.
//
// The package declares the contract alone. It must never interpret an event's
// data beyond its sequence, and never know of connections or agents.
package store
