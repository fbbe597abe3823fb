// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"context"
	_ "embed" // the declaration's excerpt
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/process"
)

// Options of Run.
type Options struct {
	Out     io.Writer
	Lang    string       // "en" or "zh"
	Colour  bool         // Out is a terminal that shows colours
	Runtime *process.Cmd // the runtime to start
	Dir     string       // the session's working directory
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
	first  = "count 8 90ms"
	second = "count 12 60ms\nstubborn 600ms" // a tool that takes its time to stop
	third  = "say the session goes on"
)

// cancelAfter is how many deltas of the second prompt come before its cancel.
const cancelAfter = 12

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
		t.text("", pad(p.path, 36)+p.what.in(o.Lang))
	}
	t.heading(texts.Live.in(o.Lang))
	t.begun = o.Now()
	d := &live{t: t, lang: o.Lang}
	if err := d.run(ctx, o); err != nil {
		return err
	}
	t.heading(texts.Over.in(o.Lang))
	return nil
}

// live is one session being shown.
type live struct {
	t    *timeline
	lang string
}

func (d *live) say(who phrase, colour string, word phrase, text phrase, args ...any) {
	d.t.entry(who.in(d.lang), colour, word.in(d.lang), text.in(d.lang, args...))
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
	rt, err := harnessclient.Launch(ctx, o.Runtime, harnessclient.Options{Provider: "demo", Model: "demo", Dir: o.Dir})
	if err != nil {
		return fmt.Errorf("the runtime did not start: %w", err)
	}
	defer func() {
		if cerr := rt.Close(context.WithoutCancel(ctx)); err == nil && cerr != nil {
			err = fmt.Errorf("the runtime did not end: %w", cerr)
		}
		if err == nil {
			d.say(texts.Host, dim, texts.Ended, texts.ProcessEnded, rt.Process().PID())
		}
	}()
	d.say(texts.Runtime, dim, texts.Ready, texts.ReadyText, rt.Info().ServerInfo.Name, rt.Version())
	s := rt.Session("demo")
	if err := d.completed(ctx, s, texts.FirstPrompt, first); err != nil {
		return err
	}
	if err := d.cancelled(ctx, s); err != nil {
		return err
	}
	if err := d.completed(ctx, s, texts.ThirdPrompt, third); err != nil {
		return err
	}
	return d.close(ctx, s)
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

// cancelled shows a prompt that is cancelled in the middle of its answer.
func (d *live) cancelled(ctx context.Context, s *harnessclient.Session) error {
	d.sends(texts.SecondPrompt, second)
	turn, err := s.Prompt(ctx, harness.Text(second), nil)
	if err != nil {
		return fmt.Errorf("session/prompt: %w", err)
	}
	d.accepted(texts.Receipt, short(turn.Receipt.MessageID))
	var stop *harnessclient.Cancellation
	seen := 0
	for delta := range turn.Deltas(ctx) {
		d.delta(&delta)
		if seen++; seen == cancelAfter {
			d.sends(texts.CancelText)
			if stop, err = turn.Cancel(ctx, nil); err != nil {
				return fmt.Errorf("session/cancel: %w", err)
			}
			d.accepted(texts.Effect, stop.Result.Effect)
		}
	}
	if stop == nil {
		return errors.New("the answer ended before it could be cancelled")
	}
	if err := stop.Settled(ctx); err != nil {
		return fmt.Errorf("the cancel did not settle: %w", err)
	}
	end, err := turn.Settled(ctx)
	if err != nil {
		return fmt.Errorf("the turn of %q did not settle: %w", second, err)
	}
	d.settled(texts.TurnCancelled, end.Turn, end.Outcome, end.Text)
	d.settled(texts.CancelProven)
	return nil
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
