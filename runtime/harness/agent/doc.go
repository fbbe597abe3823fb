// SPDX-License-Identifier: Apache-2.0

// Package agent is the contract between the session engine and what thinks in
// it: a model, or something that behaves like one.
//
// The shape is a model's with tools. A Step produces one assistant message,
// piece by piece, and says why it stopped; the tool calls in it are then run,
// one after another, and the next Step sees their results. What came before is
// in the request's messages; an agent keeps nothing about a session that it
// could not work out from them, so that a session can be closed, stored and
// continued elsewhere.
//
// The engine writes the log: turns, steps, messages, calls, results. An agent
// must never write to a session, never outlive its context without need (it is
// abandoned after a grace, and what it says then is dropped), and never assume
// that two calls come on one goroutine.
package agent
