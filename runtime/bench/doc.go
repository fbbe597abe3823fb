// SPDX-License-Identifier: Apache-2.0

// Command bench measures the shipped path and a peer's, in one run on one
// machine: the delta stream of a session over a process's pipes, a sequential
// round trip, and what an idle session costs in memory.
//
// It is a module of its own, so that its peers are not dependencies of a user.
// Every check is on: what is measured is the engine, its wire and the generated
// client as a host gets them. Rounds are interleaved and medians compared,
// since absolute times say more about the machine than about the code; only
// ratios and counts are worth quoting.
package main
