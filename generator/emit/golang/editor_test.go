// SPDX-License-Identifier: Apache-2.0

package golang_test

import (
	"context"
	"io"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/emit/golang/testdata/editor"
	"github.com/accordkit/accord/generator/emit/golang/testdata/editorclient"
	"github.com/accordkit/accord/generator/emit/golang/testdata/editorserver"
	"github.com/accordkit/accord/generator/emit/golang/testdata/editorspec"
	"github.com/accordkit/accord/runtime/contract"
	"github.com/accordkit/accord/runtime/jsonrpc"
	"github.com/accordkit/accord/spec"
	"github.com/accordkit/accord/spec/model"
)

// theEditor is a declaration as it is, without a loader: no texts, no places.
func theEditor() *model.Protocol {
	m, problems := spec.Model(editorspec.Editor, editorspec.Variables())
	if len(problems) > 0 {
		panic(problems[0].Text)
	}
	m.Package = "example.com/editor"
	for _, t := range m.Types {
		t.Pos = model.Pos{}
	}
	return m
}

// helper is the side that serves.
type helper struct {
	editorserver.UnimplementedServer
	peer   *editorserver.Peer
	lane   *jsonrpc.Lane
	serves *editor.Serves

	mu      sync.Mutex
	changed []string
	exits   int
}

func (h *helper) Open(_ context.Context, p *editor.Opening) (*editor.Opened, error) {
	return &editor.Opened{Serves: h.serves}, nil
}

func (h *helper) Complete(_ context.Context, p *editor.Place) (*editor.Words, error) {
	return &editor.Words{Words: []string{p.URI}}, nil
}

func (h *helper) Do(_ context.Context, p *editor.Task) error {
	say := func(send func(*jsonrpc.Lane, *editor.TaskNote) bool, n editor.TaskNote) {
		n.Token = p.Token
		send(h.lane, &n)
	}
	say(h.peer.TaskSays, editor.TaskNote{Text: "begun"})
	say(h.peer.TaskGone, editor.TaskNote{Text: "not yet"}) // is about something else: it has a text
	switch p.Do {
	case "vanish":
		say(h.peer.TaskGone, editor.TaskNote{})
	default:
		say(h.peer.TaskOver, editor.TaskNote{OK: p.Do == "well"})
	}
	return nil
}

func (h *helper) Bye(context.Context) (*editor.Yes, error) { return &editor.Yes{Yes: true}, nil }

func (h *helper) Changed(p *editor.Place) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.changed = append(h.changed, p.URI)
}

func (h *helper) Exit() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.exits++
}

func edit(t *testing.T, h *helper, o editorclient.Options) *editorclient.Helper {
	t.Helper()
	toServer, w := io.Pipe()
	r, toClient := io.Pipe()
	h.peer = editorserver.NewPeer(toServer, toClient, jsonrpc.Config{}, func(*editorserver.Peer) editorserver.Server { return h })
	h.lane = h.peer.Conn().NewLane(nil)
	served := make(chan error, 1)
	go func() {
		served <- h.peer.Serve(context.Background())
		_ = toClient.Close()
	}()
	c, err := editorclient.Connect(t.Context(), r, w, o)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, c.Close(context.Background()))
		assert.NoError(t, <-served)
	})
	return c
}

// What each side can do is all that is agreed on.
func TestOpenedByCapabilitiesAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &helper{serves: &editor.Serves{Complete: new(true)}}
		c := edit(t, h, editorclient.Options{Features: func(f *editor.Features) { f.Kinds = []string{"word"} }})
		assert.True(t, h.peer.Opened())
		assert.Equal(t, &editor.Features{Window: &editor.Window{Progress: true}, Kinds: []string{"word"}}, h.peer.Capabilities())
		words, err := c.Complete(t.Context(), "a", 1)
		require.NoError(t, err)
		assert.Equal(t, []string{"a"}, words.Words)
		yes, err := h.peer.Ask(t.Context(), &editor.Text{Text: "?"})
		require.NoError(t, err)
		assert.False(t, yes.Yes, "nobody is asked that announced nothing")
	})
	synctest.Test(t, func(t *testing.T) {
		h := &helper{}
		c := edit(t, h, editorclient.Options{Ask: func(context.Context, *editor.Text) (*editor.Yes, error) { return &editor.Yes{Yes: true}, nil }})
		_, err := c.Complete(t.Context(), "a", 1)
		assert.Equal(t, "unsupported", contract.KindOf(err), "it announced nothing")
		yes, err := h.peer.Ask(t.Context(), &editor.Text{Text: "?"})
		require.NoError(t, err)
		assert.True(t, yes.Yes)
	})
}

func TestWhatComesBeforeTheOpening(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out, in := io.Pipe()
		r, w := io.Pipe()
		h := &helper{}
		h.peer = editorserver.NewPeer(out, w, jsonrpc.Config{}, func(*editorserver.Peer) editorserver.Server { return h })
		served := make(chan error, 1)
		go func() {
			served <- h.peer.Serve(context.Background())
			_ = w.Close()
		}()
		go func() {
			_, _ = io.WriteString(in, `{"jsonrpc":"2.0","method":"exit"}`+"\n"+`{"jsonrpc":"2.0","id":1,"method":"complete","params":{"uri":"a","line":1}}`+"\n")
			_ = in.Close()
		}()
		all, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, <-served)
		assert.Contains(t, string(all), `"code":-32002`)
		assert.Zero(t, h.exits)
	})
}

// Work that is in no scope is followed on the connection.
func TestWorkInNoScope(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var heard []string
		c := edit(t, &helper{}, editorclient.Options{Handler: editorclient.Handler{
			TaskSays: func(_ context.Context, p *editor.TaskNote) { heard = append(heard, "says "+string(p.Token)) },
			TaskOver: func(_ context.Context, p *editor.TaskNote) { heard = append(heard, "over "+string(p.Token)) },
			TaskGone: func(_ context.Context, p *editor.TaskNote) { heard = append(heard, "gone "+string(p.Token)+" "+p.Text) },
		}})
		for _, each := range []struct {
			token editor.Token
			do    string
			want  editorclient.Outcome
		}{{"1", "well", editorclient.OutcomeDone}, {"2", "badly", editorclient.OutcomeFailed}, {"3", "vanish", editorclient.OutcomeGone}} {
			work, err := c.Do(t.Context(), each.token, each.do)
			require.NoError(t, err)
			assert.Equal(t, each.token, work.ID())
			end, err := work.Settled(t.Context())
			require.NoError(t, err)
			require.NotNil(t, end, each.do)
			assert.Equal(t, each.want, end.Outcome)
			var says []string
			for n := range work.Says(t.Context()) {
				says = append(says, n.Text)
			}
			assert.Contains(t, says, "begun")
		}
		assert.Equal(t, []string{"says 1", "gone 1 not yet", "over 1", "says 2", "gone 2 not yet", "over 2", "says 3", "gone 3 not yet", "gone 3 "}, heard)
	})
}

func TestNotificationsOfOnePayloadAndOfNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &helper{}
		var heard []string
		c := edit(t, h, editorclient.Options{Handler: editorclient.Handler{
			Tick:   func() { heard = append(heard, "tick") },
			Warned: func(p *editor.Text) { heard = append(heard, "warned "+p.Text) },
			Logged: func(p *editor.Text) { heard = append(heard, "logged "+p.Text) },
		}})
		h.peer.Logged(h.lane, &editor.Text{Text: "a"})
		h.peer.Tick(h.lane)
		h.peer.Warned(h.lane, &editor.Text{Text: "b"})
		require.NoError(t, c.Changed("x", 1))
		require.NoError(t, c.Exit())
		synctest.Wait()
		assert.Equal(t, []string{"logged a", "tick", "warned b"}, heard)
		assert.Equal(t, []string{"x"}, h.changed)
		assert.Equal(t, 1, h.exits)
	})
}
