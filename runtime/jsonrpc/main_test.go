// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"bufio"
	"context"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/accordkit/accord/runtime/codec"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The methods of the protocol that these tests speak.
const (
	opEcho  Op = iota + 1 // answers {"text":…} at once
	opHold                // is answered later, by the test
	opBlock               // blocks in a goroutine until its context ends
	opNote                // a notification with a number
	opBoom                // panics
	opBig                 // answers with n bytes
)

var methods = map[string]Op{"echo": opEcho, "hold": opHold, "block": opBlock, "note": opNote, "boom": opBoom, "big": opBig}

type params struct {
	Text string
	N    int64
	Tree codec.Raw
}

func (p *params) AppendJSON(b []byte) []byte {
	b = append(b, `{"text":`...)
	b = codec.AppendString(b, p.Text)
	if p.N != 0 {
		b = append(b, `,"n":`...)
		b = codec.AppendInt(b, p.N)
	}
	return append(b, '}')
}

func (p *params) decode(d *codec.Decoder) {
	for d.Object(); d.More(); {
		switch string(d.Key()) {
		case "text":
			p.Text = d.String()
		case "n":
			p.N = d.Int64()
		case "tree":
			p.Tree = d.Raw()
		default:
			d.Skip()
		}
	}
}

// handler is a hand-written receiving half.
type handler struct {
	request func(r *Request) // replaces the default
	note    func(n *Notification)

	mu   sync.Mutex
	held []*Request
}

func (h *handler) Lookup(method []byte) Op { return methods[string(method)] }

func (h *handler) Params(_ Op, d *codec.Decoder) any {
	p := new(params)
	p.decode(d)
	return p
}

func (h *handler) Request(r *Request) {
	if h.request != nil {
		h.request(r)
		return
	}
	if r.Err != nil {
		r.Fail(&Fault{Kind: ParamsFault, Err: r.Err})
		return
	}
	switch r.Op {
	case opEcho:
		p, _ := r.Params.(*params)
		if p == nil {
			p = new(params)
		}
		r.Reply(p)
	case opHold:
		h.mu.Lock()
		h.held = append(h.held, r)
		h.mu.Unlock()
	case opBlock:
		r.Go(func(ctx context.Context) { <-ctx.Done(); r.Fail(ctx.Err()) })
	case opBoom:
		panic("boom")
	case opBig:
		n := int(r.Params.(*params).N)
		r.Reply(&params{Text: strings.Repeat("x", n)})
	default:
		r.Fail(&Error{Code: CodeUnknownMethod, Message: "unknown: " + r.Method})
	}
}

func (h *handler) Notification(n *Notification) {
	if h.note != nil {
		h.note(n)
	}
}

// take gives the requests that were held back so far.
func (h *handler) take() []*Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	held := h.held
	h.held = nil
	return held
}

// peer is the other end of a connection, as lines.
type peer struct {
	t     testing.TB
	conn  *Conn
	to    *io.PipeWriter // what the connection reads
	from  *io.PipeReader // what it writes
	lines chan string
	ended chan error // what Serve returned

	mu    sync.Mutex
	diags []Diagnostic
}

// dial serves a connection over pipes without buffers. Its output is read all
// the time unless stalled.
func dial(t testing.TB, c Config) *peer {
	p := newPeer(t, c)
	p.drain()
	return p
}

func newPeer(t testing.TB, c Config) *peer {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &peer{t: t, to: inW, from: outR, lines: make(chan string, 1<<16), ended: make(chan error, 1)}
	if c.Diagnose == nil {
		c.Diagnose = func(d Diagnostic) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.diags = append(p.diags, d)
		}
	}
	p.conn = NewConn(inR, outW, c)
	go func() { p.ended <- p.conn.Serve(context.Background()) }()
	return p
}

func (p *peer) drain() {
	go func() {
		defer close(p.lines)
		r := bufio.NewReaderSize(p.from, 1<<16)
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			p.lines <- strings.TrimSuffix(line, "\n")
		}
	}()
}

// send writes lines.
func (p *peer) send(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		p.write(line + "\n")
	}
}

func (p *peer) write(text string) {
	p.t.Helper()
	_, err := io.WriteString(p.to, text)
	require.NoError(p.t, err)
}

// next is the next line that the connection wrote.
func (p *peer) next() string {
	p.t.Helper()
	line, ok := <-p.lines
	require.True(p.t, ok, "the connection wrote no more")
	return line
}

// until gives the lines before the answer to a last echo, which shows that all
// before it was dealt with.
func (p *peer) until() []string {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":"end","method":"echo","params":{}}`)
	return p.before(`{"jsonrpc":"2.0","id":"end","result":{"text":""}}`)
}

func (p *peer) before(last string) []string {
	p.t.Helper()
	lines := []string{}
	for {
		line := p.next()
		if line == last {
			return lines
		}
		lines = append(lines, line)
	}
}

// close ends the connection from the peer's side, and gives what Serve
// returned.
func (p *peer) close() error {
	p.t.Helper()
	require.NoError(p.t, p.to.Close())
	err := <-p.ended
	for range p.lines { //nolint:revive // until the reader has ended
	}
	return err
}

func (p *peer) count(k DiagnosticKind) int {
	c := p.conn.Counters()
	return int(c.Of(k))
}
