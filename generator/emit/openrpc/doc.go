// SPDX-License-Identifier: Apache-2.0

// Package openrpc renders a protocol model as an OpenRPC 1.4 document.
//
// A document's methods are what a client may send: requests, and notifications,
// which have no result. Params go by name. components.schemas are the JSON
// Schema emitter's. What OpenRPC has no word for stands in members that begin
// with x-, each left out where there is nothing to say:
//
//	of the document
//	x-format              1: the version of these members
//	x-server              what clients call the side that serves
//	x-unknown-members     kept or dropped, by readers
//	x-from-server         what the server may send, as methods
//	x-negotiation         how the sides agree on a version
//	x-scopes              what messages belong to, with its queue
//	x-capabilities        what a side announces before the other may use it
//	x-errors              every error by kind: its code, what to do after it, the schema of its data
//	x-activities          work that outlives its call: how it begins and ends, and what its ends mean
//	x-links               how a ticket leads to the key of an activity
//	x-generations         peers that never negotiated: what they lack, how they differ
//	x-limits, x-rules     bounds by name; what no other word can say
//
//	of a method
//	x-accepts             what the response proves: done, admitted (by this process) or durable
//	x-settles             by kind of result, what proves that the work is over
//	x-repeats             what a repeated call does; keyed: key, scope, window, fingerprint, conflict
//	x-runs                shared: concurrently with any call; serial: one after another in its scope;
//	                      quick: answered where it was read
//	x-scope               the scope, its member; whether the call opens, attaches or closes it
//	x-fences              members that name what the call may touch, and the result if that is over
//	x-cancels, x-needs    an activity; a capability
//	x-interrupts          the method that begins new work in the same operation
//	x-undoes, x-shutdown  the method whose calls it withdraws; whether it asks the server to end
//	x-fails               kinds of errors: several may share a code, which errors cannot
//	x-answers-at          the member by which the caller chooses when the response is sent
//	x-deferred, x-after   the response's place in the scope's stream; what precedes it
//	x-also-notify         may come without an id
//	x-params              the schema of the params as a whole
//	x-refused             examples that fail, each with the error's kind
//	x-pages, x-replays, x-absent-as, x-steps, x-together, x-before-negotiation, x-refusals,
//	x-prechecks, x-legacy, x-lacked-by, x-since, x-stability, x-deprecated
//	                      as the declaration says, see docs/language.md
//
//	of a notification
//	x-live, x-seq, x-carries   how it may be merged; what orders it; which activity's key it bears
//
// Each description has the Chinese text next to it, in x-description-zh.
//
// The package must not know any protocol, and must not read or write a file.
package openrpc
