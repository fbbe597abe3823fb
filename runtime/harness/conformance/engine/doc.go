// SPDX-License-Identifier: Apache-2.0

// Package engine puts this module's own session engine under the case player:
// with a scripted agent in it, so that the script says what the model answers.
//
// It is apart from package conformance because that one plays a client and must not
// compile an engine.
package engine
