// SPDX-License-Identifier: Apache-2.0

package codec

import "hash/maphash"

const (
	internSlots  = 64 // strings kept
	internLength = 64 // bytes of the longest
)

// Interner shares the strings that repeat from message to message: ids, kinds,
// names. It keeps at most 64 short ones, the last of each hash, whatever a peer
// sends. The zero Interner is ready. It belongs to one goroutine at a time.
type Interner struct {
	slots [internSlots]string
}

// String is b as a string, from the table if it is there.
func (in *Interner) String(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > internLength {
		return string(b)
	}
	slot := &in.slots[maphash.Bytes(keySeed, b)%internSlots]
	if *slot != string(b) {
		*slot = string(b)
	}
	return *slot
}
