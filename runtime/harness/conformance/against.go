// SPDX-License-Identifier: Apache-2.0

package conformance

import (
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
	"github.com/accordkit/accord/runtime/harness"
)

// Subject is a runtime under test, with a hand on the agent inside it: the script says
// what the model answers, and when. Then the script's client frames are sent to it as
// written, and what the script's runtime writes is not compared. The generated client
// stands between as the host's, and expect.json is checked as always.
type Subject struct {
	// Serve speaks the wire on r and w until the end of input or a shutdown.
	Serve func(ctx context.Context, r io.Reader, w io.Writer) error
	Voice Voice
}

// notForRuntimes says why a case cannot be played with a runtime under test.
func (c *Case) notForRuntimes() string {
	switch {
	case c.Err != nil:
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

// subjectSide is the player between the client and a runtime under test. The record
// has the runtime's own frames as those written.
type subjectSide struct {
	Subject
	rec    *record
	link   *link
	toRun  *io.PipeWriter
	pipes  []io.Closer
	served chan struct{}
	stop   context.CancelFunc
	wg     sync.WaitGroup

	actual map[messageOf]string // the script's messages → ids of the runtime
	asked  map[string]string    // sessions of the client's requests, by id
	stops  map[string][]string  // cancels that are answered when they are taken, by session: their ids
	script map[string]int       // what the script's runtime wrote so far, see tallied

	voices map[harness.SessionID]*voice
}

func newSubjectSide(s Subject, rec *record) *subjectSide {
	return &subjectSide{
		Subject: s, rec: rec, link: &link{rec: rec}, served: make(chan struct{}), stop: func() {},
		actual: map[messageOf]string{}, asked: map[string]string{}, stops: map[string][]string{}, script: map[string]int{},
		voices: map[harness.SessionID]*voice{},
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
		lines := &link{rec: x.rec}
		x.carry(fromRun, func(data []byte) {
			lines.take(data, written)
			// A client that is gone is noticed by the steps that follow.
			_, _ = toClient.Write(data)
		})
		_ = toClient.Close()
	})
	x.wg.Go(func() {
		x.carry(fromClient, func(data []byte) { x.link.take(data, sent) })
		x.rec.do(func() { x.link.gone = true })
	})
	x.rec.do(func() { x.rec.launches++ })
	return harnessclient.Connect(ctx, clientIn, clientOut, o)
}

func (x *subjectSide) carry(from io.Reader, to func([]byte)) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		to(buf[:n])
		if err != nil {
			return
		}
	}
}

func (x *subjectSide) close() {
	x.stop()
	for _, p := range x.pipes {
		_ = p.Close()
	}
	x.wg.Wait()
}

// tally names what frames of a runtime's count as.
func tally(method, session, event, status string) string {
	return strings.Join([]string{method, session, event, status}, " ")
}

// tallied is what a frame of a runtime's counts as, and how much: events by session
// and type, statuses by session and value, deltas by session and bytes.
func (h *head) tallied() (key string, n int) {
	n = 1
	if h.Method == "session.delta" {
		n = len(h.Params.Text)
	}
	return tally(h.Method, h.Params.SessionID, h.Params.Event.Type, h.Params.Status), n
}

// patience is how long the player waits for something that the script's
// runtime wrote and that the one under test need not write.
const patience = time.Second

func (x *subjectSide) await(ctx context.Context, cond func() bool) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return x.rec.await(ctx, cond) == nil
}

// answer is the runtime's to a request; nil if there is none yet. rec.mu is held.
func (x *subjectSide) answer(id string) *moment {
	for _, m := range x.rec.of(written, method("")) {
		if string(m.ID) == id {
			return &m
		}
	}
	return nil
}

// passOn sends a client's frame to the runtime as the script has it. The
// client's own frame gives the id.
func (p *player) passOn(ctx context.Context, s *Step) error {
	x := p.subject
	got, err := p.nextFrame(ctx, s)
	if err != nil {
		return err
	}
	want := headOf(s.Frame)
	if got.Method != want.Method {
		return fmt.Errorf("the client sent %s; expected %s", short(string(got.text)), short(string(s.Frame)))
	}
	var name string
	if json.Unmarshal(want.ID, &name) == nil && variable.MatchString(name) {
		p.names[name] = string(got.ID)
	}
	session := want.Params.SessionID
	x.asked[string(got.ID)] = session
	if want.Method == "session/cancel" && !bytes.Contains(s.Frame, []byte(`"settled"`)) {
		x.stops[session] = append(x.stops[session], string(got.ID))
	}
	frame := p.names.replace(s.Frame)
	for script, actual := range x.actual {
		if script.session == session {
			const member = `"messageId":`
			frame = bytes.ReplaceAll(frame, []byte(member+encode(script.id)), []byte(member+encode(actual)))
		}
	}
	_, err = x.toRun.Write(append(frame, '\n'))
	return err
}

// follow makes the runtime's agent do what the script's runtime shows, and
// waits until the runtime has come as far.
func (p *player) follow(ctx context.Context, i int, s *Step) error {
	x := p.subject
	if s.Frame == nil {
		return nil // raw text is the script's runtime's own
	}
	frame := p.names.substitute(s.Frame)
	h := headOf(frame)
	if h.Method == "" {
		return p.awaitAnswer(ctx, &h, s)
	}
	p.speak(ctx, i, &h, frame)
	key, n := h.tallied()
	x.script[key] += n
	if !x.await(ctx, func() bool {
		seen := 0
		for _, m := range x.rec.of(written, method(h.Method)) {
			if k, n := m.tallied(); k == key {
				seen += n
			}
		}
		return seen >= x.script[key]
	}) {
		x.rec.add(remark, []byte("not seen of the runtime: "+key), nil)
	}
	return nil
}

func (p *player) awaitAnswer(ctx context.Context, want *head, s *Step) error {
	x := p.subject
	id := string(want.ID)
	var got *moment
	if !x.await(ctx, func() bool { got = x.answer(id); return got != nil }) {
		return fmt.Errorf("the runtime did not answer; the script has %s", short(string(s.Frame)))
	}
	if got.Error != nil && want.Error == nil {
		x.rec.add(remark, []byte("the runtime refused: "+string(got.Error)), nil)
	}
	type receipt struct {
		MessageID string `json:"messageId"`
	}
	var script, actual receipt
	if json.Unmarshal(want.Result, &script) == nil && json.Unmarshal(got.Result, &actual) == nil && script.MessageID != "" && actual.MessageID != "" {
		x.actual[messageOf{x.asked[id], script.MessageID}] = actual.MessageID
	}
	return nil
}

// release lets what was cancelled come to its end, once the runtime has taken all
// cancels that the script sent before: the last may still be on its way.
func (x *subjectSide) release(ctx context.Context, session harness.SessionID) {
	_ = x.await(ctx, func() bool {
		return !slices.ContainsFunc(x.stops[string(session)], func(id string) bool { return x.answer(id) == nil })
	})
	x.Voice.Release(session)
}

// finish waits for the runtime's end, which its process's exit stands for.
func (p *player) finish(ctx context.Context, s *Step) error {
	if s.Do != "exit" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, p.opts.Timeout)
	defer cancel()
	if !wait(ctx, p.subject.served) {
		return errors.New("the runtime went on serving")
	}
	return nil
}

// translate gives message ids in results the names that the script has for them.
func (x *subjectSide) translate(r *record) {
	script := map[any]string{}
	for name, actual := range x.actual {
		script[actual] = name.id
	}
	rename := func(list []any) {
		for i, id := range list {
			if name, ok := script[id]; ok {
				list[i] = name
			}
		}
	}
	for i, id := range r.pending {
		if name, ok := script[id]; ok {
			r.pending[i] = name
		}
	}
	for _, a := range r.actions {
		for k, v := range a.tree {
			switch v := v.(type) {
			case []any:
				rename(v)
			case string:
				if name, ok := script[v]; ok {
					a.tree[k] = name
				}
			}
		}
	}
}
