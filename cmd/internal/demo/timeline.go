// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
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
		fmt.Fprintln(t.w, strings.TrimRight("  "+t.paint(code, line), " "))
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
	fmt.Fprintln(t.w, text)
}

func (t *timeline) prefix(who, colour, word string) {
	at := t.now().Sub(t.begun).Seconds()
	fmt.Fprintf(t.w, "  %s  %s%s", t.paint(dim, fmt.Sprintf("%7.3fs", at)), pad(who, whoWidth), t.paint(colour, pad(word, wordWidth)))
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
		if t.column+width(line) > lineEnd {
			fmt.Fprint(t.w, "\n"+strings.Repeat(" ", textAt))
			t.column = textAt
		}
		fmt.Fprint(t.w, t.paint(cyan, strings.TrimRight(line, "\n")))
		t.column += width(line)
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

// pad fills up to a width in columns; Chinese characters take two.
func pad(s string, n int) string {
	if w := width(s); w < n {
		return s + strings.Repeat(" ", n-w)
	}
	return s + " "
}

func width(s string) int {
	n := utf8.RuneCountInString(s)
	for _, r := range s {
		if r >= 0x2E80 && r < 0xFFFD {
			n++
		}
	}
	return n
}
