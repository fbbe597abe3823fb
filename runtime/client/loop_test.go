// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
)

// pagesOf are what a loop over the pages of a run gets.
func pagesOf(items iter.Seq[*Item], each func(n int) bool) (got []string) {
	for it := range items {
		if s := it.Note.(*sheet); s.what == "page" {
			got = append(got, s.text)
			if !each(len(got)) {
				break
			}
		}
	}
	return got
}

func all(int) bool { return true }

// Two loops over one stream share it: what one gives back, or does not come for
// because it is busy, is the other's.
func TestTwoLoopsShareAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPress(t, 0, nil)
		r := p.begin("j", "r")
		const n = 200 // more than a loop takes at once
		for i := range n {
			p.page("r", fmt.Sprint(i), 10)
		}
		release := make(chan struct{})
		one, two := make(chan []string, 1), make(chan []string, 1)
		go func() {
			one <- pagesOf(r.Events(t.Context()), func(n int) bool { <-release; return n < 2 })
		}()
		synctest.Wait() // it has taken what it can hold, and looks at the first
		go func() { two <- pagesOf(r.Events(t.Context()), all) }()
		synctest.Wait() // the other has taken the rest, and waits
		release <- struct{}{}
		release <- struct{}{} // the first gives back what it has not looked at
		assert.Equal(t, []string{"0", "1"}, <-one)
		synctest.Wait()
		assert.Zero(t, r.events.len(), "the other was told")
		p.end("r")
		assert.Len(t, <-two, n-2)
	})
}

func TestABusyLoopHoldsUpNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPress(t, 0, nil)
		r := p.begin("j", "r")
		release, got := make(chan struct{}), make(chan string, 10)
		for range 2 {
			go pagesOf(r.Events(t.Context()), func(int) bool { got <- "page"; <-release; return true })
		}
		synctest.Wait()
		for i := range 2 {
			p.page("r", fmt.Sprint(i), 10)
			synctest.Wait()
		}
		assert.Len(t, got, 2)
		close(release)
		p.end("r")
	})
}

// A loop ends with its context, however fast messages come, and hands out what
// had come by then.
func TestALoopEndsWithItsContext(t *testing.T) {
	p := newPress(t, 0, nil)
	r := p.begin("j", "r")
	const n = 200
	for i := range n {
		p.page("r", fmt.Sprint(i), 10)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := pagesOf(r.Events(ctx), func(i int) bool { p.page("r", "more", 10); return i < 10*n })
	assert.Len(t, got, n)
	p.end("r")
	assert.Len(t, pagesOf(r.Events(t.Context()), all), n)
}

// A scope at rest keeps little room, and what its consumers read is used again
// without its texts.
func TestAScopeAtRestKeepsLittle(t *testing.T) {
	for _, handled := range []bool{false, true} {
		var handle func(context.Context, *Item)
		if handled {
			handle = func(context.Context, *Item) {}
		}
		synctest.Test(t, func(t *testing.T) {
			p := newPress(t, 0, handle)
			p.owner.Batched()
			r := p.begin("j", "r")
			for range 2000 {
				p.feed(sheet{run: "r", what: "dots", text: "."}, 10)
			}
			p.owner.Wake()
			p.end("r")
			p.owner.Wake()
			spare := &Spare[sheet]{}
			n := 0
			for range Values(r.Live(t.Context()), spare) {
				n++
			}
			assert.Equal(t, 2000, n)
			synctest.Wait()
			assert.LessOrEqual(t, cap(r.live.items)+cap(p.handler.items)+cap(p.staged), 2*restItems)
			assert.Equal(t, !handled, len(spare.back) > 0, "what a handler has too is not used again")
		})
	}
}

func TestLongMessagesAreNotKeptToBeUsedAgain(t *testing.T) {
	p := newPress(t, 0, nil)
	r := p.begin("j", "r")
	for range 100 {
		p.feed(sheet{run: "r", what: "dots", text: strings.Repeat(".", 10*longestSpare)}, 11*longestSpare)
		p.feed(sheet{run: "r", what: "dots", text: "."}, 10)
	}
	p.end("r")
	spare := &Spare[sheet]{}
	for range Values(r.Live(t.Context()), spare) { //nolint:revive // all of them
	}
	assert.NotEmpty(t, spare.back)
	for _, s := range spare.back {
		assert.Len(t, s.text, 1)
	}
}
