// SPDX-License-Identifier: Apache-2.0

// Package scripted is an agent that says what its owner tells it to, when it is
// told: the model of a test that must decide at which moment a delta, a tool
// call or the end of an answer comes.
//
// It keeps what it was told per session until a step takes it. It must never
// say anything of its own, and never outlive a step's context.
package scripted
