// SPDX-License-Identifier: Apache-2.0

// Package demo is `accord demo`: a declaration, what came out of it, and a live
// session over a real child process, shown as a timeline in which acceptance
// and settlement are two separate things.
//
// It stands on the generated client as any host does, and must know nothing
// about the runtime that it starts.
package demo
