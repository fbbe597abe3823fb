// SPDX-License-Identifier: Apache-2.0

package client

import (
	"iter"
	"sync"

	"github.com/accordkit/accord/runtime/codec"
)

// Spare hands out messages of one live type to be read into, those first that
// are no longer held: live messages come in floods, and are over when they were
// shown. The zero Spare is ready.
type Spare[N any] struct {
	mine  []*N        // of the goroutine that reads
	texts codec.Block // of the same
	parts codec.Memory

	mu   sync.Mutex // guards back
	back []*N
}

// ReadLive reads a live message.
func ReadLive[N any, P interface {
	*N
	codec.Reader
}](d *codec.Decoder, spare *Spare[N]) P {
	n := P(spare.Take())
	d.Block, d.Memory = &spare.texts, &spare.parts
	n.DecodeJSON(d)
	d.Block, d.Memory = nil, nil
	return n
}

const (
	// maxSpare is how many messages wait at most to be used again.
	maxSpare = 4096
	// longestSpare is the longest of them on the wire, in bytes: each keeps its
	// texts until it is used.
	longestSpare = 512
)

// Take gives a message. It is called on the goroutine that reads.
func (s *Spare[N]) Take() *N {
	if len(s.mine) == 0 {
		s.mu.Lock()
		s.mine, s.back = s.back, s.mine
		s.mu.Unlock()
		if len(s.mine) == 0 {
			return new(N)
		}
	}
	last := len(s.mine) - 1
	n := s.mine[last]
	s.mine[last] = nil
	s.mine = s.mine[:last]
	return n
}

func (s *Spare[N]) give(list []*N) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.back = append(s.back, list[:min(len(list), maxSpare-len(s.back))]...)
}

// Values are the messages of items of one live type, as values: those that no
// other holds, and are short, are used again.
func Values[N any](items iter.Seq[*Item], spare *Spare[N]) iter.Seq[N] {
	return func(yield func(N) bool) {
		var over []*N
		for it := range items {
			n, ok := it.Note.(*N)
			if !ok {
				continue
			}
			again := it.sole && it.Size <= longestSpare
			if !yield(*n) {
				break
			}
			if again {
				if over = append(over, n); len(over) == takenItems {
					spare.give(over)
					over = over[:0]
				}
			}
		}
		spare.give(over)
	}
}
