// SPDX-License-Identifier: Apache-2.0

package codec

import "strings"

// The sizes of blocks, and of what is put into them.
const (
	blockSize   = 4 << 10
	longestPart = 256
)

// Block makes strings that lie together in blocks of 4 KiB: fewer and larger
// allocations for many short texts that come together and go together. Keeping
// one of them keeps its block. The zero Block is ready. It belongs to one
// goroutine at a time.
type Block struct{ b strings.Builder }

// String is s as a string.
func (k *Block) String(s []byte) string {
	if len(s) > longestPart {
		return string(s)
	}
	if k.b.Cap()-k.b.Len() < len(s) {
		k.b = strings.Builder{}
		k.b.Grow(blockSize)
	}
	from := k.b.Len()
	k.b.Write(s)
	return k.b.String()[from:]
}
