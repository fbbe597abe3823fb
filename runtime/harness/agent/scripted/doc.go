// SPDX-License-Identifier: Apache-2.0

// Package scripted is an agent that says what its owner has it say, at the
// moment that the owner chooses: the model of a test that must decide at which
// moment a delta, a tool call or the end of an answer comes.
//
// It keeps what it has to say per session until a step takes it. It must never
// say anything of its own, and never outlive a step's context.
package scripted
