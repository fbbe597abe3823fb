// SPDX-License-Identifier: Apache-2.0

// Package jsonschema renders a protocol model as one JSON Schema bundle
// (draft 2020-12).
//
// The bundle's $defs hold every payload type under its declared name, and each
// message under a dotted name that no type can have: "request.a.b",
// "response.a.b", "notification.a", "error.kind", "frame.client" and
// "frame.server". Its root accepts any frame of the protocol.
//
// Schemas are open, as readers are: members that are not known are allowed,
// enum values and union variants too unless the author closed them. What is
// known is held to its shape. Texts are in English, with the Chinese text in an
// x-zh member next to each description; facts that JSON Schema cannot express
// are in further x- members.
//
// The package builds documents with invopop/jsonschema's Schema and never
// reflects on a Go type. It must not know any protocol, and must not read or
// write a file.
package jsonschema
