// SPDX-License-Identifier: Apache-2.0

// Package harness declares the agent-session wire: the protocol by which a host
// drives sessions of a coding agent.
//
// It is the wire of the DeepSeek Harness SDK, unchanged, plus the methods on
// sessions that its users ask for: cancel, close, load, wait, status, list.
// Two older generations of peers, which never negotiate, are part of it.
//
// Everything in here is declaration, read by the generator. Payloads are in
// the files named types and enums; then come errors, scopes and capabilities,
// notifications, activities, methods and the session machine, and protocol.go
// lists it all in the order of the documents. Each declaration has its text in
// English first and in Chinese after "zh:"; the two must agree.
//
// The package must not run anything: no I/O, no clocks, no state.
package harness
