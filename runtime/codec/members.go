// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"math/bits"
	"strings"
)

// Members are the names that a struct's reader knows, in the order in which its
// writer writes them.
type Members struct {
	list     []Member
	required uint64
	firm     uint64 // required ones on which more hangs
}

// Member is one known name; see Required, Optional, Nullish and Ignored.
type Member struct {
	name     string
	key      []byte // the name
	first    string // as the compact form has it, with the colon
	later    string // with a comma before it
	escaped  bool   // and with escapes
	presence presence
	firm     bool
}

type presence uint8

const (
	required presence = iota
	optional
	nullish
	ignored
)

// maxMembers is how many members a struct may have: one bit each.
const maxMembers = 64

// Required is a member that must be there.
func Required(name string) Member { return newMember(name, required) }

// Optional is a member that may be missing. A reader that is not Strict takes
// null for missing.
func Optional(name string) Member { return newMember(name, optional) }

// Nullish is a member that may be missing or null, and the reader distinguishes
// the two.
func Nullish(name string) Member { return newMember(name, nullish) }

// Ignored is a member that is known and read elsewhere, as a union's tag is:
// More passes over it.
func Ignored(name string) Member { return newMember(name, ignored) }

// Firm is the member as one on which more hangs: see Decoder.Firm.
func (m Member) Firm() Member {
	m.firm = true
	return m
}

func newMember(name string, p presence) Member {
	first := string(AppendString(nil, name)) + ":"
	return Member{name: name, key: []byte(name), first: first, later: "," + first, escaped: strings.Contains(first, `\`), presence: p}
}

// NewMembers is a table for Struct. It panics if there are more than 64
// members, or one twice, since the table is written by a generator.
func NewMembers(list ...Member) *Members {
	if len(list) > maxMembers {
		panic("codec: more than 64 members in one struct")
	}
	m := &Members{list: list}
	for i := range list {
		if m.find([]byte(list[i].name), 0) < i {
			panic("codec: member " + list[i].name + " twice in one struct")
		}
		if list[i].presence == required {
			m.required |= 1 << i
			if list[i].firm {
				m.firm |= 1 << i
			}
		}
	}
	return m
}

// find looks for a name, from the one that is expected next on.
func (m *Members) find(key []byte, next int) int {
	for i := next; i < len(m.list); i++ {
		if m.list[i].name == string(key) {
			return i
		}
	}
	for i := 0; i < next; i++ {
		if m.list[i].name == string(key) {
			return i
		}
	}
	return -1
}

func (m *Members) first(set uint64) string {
	return m.list[bits.TrailingZeros64(set)].name
}
