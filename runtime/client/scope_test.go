// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A tray of a printer: tickets are jobs, activities are runs of the press. The
// package knows neither.
type sheet struct {
	run    string // of the press
	what   string // "start", "end", "take", "drop", "page", "dots", "shut"
	job    string
	text   string
	seq    int64
	replay bool
}

type tray struct{ ended map[string]bool }

func (k *tray) Read(it *Item, m *Marks[string, string]) {
	p := it.Note.(*sheet)
	m.Replay = p.replay
	if p.run != "" {
		m.Key, m.Keyed, m.Late = p.run, true, k.ended[p.run]
	}
	switch p.what {
	case "start":
		m.Begins = true
	case "end":
		m.Ends, m.As = true, "done"
		k.ended[p.run] = true
	case "put":
		m.About = append(m.About, p.job)
	case "take":
		m.Claims = append(m.Claims, p.job)
	case "drop":
		m.Settles, m.As = append(m.Settles, p.job), "dropped"
	case "shut":
		m.Over = "shut"
	}
}
func (k *tray) Where(string) (string, bool) { return "", false }
func (k *tray) Ended(key string) bool       { return k.ended[key] }
func (k *tray) Begin(string) Account        { return &pages{} }
func (k *tray) End(a Account, how Ending) any {
	text := ""
	if a != nil {
		text = a.(*pages).text.String()
	}
	return how.As + ":" + text
}

func (k *tray) Merge(a, b any) (any, int) {
	x, y := a.(*sheet), b.(*sheet)
	if x.run != y.run {
		return nil, 0
	}
	z := *x
	z.text += y.text
	return &z, len(y.text)
}

type pages struct{ text strings.Builder }

func (p *pages) Add(it *Item) {
	if s := it.Note.(*sheet); s.what == "page" {
		p.text.WriteString(s.text)
	}
}

type lag struct{ after int64 }

func (l *lag) Error() string { return fmt.Sprint("lagging after ", l.after) }

// press feeds a scope.
type press struct {
	*Scope[string, string]
	owner *Owner
	seq   int64
}

func newPress(t *testing.T, limit int, handle func(context.Context, *Item)) *press {
	p := &press{owner: NewOwner()}
	p.Scope = New(Config[string, string]{
		Knowledge: &tray{ended: map[string]bool{}}, Limit: limit, Owner: p.owner, Handle: handle,
		Lagging: func(after int64) error { return &lag{after} }, LostAs: "lost",
	})
	t.Cleanup(func() {
		p.owner.Stop()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		assert.NoError(t, p.owner.Wait(ctx))
	})
	return p
}

func (p *press) feed(s sheet, size int) {
	it := Item{Note: &s, Size: size}
	if s.what == "dots" {
		it.Live = true
	} else {
		s.seq = p.seq
		it.Seq, it.Numbered = p.seq, true
		p.seq++
	}
	p.Receive(&it)
}

func (p *press) begin(job, run string) *Run[string, string] {
	p.Expect()
	defer p.Arrived()
	p.feed(sheet{what: "put", job: job}, 10)
	r := p.Follow(job)
	p.feed(sheet{what: "start", run: run}, 10)
	p.feed(sheet{what: "take", run: run, job: job}, 10)
	return r
}

func (p *press) page(run, text string, size int) {
	p.feed(sheet{what: "page", run: run, text: text}, size)
}
func (p *press) end(run string) { p.feed(sheet{what: "end", run: run}, 10) }

func settled(t *testing.T, r *Run[string, string]) any {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	end, err := r.Settled(ctx)
	require.NoError(t, err)
	return end
}

func texts(r *Run[string, string]) (got []string) {
	for it := range r.Events(context.Background()) {
		s := it.Note.(*sheet)
		got = append(got, s.what+s.text)
	}
	return got
}

func TestTheResponseMayComeBeforeBetweenOrAfter(t *testing.T) {
	steps := []func(p *press){
		func(p *press) { p.feed(sheet{what: "put", job: "j"}, 10) },
		func(p *press) { p.feed(sheet{what: "start", run: "r"}, 10) },
		func(p *press) { p.feed(sheet{what: "take", run: "r", job: "j"}, 10) },
		func(p *press) { p.page("r", "1", 10) },
		func(p *press) { p.page("r", "2", 10) },
		func(p *press) { p.end("r") },
	}
	for at := range len(steps) + 1 {
		p := newPress(t, 0, nil)
		p.Expect()
		var r *Run[string, string]
		for i, step := range steps {
			if i == at {
				r = p.Follow("j")
				p.Arrived()
			}
			step(p)
		}
		if r == nil {
			r = p.Follow("j")
			p.Arrived()
		}
		assert.Equal(t, "done:12", settled(t, r), "response at %d", at)
		assert.Equal(t, []string{"put", "start", "take", "page1", "page2", "end"}, texts(r), "response at %d", at)
		assert.True(t, p.Idle())
		assert.Zero(t, p.used)
	}
}

func TestWhatNobodyTookEndsWithoutAnActivity(t *testing.T) {
	p := newPress(t, 0, nil)
	for _, late := range []bool{false, true} {
		p.Expect()
		drop := func() { p.feed(sheet{what: "drop", job: "j"}, 10) }
		if late {
			drop()
		}
		r := p.Follow("j")
		if !late {
			drop()
		}
		p.Arrived()
		assert.Equal(t, "dropped:", settled(t, r))
		_, ok, err := r.Key(context.Background())
		assert.False(t, ok)
		assert.NoError(t, err)
	}
	one, two := p.begin("a", "r"), p.Follow("b")
	p.feed(sheet{what: "shut"}, 10)
	assert.Equal(t, "shut:", settled(t, one))
	assert.Equal(t, "shut:", settled(t, two))
	assert.True(t, p.Idle())
}

func TestNothingFollowsTheEnd(t *testing.T) {
	p := newPress(t, 0, nil)
	r := p.begin("j", "r")
	p.end("r")
	p.page("r", "late", 10)
	assert.NotContains(t, texts(r), "pagelate")
	assert.EqualValues(t, 1, p.Counters().Late)
}

func TestWatchEndsWithTheActivity(t *testing.T) {
	p := newPress(t, 0, nil)
	p.begin("j", "r")
	open := p.Watch("r")
	p.Expect()
	p.end("r")
	over := p.Watch("r")
	p.Arrived()
	gone := p.Watch("r") // remembered only by Knowledge
	early := p.Watch("s")
	p.end("s")
	for _, r := range []*Run[string, string]{open, over, gone, early} {
		settled(t, r)
		assert.Empty(t, texts(r))
	}
}

// The record is not read: it is dropped and counted, and the end still reports.
func TestARecordThatNobodyReads(t *testing.T) {
	p := newPress(t, 1000, nil)
	r := p.begin("j", "r")
	for range 50 {
		p.page("r", "x", 100)
	}
	p.end("r")
	assert.Equal(t, "done:"+strings.Repeat("x", 50), settled(t, r))
	assert.Empty(t, texts(r))
	var behind *lag
	require.ErrorAs(t, r.Err(), &behind)
	assert.EqualValues(t, -1, behind.after)
	assert.EqualValues(t, 0, p.Counters().Lagged)
	assert.NotZero(t, p.Counters().Unread)
	assert.Zero(t, p.used)
}

// A consumer that is attached and behind: its scope fails, another continues.
func TestWhoFallsBehindIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, other := newPress(t, 1000, nil), newPress(t, 1000, nil)
		r, fine := slow.begin("j", "r"), other.begin("j", "r")
		release, got := make(chan struct{}), make(chan []string)
		go func() {
			var list []string
			for it := range r.Events(t.Context()) {
				list = append(list, it.Note.(*sheet).what)
				<-release
			}
			got <- list
		}()
		synctest.Wait() // it holds the first one
		for range 50 {
			slow.page("r", "x", 100)
			other.page("r", "x", 10)
		}
		end, err := r.Settled(t.Context())
		var behind *lag
		require.ErrorAs(t, err, &behind)
		assert.Contains(t, end, "x", "what is known so far")
		close(release)
		list := <-got
		assert.EqualValues(t, int64(len(list))-1, behind.after, "what was queued is read, and then comes the gap")
		assert.EqualValues(t, 1, slow.Counters().Lagged)
		other.end("r")
		assert.Equal(t, "done:"+strings.Repeat("x", 50), settled(t, fine))
		// The scope continues: a new run of it works.
		again := slow.begin("k", "s")
		slow.end("s")
		assert.Equal(t, "done:", settled(t, again))
		assert.Equal(t, []string{"put", "start", "take", "end"}, texts(again))
	})
}

func TestAHandlerThatFallsBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var mu sync.Mutex
		var seen []int64
		p := newPress(t, 1000, func(_ context.Context, it *Item) {
			<-release
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, it.Seq)
		})
		told := make(chan error, 1)
		p.cfg.Lagged = func(_ context.Context, err error) { told <- err }
		for range 50 {
			p.page("r", "x", 100)
		}
		close(release)
		var behind *lag
		require.ErrorAs(t, <-told, &behind)
		synctest.Wait()
		n := len(seen)
		assert.Equal(t, behind.after, seen[n-1])
		p.page("r", "x", 100)
		synctest.Wait()
		assert.Len(t, seen, n, "nothing until it is loaded again")
		p.Reloaded(nil)
		p.page("r", "x", 100)
		synctest.Wait()
		assert.Len(t, seen, n+1)
		assert.Zero(t, p.used)
	})
}

// Past the bound live messages are merged, then dropped and counted; others are
// kept.
func TestLiveMessagesGiveWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPress(t, 2000, nil)
		r := p.begin("j", "r")
		release, text := make(chan struct{}), make(chan string)
		go func() {
			all := ""
			for it := range r.Live(t.Context()) {
				<-release
				all += it.Note.(*sheet).text
			}
			text <- all
		}()
		p.feed(sheet{what: "dots", run: "r", text: "."}, 40)
		synctest.Wait()
		for range 40 {
			p.feed(sheet{what: "dots", run: "r", text: "."}, 40)
		}
		merged := p.Counters()
		assert.NotZero(t, merged.Merged)
		assert.Zero(t, merged.Dropped, "merging was enough")
		for range 40 {
			p.feed(sheet{what: "dots", run: "r", text: strings.Repeat("-", 100)}, 140)
		}
		assert.NotZero(t, p.Counters().Dropped)
		assert.LessOrEqual(t, p.used, 2000)
		p.end("r")
		close(release)
		assert.True(t, strings.HasPrefix(<-text, strings.Repeat(".", 41)), "merged is not lost")
		assert.Zero(t, p.Counters().Lagged)
		assert.Equal(t, "done:", settled(t, r))
	})
}

// One message that is larger than the whole bound passes.
func TestOneOversizedMessagePasses(t *testing.T) {
	p := newPress(t, 4000, func(context.Context, *Item) {})
	r := p.begin("j", "r")
	p.page("r", "huge", 12_000)
	p.page("r", "small", 10)
	p.end("r")
	assert.Equal(t, "done:hugesmall", settled(t, r))
	assert.Contains(t, texts(r), "pagehuge")
	assert.Zero(t, p.Counters().Unread)
	assert.Zero(t, p.used)
}

// Live messages are dropped, however large; no reader falls behind because of
// them.
func TestOversizedLiveMessagesGiveWayToo(t *testing.T) {
	p := newPress(t, 4000, func(context.Context, *Item) {})
	r := p.begin("j", "r")
	for range 3 {
		p.feed(sheet{run: "r", what: "dots", text: "huge"}, 12_000)
	}
	p.page("r", "small", 10)
	p.end("r")
	assert.Equal(t, "done:small", settled(t, r))
	assert.NoError(t, r.Err())
	assert.Zero(t, p.Counters().Lagged)
	assert.NotZero(t, p.Counters().Dropped)
}

func TestALostConnectionFailsWhatIsOpen(t *testing.T) {
	p := newPress(t, 0, nil)
	r := p.begin("j", "r")
	p.page("r", "half", 10)
	gone := errors.New("gone")
	p.Fail(gone)
	end, err := r.Settled(context.Background())
	require.ErrorIs(t, err, gone)
	assert.Equal(t, "lost:half", end)
	assert.Equal(t, []string{"put", "start", "take", "pagehalf"}, texts(r))
	_, err = p.Follow("k").Settled(context.Background())
	require.ErrorIs(t, err, gone)
	_, err = p.Watch("r").Settled(context.Background())
	require.ErrorIs(t, err, gone)
}

// Replayed messages go only to the loads that want them.
func TestReplays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		live, again := 0, 0
		p := newPress(t, 1000, func(context.Context, *Item) { mu.Lock(); defer mu.Unlock(); live++ })
		replayed := func() {
			p.Receive(&Item{Note: &sheet{what: "page", run: "r", replay: true}, Size: 100, Numbered: true})
		}
		replayed() // not requested
		slow := make(chan struct{})
		load := p.Replay(func(context.Context, *Item) { <-slow; mu.Lock(); defer mu.Unlock(); again++ })
		for range 3 {
			replayed()
		}
		passed := make(chan int, 1)
		p.Pass(false, func() { mu.Lock(); defer mu.Unlock(); passed <- again })
		close(slow)
		assert.Equal(t, 3, <-passed, "the response comes after them")
		require.NoError(t, p.EndReplay(load))
		assert.Zero(t, live)

		// A load whose consumer is behind fails, and fails alone.
		stuck := make(chan struct{})
		load = p.Replay(func(context.Context, *Item) { <-stuck })
		for range 50 {
			replayed()
		}
		close(stuck)
		synctest.Wait()
		var behind *lag
		require.ErrorAs(t, p.EndReplay(load), &behind)
		assert.Zero(t, p.Counters().Lagged)
	})
}

func TestALoopGoesOnWhereTheLastStopped(t *testing.T) {
	p := newPress(t, 0, nil)
	r := p.begin("j", "r")
	for range r.Events(context.Background()) {
		break
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	n := 0
	for range r.Events(ctx) { // what is there is read even so
		n++
	}
	assert.Equal(t, 2, n)
	p.end("r")
	assert.Equal(t, []string{"end"}, texts(r))
	assert.Zero(t, p.handler.attached+r.events.attached)
}

func TestMatchLegacy(t *testing.T) {
	m, ok := MatchLegacy(`session "{id}" uses v{n}.`, `session "a "b"" uses v12.`)
	assert.True(t, ok)
	assert.Equal(t, map[string]string{"id": `a "b"`, "n": "12"}, m)
	_, ok = MatchLegacy(`gone`, `gone!`)
	assert.False(t, ok)
	m, ok = MatchLegacy(`unknown: {what}`, `unknown: x {y}`)
	assert.True(t, ok)
	assert.Equal(t, "x {y}", m["what"])
}

func TestScopesThatNobodyNeedsAreForgotten(t *testing.T) {
	owner := NewOwner()
	defer owner.Stop()
	s := NewScopes(func(string) *Scope[string, string] {
		return New(Config[string, string]{Knowledge: &tray{ended: map[string]bool{}}, Owner: owner, Lagging: func(int64) error { return nil }})
	})
	known := func() int { s.mu.Lock(); defer s.mu.Unlock(); return len(s.scopes) }
	say := func(p sheet) { s.Find("a", true).Receive(&Item{Note: &p, Size: 10}) }

	scope := s.Enter("a")
	assert.Equal(t, 1, known())
	s.Leave("a", scope)
	assert.Zero(t, known(), "a question about it leaves nothing behind")

	scope = s.Attach("a")
	say(sheet{what: "put", job: "j"})
	r := scope.Follow("j")
	s.Leave("a", scope)
	assert.Equal(t, 1, known())
	s.Drop("a")
	assert.Equal(t, 1, known(), "something is open in it")
	say(sheet{what: "shut"})
	settled(t, r)
	s.Drop("a")
	assert.Zero(t, known())
	assert.EqualValues(t, 2, s.Counters().Messages, "what it counted stays")

	scope = s.Attach("b")
	s.Leave("b", scope)
	assert.Equal(t, 1, known(), "its messages may come")
	scope = s.Enter("b")
	scope.Over("shut")
	s.Leave("b", scope)
	assert.Zero(t, known())

	s.Fail(errors.New("gone"))
	_, err := s.Enter("c").Follow("j").Settled(context.Background())
	require.EqualError(t, err, "gone")
	assert.Nil(t, s.Find("d", false))
}

// Of scopes that no call was made in, a client keeps a bounded number.
func TestStrangersAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		owner := NewOwner()
		var handled atomic.Int64
		scopes := NewScopes(func(int) *Scope[string, string] {
			return New(Config[string, string]{
				Knowledge: &tray{ended: map[string]bool{}}, Owner: owner,
				Handle: func(context.Context, *Item) { handled.Add(1) },
			})
		})
		scopes.Enter(-1).Leave() // of a call, and so kept
		mine := scopes.Attach(-2)
		for id := range 100_000 {
			scopes.Receive(id, &Item{Note: &sheet{run: "1", what: "start"}}, true)
			if id%100 == 0 {
				synctest.Wait()
			}
		}
		synctest.Wait()
		assert.LessOrEqual(t, len(scopes.scopes), maxStrangers+200)
		assert.LessOrEqual(t, len(scopes.strangers), maxStrangers+200)
		assert.Same(t, mine, scopes.scopes[-2])
		assert.EqualValues(t, 100_000, handled.Load())
		assert.EqualValues(t, 100_000, scopes.Counters().Messages)
		require.NoError(t, owner.Wait(t.Context()))
	})
}
