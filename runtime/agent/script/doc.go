// Package script is an agent that answers as it was told to: each answer with
// its pieces, its pauses, its tool calls, its cost or its failure. It stands in
// for a model whose answers are known, a recorded one say.
//
// An agent is asked for the answer to a prompt's n-th step. It must never
// answer what it was not told: a missing answer fails the turn.
package script
