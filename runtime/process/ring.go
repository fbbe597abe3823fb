// SPDX-License-Identifier: Apache-2.0

package process

import (
	"strings"
	"sync"
)

// ring keeps the last bytes that were written to it.
type ring struct {
	mu    sync.Mutex // guards all below
	buf   []byte
	start int // of the oldest byte, once full
	full  bool
}

func newRing(size int) *ring { return &ring{buf: make([]byte, 0, size)} }

func (r *ring) write(b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	size := cap(r.buf)
	if len(b) >= size {
		r.buf = append(r.buf[:0], b[len(b)-size:]...)
		r.start, r.full = 0, true
		return
	}
	if room := size - len(r.buf); room > 0 {
		n := min(room, len(b))
		r.buf = append(r.buf, b[:n]...)
		if b = b[n:]; len(b) == 0 {
			return
		}
	}
	r.full = true
	n := copy(r.buf[r.start:], b)
	copy(r.buf, b[n:])
	r.start = (r.start + len(b)) % size
}

// lines returns up to n of the last lines, oldest first; n <= 0 means all. A
// line whose beginning was overwritten is left out, unless it is the only one.
func (r *ring) lines(n int) []string {
	r.mu.Lock()
	text := string(r.buf[r.start:]) + string(r.buf[:r.start])
	cut := r.full
	r.mu.Unlock()
	text = strings.ToValidUTF8(text, "\uFFFD")
	if cut {
		if _, rest, ok := strings.Cut(text, "\n"); ok && rest != "" {
			text = rest
		}
	}
	text = strings.TrimRight(text, "\r\n")
	if text == "" {
		return nil
	}
	all := strings.Split(text, "\n")
	for i, line := range all {
		all[i] = strings.TrimSuffix(line, "\r")
	}
	if n > 0 && len(all) > n {
		all = all[len(all)-n:]
	}
	return all
}
