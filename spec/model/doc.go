// SPDX-License-Identifier: Apache-2.0

// Package model is what a declaration says, as plain data: the resolved
// protocol that every emitter, check and document reads.
//
// A model is serializable, has one canonical JSON form and a hash, and each of
// its parts knows where it was declared. The spec program writes one (see
// package spec), the loader adds positions and texts, and from there on it does
// not change: emitters must treat a model as read only, and nothing in here may
// know a particular protocol.
//
// A member path names a member below a payload: wire names joined by dots.
// Below a union whose variants are chosen by a tag, the tag's value takes the
// place of a name, and the member that holds the content is not named: in
// {"event": {"type": "turn/end", "seq": 7, "data": {"reason": …}}} the paths are
// "event.seq", "event.turn/end" (the variant) and "event.turn/end.reason".
package model
