// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"bytes"
	"hash/maphash"
)

// fewKeys is up to how many keys of one object are compared one by one.
const fewKeys = 16

// keepKeys and keepBytes are up to what size a Decoder keeps its buffers for the
// next text.
const (
	keepKeys  = 1 << 12
	keepBytes = 1 << 16
)

// keySet knows the names that the open objects had so far, except those that a
// table of members counts. Few are compared, many are hashed with a seed that
// no peer knows, so that 10^5 names cost what they should.
type keySet struct {
	list    []keySpan
	bytes   []byte // names that had escapes, without them
	hashed  map[hashedKey]int
	objects uint32
}

type keySpan struct {
	at, end int // in the text, or, if own, in bytes
	own     bool
}

type hashedKey struct {
	object uint32
	hash   uint64
}

var keySeed = maphash.MakeSeed()

func (s *keySet) reset() {
	s.list, s.bytes, s.objects = s.list[:0], s.bytes[:0], 0
	if cap(s.list) > keepKeys || cap(s.bytes) > keepBytes {
		s.list, s.bytes = nil, nil
	}
	switch {
	case len(s.hashed) > keepKeys:
		s.hashed = nil
	case len(s.hashed) > 0:
		clear(s.hashed)
	}
}

func (s *keySet) len() int { return len(s.list) }

func (s *keySet) truncate(n int) { s.list = s.list[:n] }

func (s *keySet) serial() uint32 {
	s.objects++
	return s.objects
}

func (s *keySet) text(i int, data []byte) []byte {
	k := s.list[i]
	if k.own {
		return s.bytes[k.at:k.end]
	}
	return data[k.at:k.end]
}

// add puts in a key of the innermost object, and says whether it was there.
func (s *keySet) add(f *frame, key, data []byte, at int, escaped bool) bool {
	first, n := f.keys, len(s.list)-f.keys
	found := false
	switch {
	case n < fewKeys:
		found = s.compare(key, data, first)
	case n == fewKeys:
		if s.hashed == nil {
			s.hashed = make(map[hashedKey]int)
		}
		for i := first; i < len(s.list); i++ {
			s.hashed[s.hash(f, s.text(i, data))] = i
		}
		fallthrough
	default:
		h := s.hash(f, key)
		if i, ok := s.hashed[h]; !ok {
			s.hashed[h] = len(s.list)
		} else if bytes.Equal(s.text(i, data), key) {
			found = true
		} else {
			found = s.compare(key, data, first) // two names of one hash
		}
	}
	if found {
		return true
	}
	span := keySpan{at: at, end: at + len(key)}
	if escaped {
		span = keySpan{at: len(s.bytes), end: len(s.bytes) + len(key), own: true}
		s.bytes = append(s.bytes, key...)
	}
	s.list = append(s.list, span)
	return false
}

func (s *keySet) compare(key, data []byte, first int) bool {
	for i := first; i < len(s.list); i++ {
		if bytes.Equal(s.text(i, data), key) {
			return true
		}
	}
	return false
}

func (s *keySet) hash(f *frame, key []byte) hashedKey {
	return hashedKey{object: f.serial, hash: maphash.Bytes(keySeed, key)}
}
