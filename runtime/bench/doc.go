// SPDX-License-Identifier: Apache-2.0

// Command bench measures the shipped path and its peers, in one run on one
// machine: one, 8 and 64 callers and the delta stream of a session, over a
// process's pipes with the whole engine and with the generated layers alone,
// and what an idle session costs in memory.
//
// It is a module of its own, so that its peers are not dependencies of a user.
// Every check is on: what is measured is the engine, its wire and the generated
// client as a host gets them. Rounds are interleaved and medians compared,
// since absolute times say more about the machine than about the code; only
// ratios and counts are worth quoting.
//
// The peers are go.lsp.dev/jsonrpc2, which the gates compare with, and
// creachadair/jrpc2 and coder/acp-go-sdk, which are reported. The table of
// workloads has the goals; a gate, with -gate, is a goal less the room that
// noise needs.
package main
