// SPDX-License-Identifier: Apache-2.0

package core

import (
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// An event is one line on the wire, and a line has a limit. What would make a
// longer one is stopped where it comes from, so that no reader misses an event.

const (
	// blockCost is what a block takes in addition to its text, at most: in a
	// message, or in the stream of an attempt.
	blockCost = 512
	// worstEscape is how many bytes of JSON one byte of text may become.
	worstEscape = 6
	// copies is how often a message has its text: as it is, in the stream's pieces,
	// and where their block ends.
	copies = 3
	// pieceCost is what a piece takes in addition to its text.
	pieceCost = 20
)

// grows takes more of the answer into account: text, and what its block takes
// in addition. It returns false if there is no room for it in one event; there
// is then none for what follows either.
func (a *attempt) grows(longest int, text string, extra int) bool {
	if a.full {
		return false
	}
	size := a.size + a.extra + extra + len(text)
	if longest > 0 && worstEscape*size > longest {
		// It may be too long: from here on it is measured.
		if a.written == 0 {
			a.written = a.extra
			for _, b := range a.blocks {
				a.written += written(b.string())
			}
		}
		more := extra + written(text)
		if a.written+more > longest {
			a.full = true
			return false
		}
		a.written += more
	}
	a.size += len(text)
	a.extra += extra
	a.tight = longest > 0 && copies*(worstEscape*a.size+a.extra)+pieceCost*int(a.n) > longest
	return true
}

// written returns how long a text is in JSON.
func written(s string) int {
	const piece = 4 << 10
	var b [piece * worstEscape]byte
	n := 0
	for len(s) > 0 {
		part := s[:min(len(s), piece)]
		n += len(codec.AppendString(b[:0], part))
		s = s[len(part):]
	}
	return n
}

// fits reports whether content fits into one event.
func (f *Family) fits(content []harness.ContentBlock) bool {
	if f.Longest <= 0 {
		return true
	}
	n := 0
	for _, b := range content {
		n += len(harness.AppendContentBlock(nil, b)) + 1
	}
	return n <= f.Longest
}
