// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"
)

// player walks a script's steps: it takes the runtime's side and signals the
// host side when to act.
type player struct {
	c       *Case
	opts    Options
	rec     *record
	link    *link
	subject *subjectSide // a runtime under test; nil: the player is the runtime
	host    *host
	names   bindings
}

func (p *player) play(ctx context.Context) error {
	for i := range p.c.Steps {
		s := &p.c.Steps[i]
		if err := p.step(ctx, i, s); err != nil {
			return &SyntaxError{File: filepath.Base(p.c.File), Line: s.Line, Why: err.Error()}
		}
	}
	return nil
}

func (p *player) step(ctx context.Context, i int, s *Step) error {
	against := p.subject != nil
	switch {
	case s.Kind == kindHost:
		return p.host.begin(ctx, i, s)
	case s.Kind == kindC2S && against:
		return p.passOn(ctx, s)
	case s.Kind == kindC2S:
		return p.expectFrame(ctx, s)
	case s.Kind == kindS2C && against:
		return p.follow(ctx, i, s)
	case s.Kind == kindS2C:
		return p.write(ctx, s)
	case s.Kind == kindProc && against:
		return p.finish(ctx, s)
	case s.Kind == kindProc:
		return p.process(ctx, s)
	case s.Kind == kindDelay:
		return sleep(ctx, s.Ms)
	default:
		return p.quiet(ctx, s)
	}
}

// nextFrame takes the client's next frame, as far as it comes in time.
func (p *player) nextFrame(ctx context.Context, s *Step) (moment, error) {
	within := p.opts.Timeout
	if s.Within > 0 {
		within = time.Duration(s.Within) * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	got, err := p.link.next(ctx)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("the client sent nothing for %v; expected %s%s", within, short(string(s.Frame)), p.host.errors())
	case err != nil:
		err = fmt.Errorf("%w; expected the client to send %s%s", err, short(string(s.Frame)), p.host.errors())
	}
	return got, err
}

func (p *player) expectFrame(ctx context.Context, s *Step) error {
	for {
		got, err := p.nextFrame(ctx, s)
		if err != nil {
			return err
		}
		err = p.names.match(s.Frame, got.text)
		if err == nil {
			return nil
		}
		if !got.isComplaint() {
			return fmt.Errorf("the client sent %s: %w", short(string(got.text)), err)
		}
	}
}

func (p *player) write(ctx context.Context, s *Step) error {
	text := p.names.substitute(s.Frame)
	if s.Raw != nil {
		text = p.names.replace([]byte(*s.Raw))
	}
	full := bytes.Clone(text)
	if s.Pad != nil {
		pad := bytes.Repeat([]byte(s.Pad.Char), s.Pad.Bytes/len(s.Pad.Char)+1)[:s.Pad.Bytes]
		full = bytes.ReplaceAll(full, []byte(s.Pad.Token), pad)
	}
	eol := "\n"
	if s.EOL != nil {
		eol = *s.EOL
	}
	full = append(full, eol...)
	pieces := [][]byte{full}
	if s.SplitMultibyte {
		pieces = cutCharacters(full)
	}
	p.rec.do(func() { p.rec.lines += bytes.Count(full, []byte("\n")) })
	p.rec.add(written, text, nil)
	for i, piece := range pieces {
		if err := p.link.send(ctx, carried{Kind: toStdout, Data: piece}, p.opts.Timeout); err != nil {
			return err
		}
		if i < len(pieces)-1 {
			if err := sleep(ctx, 2); err != nil {
				return err
			}
		}
	}
	return nil
}

// cutCharacters cuts a line inside every character of more than one byte: the
// first half of its bytes end a piece, the second half begin the next.
func cutCharacters(text []byte) [][]byte {
	var pieces [][]byte
	start := 0
	for i := 0; i < len(text); {
		_, n := utf8.DecodeRune(text[i:])
		if n > 1 {
			pieces = append(pieces, text[start:i+n/2])
			start = i + n/2
		}
		i += n
	}
	return append(pieces, text[start:])
}

func (p *player) process(ctx context.Context, s *Step) error {
	if s.Do == "stderr" {
		text := []byte(strings.Join(s.Lines, "\n") + "\n")
		p.rec.add(stderr, text, nil)
		return p.link.send(ctx, carried{Kind: toStderr, Data: text}, p.opts.Timeout)
	}
	p.rec.do(func() { p.rec.exited = time.Now() })
	if err := p.link.send(ctx, carried{Kind: exit, Code: s.Code}, p.opts.Timeout); err != nil && !errors.Is(err, errPeerGone) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, p.opts.Timeout)
	defer cancel()
	if err := p.rec.await(ctx, func() bool { return p.link.gone }); err != nil {
		return errors.New("the peer did not exit when it was asked to")
	}
	p.rec.do(func() { p.rec.exited = time.Now() })
	return nil
}

// quiet waits, and reports a side that wrote meanwhile: the client, or the runtime
// under test. What the script's runtime wrote just before may still be on its way to
// the host; an event more than that is from nowhere.
func (p *player) quiet(ctx context.Context, s *Step) error {
	before := p.rec.count(written, nil)
	events := p.rec.count(handed, live)
	if err := sleep(ctx, s.Ms); err != nil {
		return err
	}
	var late int
	var left [][]byte
	p.rec.do(func() {
		r := p.rec
		r.quiets++
		late = len(r.of(written, nil)) - before
		left = p.link.left()
		r.quietLeak += late
		after := len(r.of(handed, live))
		if all := len(r.of(written, wholeEvent)); after > all && after > events {
			r.quietLeak += after - all
		}
		r.pending = r.waiting()
	})
	switch {
	case late > 0:
		return fmt.Errorf("the runtime wrote %d frames in a quiet of %d ms", late, s.Ms)
	case len(left) > 0:
		return fmt.Errorf("the client wrote in a quiet of %d ms: %s", s.Ms, short(string(left[0])))
	}
	return nil
}

func sleep(ctx context.Context, ms int) error {
	t := time.NewTimer(time.Duration(ms) * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
