// SPDX-License-Identifier: Apache-2.0

// Package contract is what generated code of both sides stands on besides
// frames and text: the classes of retry, what every typed error can say, and the
// constant by which generated code and runtime know that they fit. What only a
// server needs is in package serve, what only a client needs in package track.
//
// It knows no protocol, and must not grow into one: what only one protocol
// needs belongs to that protocol.
package contract
