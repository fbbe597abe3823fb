// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"context"
	"fmt"

	"github.com/accordkit/accord/runtime/store"
)

// Durability says at which barriers a log waits until its rows are durable.
type Durability int

// The durabilities. Close waits with each of them.
const (
	Strict Durability = iota // at all of them: nothing that was reported is lost with the machine's power
	Turn                     // at receipts and turns' ends: a loss of power takes the end of the turn that runs
	None                     // at none: a loss of power takes what the kernel had not written
)

var durabilities = []string{Strict: "strict", Turn: "turn", None: "none"}

// ParseDurability reads "strict", "turn" or "none".
func ParseDurability(s string) (Durability, error) {
	for d, name := range durabilities {
		if s == name {
			return Durability(d), nil
		}
	}
	return 0, fmt.Errorf(`%q is no durability: it is "strict", "turn" or "none"`, s)
}

// String is the word that ParseDurability reads.
func (d Durability) String() string { return durabilities[d] }

// Survives is what a receipt survives, as a store announces it.
func (d Durability) Survives() store.Durability {
	if d == None {
		return store.Process
	}
	return store.Machine
}

// Barrier is a place where a process reports or does something that it could not
// take back.
type Barrier int

// The barriers.
const (
	Receipt   Barrier = iota // before a receipt is sent
	TurnEnd                  // after a turn has ended
	Request                  // before a model request
	ToolStart                // before a tool runs
)

// Barrier waits until what was appended is durable, if the log's durability demands
// it there. Calls that wait together share one sync.
func (l *Log) Barrier(ctx context.Context, b Barrier) error {
	if l.durability == Strict || l.durability == Turn && b <= TurnEnd {
		return l.Flush(ctx)
	}
	return l.stopped()
}
