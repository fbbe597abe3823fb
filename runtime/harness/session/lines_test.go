// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"bufio"
	"bytes"
	"io"
)

// lines reads lines for benchmarks, which keep none.
type lines struct{ r *bufio.Reader }

func newLines(r io.Reader) *lines { return &lines{bufio.NewReaderSize(r, 1<<24)} }

// until reads up to a line with a text in it.
func (l *lines) until(text string) {
	for {
		line, err := l.r.ReadSlice('\n')
		if err != nil || bytes.Contains(line, []byte(text)) {
			return
		}
	}
}
