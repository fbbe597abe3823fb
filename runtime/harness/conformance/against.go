// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/accordkit/accord/clients/go/harnessclient"
)

// Subject is a runtime under test, with a hand on the agent inside it: the
// script says what the model answers, and when.
type Subject struct {
	// Serve speaks the wire on r and w until the end of input or a shutdown.
	Serve func(ctx context.Context, r io.Reader, w io.Writer) error
	Voice Voice
}

// Voice passes to the agent of a runtime under test what to say in a session.
type Voice interface {
	// Text is more of the answer.
	Text(session, delta string)
	// Call is a tool call in the answer.
	Call(session, id, name, arguments string)
	// End ends the answer: completed, tool-calls or max-tokens.
	End(session, stop string)
	// Fail fails the turn; failure is the wire's object.
	Fail(session string, failure json.RawMessage)
	// Release lets what was cancelled in the session come to its end.
	Release(session string)
	// Return is what the next tool call yields; content is the wire's list.
	Return(session string, content json.RawMessage, isError bool)
}

// RunAgainst plays a case with a runtime under test: the script's client
// frames are sent to it as written, its agent produces the script's texts, and
// what the script's runtime writes is not compared. The generated client
// stands between as the host's, and expect.json is checked as always.
func RunAgainst(ctx context.Context, c *Case, opts Options, s Subject) (*Result, error) {
	r := &Result{Case: c.Name(), Skipped: slices.Clone(c.Expect.skipped)}
	if why := c.notForRuntimes(); why != "" {
		r.Skipped, r.Passed = append(r.Skipped, why), true
		return r, nil
	}
	return r, r.run(ctx, c, opts, &s)
}

// notForRuntimes says why a case cannot be played with a runtime under test.
func (c *Case) notForRuntimes() string {
	switch {
	case !strings.Contains(c.Expect.layer, "runtime"):
		return "the case is about the client"
	case c.Script != "":
		return "the case has a runtime of its own"
	case c.Home:
		return "the case begins with a stored log (home/), which needs a store on disk"
	}
	return ""
}

// messageOf names a message of the script: two sessions may use one id.
type messageOf struct{ session, id string }

// subjectSide is the player between the client and a runtime under test.
type subjectSide struct {
	Subject
	link   *link
	toRun  *io.PipeWriter
	pipes  []io.Closer
	served chan struct{}
	stop   context.CancelFunc
	wg     sync.WaitGroup

	actual map[messageOf]string // the script's messages → ids of the runtime
	asked  map[string]string    // sessions of the client's requests, by id
	stops  map[string][]string  // cancels that are answered when they are taken, by session: their ids
	said   map[string]string    // what the answer in progress has said, by session
	silent map[string]bool      // sessions whose turn has no answer yet
	failed map[string]bool      // sessions whose agent has the turn fail
	script map[string]int       // what the script's runtime wrote so far

	mu      sync.Mutex // guards what follows
	changed chan struct{}
	seen    map[string]int                        // what the runtime wrote, by the same keys
	answers map[string]map[string]json.RawMessage // by id
	frames  []writtenFrame
}

func newSubjectSide(s *Subject, k *link) *subjectSide {
	return &subjectSide{
		Subject: *s, link: k, served: make(chan struct{}), changed: make(chan struct{}),
		actual: map[messageOf]string{}, asked: map[string]string{}, stops: map[string][]string{}, said: map[string]string{}, silent: map[string]bool{}, failed: map[string]bool{}, script: map[string]int{},
		seen: map[string]int{}, answers: map[string]map[string]json.RawMessage{},
	}
}

// connect starts the runtime and the client at the player's two ends.
func (x *subjectSide) connect(ctx context.Context, o harnessclient.Options) (*harnessclient.Runtime, error) {
	fromPlayer, toRun := io.Pipe()
	fromRun, runOut := io.Pipe()
	clientIn, toClient := io.Pipe()
	fromClient, clientOut := io.Pipe()
	x.toRun = toRun
	x.pipes = []io.Closer{toRun, fromPlayer, runOut, fromRun, clientOut, fromClient, toClient}
	serving, stop := context.WithCancel(context.Background())
	x.stop = stop
	x.wg.Go(func() {
		defer close(x.served)
		_ = x.Serve(serving, fromPlayer, runOut)
		_ = runOut.Close()
	})
	x.wg.Go(func() {
		x.forward(fromRun, toClient)
		_ = toClient.Close()
	})
	x.wg.Go(func() {
		buf := make([]byte, 64<<10)
		for {
			n, err := fromClient.Read(buf)
			x.link.mu.Lock()
			x.link.take(buf[:n])
			x.link.gone = err != nil
			x.link.notify()
			x.link.mu.Unlock()
			if err != nil {
				return
			}
		}
	})
	x.link.mu.Lock()
	x.link.launches++
	x.link.notify()
	x.link.mu.Unlock()
	return harnessclient.Connect(ctx, clientIn, clientOut, o)
}

func (x *subjectSide) close() {
	if x.stop == nil {
		return
	}
	x.stop()
	for _, p := range x.pipes {
		_ = p.Close()
	}
	x.wg.Wait()
}

// forward hands the runtime's lines on and takes note of them.
func (x *subjectSide) forward(from io.Reader, to io.Writer) {
	r := bufio.NewReaderSize(from, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			x.note(bytes.TrimSpace(line))
			// A client that is gone is noticed by the steps that follow.
			_, _ = to.Write(line)
		}
		if err != nil {
			return
		}
	}
}

func (x *subjectSide) note(line []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.frames = append(x.frames, writtenFrame{text: bytes.Clone(line), at: time.Now()})
	if m, err := members(line); err == nil && m["method"] == nil && m["id"] != nil {
		x.answers[string(m["id"])] = m
	}
	count(x.seen, line)
	close(x.changed)
	x.changed = make(chan struct{})
}

// count adds a frame to a tally: events by session and type, statuses by
// session and value, deltas by session and bytes.
func count(tally map[string]int, frame []byte) (key string) {
	var f struct {
		Method string `json:"method"`
		Params struct {
			SessionID string `json:"sessionId"`
			Status    string `json:"status"`
			Text      string `json:"text"`
			Event     struct {
				Type string `json:"type"`
			} `json:"event"`
		} `json:"params"`
	}
	if json.Unmarshal(frame, &f) != nil || f.Method == "" {
		return ""
	}
	key = f.Method + " " + f.Params.SessionID
	n := 1
	switch f.Method {
	case "session.event":
		key += " " + f.Params.Event.Type
	case "session.status":
		key += " " + f.Params.Status
	case "session.delta":
		n = len(f.Params.Text)
	}
	tally[key] += n
	return key
}

// patience is how long the player waits for something that the script's
// runtime wrote and that the one under test need not write.
const patience = time.Second

func (x *subjectSide) await(ctx context.Context, cond func() bool) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		x.mu.Lock()
		ok, changed := cond(), x.changed
		x.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// passOn sends a client's frame to the runtime as the script has it. The
// client's own frame gives the id.
func (p *player) passOn(ctx context.Context, s *Step) error {
	x := p.subject
	ctx, cancel := context.WithTimeout(ctx, p.opts.Timeout)
	defer cancel()
	got, err := p.link.next(ctx)
	if err != nil {
		return fmt.Errorf("the client sent nothing (%w); expected %s%s", err, short(string(s.Frame)), p.host.pendingErrors())
	}
	want, session := methodOf(s.Frame)
	if method, _ := methodOf(got); method != want {
		return fmt.Errorf("the client sent %s; expected %s", short(string(got)), short(string(s.Frame)))
	}
	have, err := members(got)
	if err != nil {
		return err
	}
	m, err := members(s.Frame)
	if err != nil {
		return err
	}
	var name string
	if json.Unmarshal(m["id"], &name) == nil && variable.MatchString(name) {
		p.names[name] = string(have["id"])
	}
	x.asked[string(have["id"])] = session
	if want == "session/cancel" && !bytes.Contains(m["params"], []byte(`"settled"`)) {
		x.stops[session] = append(x.stops[session], string(have["id"]))
	}
	frame := x.rename(session, p.names.replace(s.Frame))
	p.note("-> ", frame)
	_, err = x.toRun.Write(append(frame, '\n'))
	return err
}

// rename puts the runtime's own message ids in place of the script's.
func (x *subjectSide) rename(session string, frame []byte) []byte {
	const member = `"messageId":`
	for script, actual := range x.actual {
		if script.session == session {
			frame = bytes.ReplaceAll(frame, []byte(member+encode(script.id)), []byte(member+encode(actual)))
		}
	}
	return frame
}

// follow makes the runtime's agent do what the script's runtime shows, and
// waits until the runtime has come as far.
func (p *player) follow(ctx context.Context, i int, s *Step) error {
	x := p.subject
	if s.Frame == nil {
		return nil // raw text is the script's runtime's own
	}
	frame := p.names.substitute(s.Frame)
	m, err := members(frame)
	if err != nil {
		return err
	}
	if m["method"] == nil {
		return p.awaitAnswer(ctx, s, m)
	}
	p.speak(ctx, i, frame)
	key := count(x.script, frame)
	if !x.await(ctx, func() bool { return x.seen[key] >= x.script[key] }) {
		p.note("!! ", []byte("not seen of the runtime: "+key))
	}
	return nil
}

func (p *player) awaitAnswer(ctx context.Context, s *Step, m map[string]json.RawMessage) error {
	x := p.subject
	id := string(m["id"])
	if !x.await(ctx, func() bool { _, ok := x.answers[id]; return ok }) {
		return fmt.Errorf("the runtime did not answer; the script has %s", short(string(s.Frame)))
	}
	x.mu.Lock()
	answer := x.answers[id]
	x.mu.Unlock()
	if answer["error"] != nil && m["error"] == nil {
		p.note("!! ", []byte("the runtime refused: "+string(answer["error"])))
	}
	type receipt struct {
		MessageID string `json:"messageId"`
	}
	var script, actual receipt
	if json.Unmarshal(m["result"], &script) == nil && json.Unmarshal(answer["result"], &actual) == nil && script.MessageID != "" && actual.MessageID != "" {
		x.actual[messageOf{x.asked[id], script.MessageID}] = actual.MessageID
	}
	return nil
}

// release lets what was cancelled come to its end, once the runtime has taken all
// cancels that the script sent before: the last may still be on its way.
func (x *subjectSide) release(ctx context.Context, session string) {
	_ = x.await(ctx, func() bool {
		return !slices.ContainsFunc(x.stops[session], func(id string) bool { return x.answers[id] == nil })
	})
	x.Voice.Release(session)
}

// quietRuntime is what both sides must not do in a quiet.
func (x *subjectSide) written() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.frames)
}

// finish waits for the runtime's end, which its process's exit stands for.
func (p *player) finish(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, p.opts.Timeout)
	defer cancel()
	select {
	case <-p.subject.served:
		return nil
	case <-ctx.Done():
		return errors.New("the runtime went on serving")
	}
}
