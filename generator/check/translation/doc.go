// SPDX-License-Identifier: Apache-2.0

// Package translation keeps the two languages of a specification together.
//
// Each text of a model has a key, its wire path, so that renaming something in
// Go does not matter. The lock file next to the spec, accord.lock.json, records
// per key the hashes of both sides as they were last confirmed to say the same.
// A text of which one side has changed since has drifted: it stays so until the
// other side changes too, or it is confirmed.
//
// The package must never translate, and never confirm a drifted text by itself.
package translation
