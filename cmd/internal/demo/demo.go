// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"bytes"
	"context"
	_ "embed" // the declaration's excerpt
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/cmd/internal/layout"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/process"
)

// Options of Run.
type Options struct {
	Out     io.Writer
	Lang    string        // "en" or "zh"
	Colour  bool          // Out is a terminal that shows colours
	Runtime *process.Cmd  // the runtime to start
	Dir     string        // the session's working directory
	Frames  bool          // show the lines of the wire too
	Pace    time.Duration // how long each line of the live part stays alone
	Now     func() time.Time
}

// declared is an excerpt of the declaration, from declaredAt; omitted lines are
// shown as "…".
//
//go:embed declaration.txt
var declared string

const declaredAt = "spec/harness/methods_prompt.go"

// products are what comes out of the declaration.
var products = []struct {
	path string
	what phrase
}{
	{"runtime/harness", texts.Types},
	{"clients/go/harnessclient", texts.ClientCode},
	{"docs/reference/harness.schema.json", texts.Schema},
	{"docs/reference/harness.openrpc.json", texts.OpenRPC},
	{"docs/reference/harness.md, .zh.md", texts.Reference},
	{"README.md, .zh.md", texts.Tables},
}

// Prompts are commands of the demo agent.
const (
	first = "count 8 90ms"
	long  = "count 1000 10ms"
	third = "say the session goes on"
)

const (
	cancelAfter = 5                      // deltas of the long prompt that are shown before its cancel
	lateAtLeast = 3                      // more of them that have come by then
	readingPace = 150 * time.Millisecond // between two that are shown
)

// Run shows it all. It returns when the runtime's process has ended.
func Run(ctx context.Context, o Options) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	t := newTimeline(o.Out, o.Colour, o.Now)
	defer t.close()
	t.heading(texts.Declared.in(o.Lang))
	t.text(dim, texts.Source.in(o.Lang, declaredAt))
	t.text("", strings.ReplaceAll(declared, "\t", "    "))
	t.heading(texts.Generated.in(o.Lang))
	for _, p := range products {
		const column = 38
		fmt.Fprint(o.Out, layout.Wrap("  "+layout.Pad(p.path, column-2)+p.what.in(o.Lang), strings.Repeat(" ", column), lineEnd))
	}
	t.heading(texts.Live.in(o.Lang))
	t.begun = o.Now()
	d := &live{t: t, lang: o.Lang, pace: o.Pace, done: ctx.Done(), late: make(chan struct{})}
	if err := d.run(ctx, o); err != nil {
		return err
	}
	t.heading(texts.Over.in(o.Lang))
	return nil
}

// live is the part that is happening.
type live struct {
	t    *timeline
	lang string
	pace time.Duration
	done <-chan struct{} // of the context: nothing is waited for then

	come atomic.Int32  // deltas of the long prompt that have come
	late chan struct{} // closed when so many have that some are late
}

func (d *live) say(who phrase, colour string, word phrase, text phrase, args ...any) {
	d.pause(d.pace)
	d.t.entry(who.in(d.lang), colour, word.in(d.lang), text.in(d.lang, args...))
}

func (d *live) pause(length time.Duration) {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-d.done:
	}
}

func (d *live) accepted(text phrase, args ...any) {
	d.say(texts.Runtime, yellow, texts.Accepted, text, args...)
}

func (d *live) settled(text phrase, args ...any) {
	d.say(texts.Runtime, green, texts.Settled, text, args...)
}

func (d *live) sends(text phrase, args ...any) {
	d.say(texts.Client, blue, texts.Sends, text, args...)
}

func (d *live) run(ctx context.Context, o Options) (err error) {
	command := append([]string{path.Base(o.Runtime.Args[0])}, o.Runtime.Args[1:]...)
	d.t.entry(texts.Host.in(d.lang), dim, texts.Starts.in(d.lang), strings.Join(command, " "))
	p, err := o.Runtime.Start()
	if err != nil {
		return fmt.Errorf("the runtime did not start: %w", err)
	}
	var rt *harnessclient.Runtime
	defer func() {
		shutdown := func(context.Context) error { return nil }
		if rt != nil {
			shutdown = rt.Shutdown
		}
		if _, serr := p.Stop(context.WithoutCancel(ctx), shutdown); err == nil && serr != nil {
			err = fmt.Errorf("the runtime did not end: %w", serr)
		}
		if rt != nil {
			if cerr := rt.Close(context.WithoutCancel(ctx)); err == nil {
				err = cerr
			}
		}
		if err == nil {
			d.say(texts.Host, dim, texts.Ended, texts.ProcessEnded, p.PID())
		}
	}()
	r, w := io.Reader(p.Stdout()), io.WriteCloser(p.Stdin())
	if o.Frames {
		r = io.TeeReader(r, &wire{t: d.t, way: "<-"})
		w = &tee{w, &wire{t: d.t, way: "->"}}
	}
	rt, err = harnessclient.Connect(ctx, r, w, harnessclient.Options{
		Provider: "demo", Model: "demo", Dir: o.Dir,
		Handler: harnessclient.Handler{SessionDelta: func(_ context.Context, p *harness.SessionDelta) { d.count(p) }},
	})
	if err != nil {
		return fmt.Errorf("the runtime did not answer: %w", err)
	}
	d.say(texts.Runtime, dim, texts.Ready, texts.ReadyText, rt.Info().ServerInfo.Name, rt.Version())
	s := rt.Session("demo")
	if err := d.completed(ctx, s, texts.FirstPrompt, first); err != nil {
		return err
	}
	if err := d.cancelled(ctx, rt.Session(cancelledID)); err != nil {
		return err
	}
	if err := d.both(ctx, s, rt.Session("other")); err != nil {
		return err
	}
	if err := d.completed(ctx, s, texts.ThirdPrompt, third); err != nil {
		return err
	}
	return d.close(ctx, s)
}

// cancelledID is the session whose prompt is cancelled.
const cancelledID = "cancelled"

func (d *live) count(p *harness.SessionDelta) {
	if p.SessionID == cancelledID && d.come.Add(1) == cancelAfter+lateAtLeast {
		close(d.late)
	}
}

// completed shows a prompt that runs to its end.
func (d *live) completed(ctx context.Context, s *harnessclient.Session, text phrase, prompt string) error {
	d.sends(text, prompt)
	turn, err := s.Prompt(ctx, harness.Text(prompt), nil)
	if err != nil {
		return fmt.Errorf("session/prompt: %w", err)
	}
	d.accepted(texts.Receipt, short(turn.Receipt.MessageID))
	for delta := range turn.Deltas(ctx) {
		d.delta(&delta)
	}
	end, err := turn.Settled(ctx)
	if err != nil {
		return fmt.Errorf("the turn of %q did not settle: %w", prompt, err)
	}
	d.settled(texts.TurnEnded, end.Turn, end.Outcome, end.Text)
	return nil
}

// cancelled shows a prompt that is cancelled early in a long answer. The host
// reads at its own pace, so some deltas have come that it has not shown: they are
// late, and dropped.
func (d *live) cancelled(ctx context.Context, s *harnessclient.Session) error {
	d.sends(texts.LongPrompt, long)
	turn, err := s.Prompt(ctx, harness.Text(long), nil)
	if err != nil {
		return fmt.Errorf("session/prompt: %w", err)
	}
	d.accepted(texts.Receipt, short(turn.Receipt.MessageID))
	var stop *harnessclient.Cancellation
	seen, late := 0, ""
	for delta := range turn.Deltas(ctx) {
		if stop != nil {
			late += delta.Text
			continue
		}
		d.delta(&delta)
		d.pause(readingPace)
		if seen++; seen < cancelAfter {
			continue
		}
		select {
		case <-d.late:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		d.sends(texts.CancelText)
		if stop, err = turn.Cancel(ctx, nil); err != nil {
			return fmt.Errorf("session/cancel: %w", err)
		}
		d.accepted(texts.Effect, stop.Result.Effect)
	}
	dropped := strings.Fields(late)
	if stop == nil || len(dropped) == 0 {
		return errors.New("the answer ended before it could be cancelled")
	}
	if err := stop.Settled(ctx); err != nil {
		return fmt.Errorf("the cancel did not settle: %w", err)
	}
	end, err := turn.Settled(ctx)
	if err != nil {
		return fmt.Errorf("the turn of %q did not settle: %w", long, err)
	}
	d.say(texts.Client, red, texts.Late, texts.LateText, dropped[0], len(dropped)-1)
	d.settled(texts.TurnCancelled, end.Turn, end.Outcome)
	d.settled(texts.CancelProven)
	return nil
}

// both shows two sessions that answer at the same time, a column each.
func (d *live) both(ctx context.Context, sessions ...*harnessclient.Session) error {
	d.sends(texts.BothText, sessions[0].ID(), sessions[1].ID())
	const column = 20
	errs := make([]error, len(sessions))
	var all sync.WaitGroup
	for i, s := range sessions {
		all.Go(func() {
			turn, err := s.Prompt(ctx, harness.Text(fmt.Sprintf("count 5 %dms", 250+130*i)), nil)
			if err != nil {
				errs[i] = fmt.Errorf("session/prompt: %w", err)
				return
			}
			at := strings.Repeat(" ", column*i) + string(s.ID())
			for delta := range turn.Deltas(ctx) {
				d.t.entry(texts.Runtime.in(d.lang), cyan, texts.Delta.in(d.lang), at+" "+delta.Text)
			}
			end, err := turn.Settled(ctx)
			if err != nil {
				errs[i] = fmt.Errorf("the turn of session %s did not settle: %w", s.ID(), err)
				return
			}
			d.t.entry(texts.Runtime.in(d.lang), green, texts.Settled.in(d.lang), at+" "+string(end.Outcome))
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// close shows that nothing is open, and the end of the session.
func (d *live) close(ctx context.Context, s *harnessclient.Session) error {
	if _, err := s.Wait(ctx, nil); err != nil {
		return fmt.Errorf("session/wait: %w", err)
	}
	d.say(texts.Runtime, dim, texts.Quiet, texts.WaitText)
	d.sends(texts.CloseText)
	out, err := s.Close(ctx, nil)
	if err != nil {
		return fmt.Errorf("session/close: %w", err)
	}
	d.settled(texts.Closed, out.Outcome)
	return nil
}

// short is the beginning of an id, which is enough to distinguish a few.
func short(id harness.MessageID) string {
	if len(id) > 8 {
		return string(id[:8]) + "…"
	}
	return string(id)
}

func (d *live) delta(p *harness.SessionDelta) {
	d.t.stream(texts.Runtime.in(d.lang), cyan, texts.Delta.in(d.lang), p.Text)
}

// wire shows the lines that are written to it.
type wire struct {
	t    *timeline
	way  string
	rest []byte
}

func (w *wire) Write(b []byte) (int, error) {
	w.rest = append(w.rest, b...)
	for {
		line, rest, ok := bytes.Cut(w.rest, []byte("\n"))
		if !ok {
			return len(b), nil
		}
		w.t.frame(w.way, string(line))
		w.rest = rest
	}
}

// tee shows what is written to a stream.
type tee struct {
	io.WriteCloser
	shown *wire
}

func (t *tee) Write(b []byte) (int, error) {
	_, _ = t.shown.Write(b)
	return t.WriteCloser.Write(b)
}
