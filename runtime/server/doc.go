// SPDX-License-Identifier: Apache-2.0

// Package serve is what generated servers stand on: what must hold before a
// handler runs, how errors are written to each kind of peer, and the order of
// calls that run one after another.
//
// Generated code holds the tables, this package the rules that go with them. It
// knows no protocol, and must not: a word of the declaration language that it
// does not know yet is a field in Rules, never a case for one method.
package server
