// SPDX-License-Identifier: Apache-2.0

// Package doctext turns the doc comments of a declaration into texts of documents.
// A comment begins with the Go name of what it is about, and names members as
// Go does; a document does neither. It must not know any protocol.
package doctext
