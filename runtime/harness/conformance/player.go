// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// player walks a script's steps: it takes the runtime's side and signals the
// host side when to act.
type player struct {
	c       *Case
	opts    Options
	link    *link
	subject *subjectSide // a runtime under test; nil: the player is the runtime
	host    *host
	names   bindings
	lines   int            // lines that were written, blank ones included
	written []writtenFrame // s2c frames, in order, as they went out
	log     []string

	exited    time.Time // when the runtime's process was last asked to end
	quietLeak int       // events handed out that a quiet step did not expect
	idleSeen  []string  // messages pending at the client in a quiet step
	quiets    int
}

// writtenFrame is one frame that the runtime wrote, padding left out.
type writtenFrame struct {
	text []byte
	at   time.Time
}

// failure is a step that could not be played as written.
type failure struct {
	file string
	line int
	why  string
}

func (f *failure) Error() string { return fmt.Sprintf("line %d: %s", f.line, f.why) }

func (p *player) play(ctx context.Context) error {
	for i := range p.c.Steps {
		s := &p.c.Steps[i]
		if err := p.step(ctx, i, s); err != nil {
			return &failure{file: p.c.File, line: s.Line, why: err.Error()}
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
		if s.Proc.Do != "exit" {
			return nil
		}
		return p.finish(ctx)
	case s.Kind == kindProc:
		return p.process(ctx, s)
	case s.Kind == kindDelay:
		return sleep(ctx, s.Ms)
	default:
		return p.quiet(ctx, s)
	}
}

func (p *player) expectFrame(ctx context.Context, s *Step) error {
	within := p.opts.Timeout
	if s.Within != nil {
		within = time.Duration(*s.Within) * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for {
		got, err := p.link.next(ctx)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return fmt.Errorf("the client sent nothing for %v; expected %s%s", within, short(string(s.Frame)), p.host.pendingErrors())
		case err != nil:
			return fmt.Errorf("%w; expected the client to send %s%s", err, short(string(s.Frame)), p.host.pendingErrors())
		}
		p.note("-> ", got)
		err = p.names.match(s.Frame, got)
		if err == nil {
			return nil
		}
		if !isComplaint(got) {
			return fmt.Errorf("the client sent %s: %w", short(string(got)), err)
		}
	}
}

// isComplaint reports whether a frame says that a line could not be read: an
// error with id null. It answers no request, so it may stand anywhere and a
// script need not expect it.
func isComplaint(frame []byte) bool {
	m, err := members(frame)
	return err == nil && string(m["id"]) == "null" && m["error"] != nil && m["method"] == nil
}

func (p *player) write(ctx context.Context, s *Step) error {
	if err := p.launched(ctx); err != nil {
		return err
	}
	var text []byte
	if s.Raw != nil {
		text = p.names.replace([]byte(*s.Raw))
	} else {
		text = p.names.substitute(s.Frame)
	}
	p.note("<- ", text)
	if s.Frame != nil {
		p.written = append(p.written, writtenFrame{text: text, at: time.Now()})
	}
	if s.Pad != nil {
		pad := bytes.Repeat([]byte(s.Pad.Char), s.Pad.Bytes/len(s.Pad.Char)+1)[:s.Pad.Bytes]
		text = bytes.ReplaceAll(text, []byte(s.Pad.Token), pad)
	}
	eol := "\n"
	if s.EOL != nil {
		eol = *s.EOL
	}
	full := append(bytes.Clone(text), eol...)
	p.lines += bytes.Count(full, []byte("\n"))
	if !s.SplitMultibyte {
		return p.link.send(msgWrite, full)
	}
	for _, piece := range cutCharacters(full) {
		if err := p.link.send(msgWrite, piece); err != nil {
			return err
		}
		if err := sleep(ctx, 2); err != nil {
			return err
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
	if err := p.launched(ctx); err != nil {
		return err
	}
	switch s.Proc.Do {
	case "stderr":
		text := strings.Join(s.Proc.Lines, "\n") + "\n"
		p.note("2> ", []byte(text))
		for range max(1, s.Proc.Repeat) {
			if err := p.link.send(msgStderr, []byte(text)); err != nil {
				return err
			}
		}
		return nil
	case "closeStdout":
		return p.link.send(msgCloseStdout, nil)
	}
	p.exited = time.Now()
	order, arg := byte(msgExit), byte(s.Proc.Code)
	if s.Proc.Signal != "" {
		sig, ok := signals[strings.TrimPrefix(strings.ToUpper(s.Proc.Signal), "SIG")]
		if !ok {
			return fmt.Errorf("unknown signal %q", s.Proc.Signal)
		}
		order, arg = msgKill, sig
	}
	if err := p.link.send(order, []byte{arg}); err != nil && !errors.Is(err, errPeerGone) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, p.opts.Timeout)
	defer cancel()
	if err := p.link.await(ctx, func() bool { return p.link.gone }); err != nil {
		return errors.New("the peer did not exit when it was told to")
	}
	p.exited = time.Now()
	return nil
}

// Signals that a proc step may name; the numbers are the same on every system
// that knows them.
var signals = map[string]byte{"INT": 2, "ABRT": 6, "KILL": 9, "SEGV": 11, "TERM": 15}

func (p *player) quiet(ctx context.Context, s *Step) error {
	p.quiets++
	before := p.host.eventsHandedOut()
	frames := 0
	if p.subject != nil {
		frames = p.subject.written()
	}
	if err := sleep(ctx, s.Ms); err != nil {
		return err
	}
	if p.subject != nil {
		if n := p.subject.written() - frames; n > 0 {
			p.quietLeak += n
			return fmt.Errorf("the runtime wrote %d frames in a quiet of %d ms", n, s.Ms)
		}
		p.idleSeen = p.host.pendingMessages()
		return nil
	}
	p.link.mu.Lock()
	var late *line
	for i := range p.link.lines {
		if late == nil && !isComplaint(p.link.lines[i].data) {
			late = &p.link.lines[i]
		}
	}
	p.link.mu.Unlock()
	if late != nil {
		return fmt.Errorf("the client wrote in a quiet of %d ms: %s", s.Ms, short(string(late.data)))
	}
	// What the runtime wrote just before may still be on its way; more than
	// that is an event from nowhere.
	after := p.host.eventsHandedOut()
	if written := p.eventsWritten(); after > written && after > before {
		p.quietLeak += after - written
	}
	p.idleSeen = p.host.pendingMessages()
	return nil
}

func (p *player) launched(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, p.opts.Timeout)
	defer cancel()
	if err := p.link.await(ctx, func() bool { return p.link.launches > 0 }); err != nil {
		return fmt.Errorf("the client has not launched the runtime within %v: a host step must come first%s", p.opts.Timeout, p.host.pendingErrors())
	}
	return nil
}

// eventsWritten counts the session.event frames that the runtime has written.
func (p *player) eventsWritten() int {
	events, _ := p.handedOutBy()
	return events
}

// handedOutBy counts the events and the deltas that the runtime has written in
// a shape that a client can hand out.
func (p *player) handedOutBy() (events, deltas int) {
	for _, f := range p.framesWritten() {
		var m struct {
			Method string `json:"method"`
			Params struct {
				Event struct {
					Type string `json:"type"`
					Seq  *int64 `json:"seq"`
				} `json:"event"`
			} `json:"params"`
		}
		switch err := json.Unmarshal(f.text, &m); {
		case err != nil:
		case m.Method == "session.event" && m.Params.Event.Seq != nil && m.Params.Event.Type != "":
			events++
		case m.Method == "session.delta":
			deltas++
		}
	}
	return events, deltas
}

// framesWritten are the runtime's frames so far, whichever runtime it is.
func (p *player) framesWritten() []writtenFrame {
	if p.subject == nil {
		return p.written
	}
	p.subject.mu.Lock()
	defer p.subject.mu.Unlock()
	return slices.Clone(p.subject.frames)
}

func (p *player) note(mark string, text []byte) {
	p.log = append(p.log, mark+short(string(text)))
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
