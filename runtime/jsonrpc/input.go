// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"bytes"
	"errors"
	"io"
	"os"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	readBuffer = 32 << 10 // what one read asks for: what fits into a cache
	sniffed    = 4 << 10  // how much of a line over the limit is looked at
	floodRead  = 8 << 10  // what a read brings at least when more may be there already
	emptyReads = 100      // reads without data or error before giving up
)

// input cuts the stream into lines. A line over the limit is discarded in the
// memory that is there.
type input struct {
	r   io.Reader
	try func(b []byte) int // reads what is there; nil: there is no such way
	// deadline ends a read that waits; nil: there is no such way.
	deadline func(t time.Time) error
	limit    int
	buf      []byte
	small    []byte // the buffer for short lines, while buf is another
	head     int    // first byte not handed out
	seen     int    // no newline lies before it, from head on
	tail     int    // end of what was read
	nl       int    // the next newline; -1: none is buffered
	got      int    // what the last read brought
	begun    bool
	line     inputLine // that was given last
	err      error     // why no more can be read
	over     bool      // the last read was ended by its deadline
}

type lineKind uint8

const (
	lineWhole lineKind = iota
	lineOver           // over the limit: text is its beginning
	lineEnd            // the stream has ended: text is what came after the last newline
)

// inputLine is one line of input.
type inputLine struct {
	kind lineKind
	text []byte // without the newline; valid until the next line
	size int64  // length of the line
}

func (in *input) init(r io.Reader, limit int) {
	in.r, in.try, in.limit, in.nl = r, tryReader(r), limit, -1
	if r, ok := r.(interface{ SetReadDeadline(t time.Time) error }); ok && r.SetReadDeadline(time.Time{}) == nil {
		in.deadline = r.SetReadDeadline
	}
}

// buffered says whether another whole line is there without reading.
func (in *input) buffered() bool { return in.nl >= 0 }

// next gives the next line; nil if waiting for it was ended by a deadline.
func (in *input) next() *inputLine {
	if in.buf == nil {
		in.buf = make([]byte, min(readBuffer, in.limit+2))
	}
	for {
		if in.nl >= 0 {
			text := in.buf[in.head:in.nl]
			in.head, in.seen = in.nl+1, in.nl+1
			in.look()
			return in.whole(text)
		}
		if in.tail-in.head > in.limit {
			return in.discard()
		}
		if in.err != nil {
			return in.give(lineEnd, in.buf[in.head:in.tail], int64(in.tail-in.head))
		}
		if in.fill(); in.over {
			in.over = false
			return nil
		}
		in.look()
	}
}

func (in *input) whole(text []byte) *inputLine {
	if !in.begun {
		in.begun = true
		text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	}
	if len(text) > in.limit {
		return in.give(lineOver, text[:min(sniffed, len(text))], int64(len(text)))
	}
	return in.give(lineWhole, text, int64(len(text)))
}

func (in *input) give(kind lineKind, text []byte, size int64) *inputLine {
	in.line.kind, in.line.text, in.line.size = kind, text, size
	return &in.line
}

// look searches what has not been searched for a newline.
func (in *input) look() {
	in.nl = -1
	if i := bytes.IndexByte(in.buf[in.seen:in.tail], '\n'); i >= 0 {
		in.nl = in.seen + i
	}
	in.seen = in.tail
}

// more reads once what is there without waiting, if the last read brought much,
// and says whether there is a line in it. All lines that were given are over then.
func (in *input) more() bool {
	if in.try == nil || in.err != nil || in.got < floodRead {
		return false
	}
	in.room()
	in.got = in.try(in.buf[in.tail:])
	in.tail += in.got
	in.look()
	return in.buffered()
}

// fill reads once, making room first.
func (in *input) fill() {
	in.room()
	in.read()
}

// room makes room for a read.
func (in *input) room() {
	switch rest := in.tail - in.head; {
	case len(in.buf) > readBuffer && rest <= readBuffer/2:
		in.line.text = nil // lies in what is given back
		in.shrink()
	case in.head > 0 && rest <= len(in.buf)/2:
		in.move(in.buf)
	case in.tail == len(in.buf):
		in.grow()
	}
}

// grow makes room for a line that is longer than the buffer.
func (in *input) grow() {
	old := in.buf
	to := longs.get(len(old) + 1)
	to = to[:cap(to)]
	if to == nil {
		to = make([]byte, min(2*len(old), max(in.limit+2, len(old)+1)))
	}
	in.move(to)
	if len(old) <= readBuffer {
		in.small = old
	} else {
		share(old)
	}
}

// shrink goes back to the small buffer after a long line: what is read again and
// again should stay in a cache, and a connection at rest keeps no more.
func (in *input) shrink() {
	old, to := in.buf, in.small
	if in.small = nil; to == nil {
		to = make([]byte, min(readBuffer, in.limit+2))
	}
	in.move(to)
	share(old)
}

// move takes what is not handed out to the beginning of to.
func (in *input) move(to []byte) {
	n := copy(to, in.buf[in.head:in.tail])
	in.seen -= in.head
	in.head, in.tail, in.buf = 0, n, to
}

func (in *input) read() {
	for range emptyReads {
		n, err := in.r.Read(in.buf[in.tail:])
		in.tail += n
		in.got = n
		if in.deadline != nil && errors.Is(err, os.ErrDeadlineExceeded) {
			err = in.deadline(time.Time{})
			in.over = n == 0 && err == nil
		}
		in.err = err
		if in.over {
			return
		}
		if n > 0 || err != nil {
			return
		}
	}
	in.err = io.ErrNoProgress
}

// discard skips to the end of a line whose beginning already exceeds the
// limit.
func (in *input) discard() *inputLine {
	line := &in.line
	*line = inputLine{kind: lineOver, size: int64(in.tail - in.head)}
	line.text = append(line.text, in.buf[in.head:min(in.head+sniffed, in.tail)]...)
	if !in.begun {
		in.begun = true
		line.text = bytes.TrimPrefix(line.text, []byte("\xef\xbb\xbf"))
	}
	if in.head = in.tail; len(in.buf) > readBuffer {
		in.shrink()
	}
	for {
		in.head, in.seen, in.tail = 0, 0, 0
		if in.err != nil {
			return line
		}
		in.read()
		in.over = false
		in.look()
		if in.nl >= 0 {
			line.size += int64(in.nl)
			in.head, in.seen = in.nl+1, in.nl+1
			in.look()
			return line
		}
		line.size += int64(in.tail)
	}
}

// trim takes off what may surround a message: JSON's white space, and for
// peers that never negotiated whatever JavaScript's trim takes off.
func trim(line []byte, strict bool) []byte {
	for len(line) > 0 && isBlank(line[0]) {
		line = line[1:]
	}
	for len(line) > 0 && isBlank(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	if strict || len(line) == 0 || line[0] < utf8.RuneSelf && line[0] > ' ' && line[len(line)-1] < utf8.RuneSelf && line[len(line)-1] > ' ' {
		return line
	}
	return bytes.TrimFunc(line, func(r rune) bool {
		return r == '\ufeff' || r == '\u2028' || r == '\u2029' || r == '\v' || r == '\f' || r < utf8.RuneSelf && isBlank(byte(r)) || unicode.Is(unicode.Zs, r)
	})
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
