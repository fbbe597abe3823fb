// SPDX-License-Identifier: Apache-2.0

// Package spec is the language in which a protocol is declared: Go values,
// checked by the compiler.
//
// A protocol's author writes plain Go structs for payloads and one package
// variable for each method, notification, activity and error: a pointer to a
// struct literal whose fields are the words of the language. What is left
// unsaid is the zero value, which lint reports as a hole; so the zero of every
// enum in here means "not said" and is never a legal choice.
//
// Declarations stand in layers, and the later names the earlier, so that Go's
// initialisation never cycles: types, then errors, scopes and capabilities,
// then notifications and links, then activities, then methods, then machines,
// then the protocol.
//
// Members are named by selector functions that return the address of a field,
// never by strings:
//
//	func(p *PromptParams) any { return &p.IdempotencyKey }
//
// The package only describes. It must never run a protocol, read a file or
// print; Model turns a declaration into data for the generator.
package spec
