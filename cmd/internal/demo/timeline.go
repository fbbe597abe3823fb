// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/accordkit/accord/cmd/internal/layout"
)

// Colours of a terminal.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "1;32"
	yellow = "1;33"
	blue   = "34"
	cyan   = "36"
)

// timeline prints what happens, a line each: the time since the start, who,
// and what. Pieces of a stream are joined on a line that stays open until
// something else happens. It is safe for several goroutines.
type timeline struct {
	mu     sync.Mutex
	w      io.Writer
	colour bool
	now    func() time.Time
	begun  time.Time
	open   string // the stream whose line is open
	column int
}

func newTimeline(w io.Writer, colour bool, now func() time.Time) *timeline {
	return &timeline{w: w, colour: colour, now: now, begun: now()}
}

func (t *timeline) paint(code, s string) string {
	if !t.colour || s == "" || code == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// heading begins a part.
func (t *timeline) heading(s string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end()
	fmt.Fprintf(t.w, "\n%s\n\n", t.paint(bold, s))
}

// text prints a paragraph, indented.
func (t *timeline) text(code, s string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end()
	for _, line := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		fmt.Fprintln(t.w, strings.TrimRight("  "+t.paint(code, layout.Cut(line, lineEnd-2)), " "))
	}
}

const (
	whoWidth  = 10
	wordWidth = 11
	textAt    = 2 + 8 + 2 + whoWidth + wordWidth // where the text of an entry begins
	lineEnd   = 78
)

// entry prints one happening; word is what kind, in its colour.
func (t *timeline) entry(who, colour, word, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end()
	t.prefix(who, colour, word)
	indent := strings.Repeat(" ", textAt)
	fmt.Fprint(t.w, layout.Wrap(indent+text, indent, lineEnd)[textAt:])
}

// frame prints one line of the wire as it is, however long.
func (t *timeline) frame(way, line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end()
	fmt.Fprintln(t.w, t.paint(dim, "  "+way+" "+line))
}

func (t *timeline) prefix(who, colour, word string) {
	at := t.now().Sub(t.begun).Seconds()
	fmt.Fprintf(t.w, "  %s  %s%s", t.paint(dim, fmt.Sprintf("%7.3fs", at)), layout.Pad(who, whoWidth), t.paint(colour, layout.Pad(word, wordWidth)))
}

// stream prints one piece of a stream.
func (t *timeline) stream(who, colour, word, piece string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := who + "\x00" + word
	if t.open != key {
		t.end()
		t.prefix(who, colour, word)
		t.open, t.column = key, textAt
	}
	for _, line := range strings.SplitAfter(piece, "\n") {
		if t.column+layout.Columns(line) > lineEnd {
			fmt.Fprint(t.w, "\n"+strings.Repeat(" ", textAt))
			t.column = textAt
		}
		fmt.Fprint(t.w, t.paint(cyan, strings.TrimRight(line, "\n")))
		t.column += layout.Columns(line)
		if strings.HasSuffix(line, "\n") {
			t.column = lineEnd
		}
	}
}

// end closes the open line of a stream.
func (t *timeline) end() {
	if t.open != "" {
		fmt.Fprintln(t.w)
		t.open = ""
	}
}

func (t *timeline) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end()
}
