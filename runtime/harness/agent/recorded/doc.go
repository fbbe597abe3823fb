// SPDX-License-Identifier: Apache-2.0

// Package recorded is an agent whose answers are known beforehand, from a log
// say: each with its pieces, its pauses, its tool calls, its cost or its failure.
//
// An agent is asked for the answer to a prompt's n-th step. It must never
// answer what it was not given: a missing answer fails the turn. Where a test has
// to say what comes next while the turn runs, see package scripted.
package recorded
