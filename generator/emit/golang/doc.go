// SPDX-License-Identifier: Apache-2.0

// Package golang renders a protocol model as Go: payload types, the codecs that
// read and write them, typed errors, and the two sides that send them.
//
// What comes out must pass for hand-written: documented, gofumpt-clean, split by
// theme, boring enough to review by eye. Whatever is clever lives in the runtime
// packages, is written once and tested there; generated code names members and
// calls.
//
// All identifiers are computed in names.go, and a clash between them is a
// problem at the author's line, not a compile error in the output. Declarations
// are written through source.decl alone, which knows what jennifer and gofumpt
// want. The same model gives the same bytes.
//
// The package must not know any protocol, and must not read or write a file.
package golang
