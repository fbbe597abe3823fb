// SPDX-License-Identifier: Apache-2.0

package main

// text40 is what one delta says: 40 characters, as a model's bursts are.
const text40 = "the quick brown fox jumps over the dogs "

// sessionID is the session of all workloads.
const sessionID = "order-42"

// delta, cancelParams and cancelResult are the payloads as the peers' users
// write them: structs with tags. The members are those of our own frames.
type delta struct {
	SessionID string `json:"sessionId"`
	Turn      int64  `json:"turn"`
	Step      int64  `json:"step"`
	Attempt   int64  `json:"attempt"`
	N         int64  `json:"n"`
	Index     int64  `json:"index"`
	Kind      string `json:"kind"`
	Text      string `json:"text"`
}

func newDelta(session string, n int64) *delta {
	return &delta{session, 1, 1, 1, n, 0, "text", text40}
}

type cancelParams struct {
	SessionID string `json:"sessionId"`
}

type cancelResult struct {
	Cancelled bool     `json:"cancelled"`
	Effect    string   `json:"effect"`
	Withdrawn []string `json:"withdrawn"`
}

type promptParams struct {
	SessionID string `json:"sessionId"`
	N         int64  `json:"n"`
}
