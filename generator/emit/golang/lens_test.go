package golang_test

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	wire "github.com/accordkit/accord/generator/emit/golang/testdata/lens"
	client "github.com/accordkit/accord/generator/emit/golang/testdata/lens_client"
	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/jsonrpc"
	"github.com/accordkit/accord/spec/model"
)

var declarations sync.Map // name → func() (*model.Protocol, error)

// loaded is a declaration of testdata as `accord` reads it.
func loaded(t *testing.T, name string) *model.Protocol {
	t.Helper()
	once, _ := declarations.LoadOrStore(name, sync.OnceValues(func() (*model.Protocol, error) {
		s, err := load.Open(t.Context(), "./testdata/"+name+"_spec", load.Options{})
		if err != nil {
			return nil, err
		}
		if s.Problems.Errors() > 0 {
			return nil, errors.New(s.Problems.String())
		}
		return s.Model, nil
	}))
	m, err := once.(func() (*model.Protocol, error))()
	require.NoError(t, err)
	return m
}

// oracle is the side that serves.
type oracle struct {
	wire.UnimplementedServer
	peer *wire.Peer
}

func (o *oracle) Open(_ context.Context, p *wire.Opening) (*wire.Opened, error) {
	if p.Root.Null {
		return nil, &wire.ParamsError{Path: "root"}
	}
	return &wire.Opened{Serves: wire.Serves{About: true}}, nil
}

func (o *oracle) TextAbout(_ context.Context, p *wire.At) (*wire.About, error) {
	if p.Place.Line > 0 {
		return nil, nil
	}
	return &wire.About{Text: string(p.URI)}, nil
}

func (o *oracle) TextFind(_ context.Context, p *wire.At) (wire.Spots, error) {
	switch p.Place.Line {
	case 0:
		return nil, nil
	case 1:
		return wire.Spots{}, nil
	}
	return wire.Spots{{URI: p.URI}}, nil
}

func (o *oracle) TextCount(context.Context, *wire.TextClosed) (wire.Count, error) { return 3, nil }

func (o *oracle) TextGrade(_ context.Context, p *wire.TextClosed) (*wire.Grade, error) {
	if p.URI == "" {
		return nil, nil
	}
	return new(wire.GradeWarning), nil
}

func (o *oracle) TextMarks(c wire.TextMarksCall, p *wire.TextClosed) {
	c.Reply(wire.Marks{string(p.URI): "a"})
}

func (o *oracle) Quit(context.Context) error { return nil }

// look connects an editor to an oracle over pipes.
func look(t *testing.T, o client.Options) (*client.Lens, *oracle) {
	t.Helper()
	toServer, w := io.Pipe()
	r, toClient := io.Pipe()
	served := make(chan error, 1)
	s := &oracle{}
	s.peer = wire.NewPeer(toServer, toClient, jsonrpc.Config{}, func(*wire.Peer) wire.Server { return s })
	go func() {
		served <- s.peer.Serve(context.Background())
		_ = toClient.Close()
	}()
	o.Root = codec.Some(client.URI("file:///a"))
	c, err := client.Connect(t.Context(), r, w, o)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, c.Close(context.Background()))
		assert.NoError(t, <-served)
	})
	return c, s
}

// A result may be null, a list, a map or a scalar, of either side.
func TestResultsOfAnyForm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := look(t, client.Options{
			Settings: func(_ context.Context, p *client.Setting) (client.Settings, error) { return p.Keys, nil },
			Choose: func(_ context.Context, p *client.Question) (*client.Chosen, error) {
				if p.Grade == client.GradeError {
					return nil, nil
				}
				return &client.Chosen{Choice: p.Choices[0]}, nil
			},
		})
		ctx := t.Context()
		about, err := c.TextAbout(ctx, "a", client.Place{})
		require.NoError(t, err)
		assert.Equal(t, &client.About{Text: "a"}, about)
		about, err = c.TextAbout(ctx, "a", client.Place{Line: 1})
		require.NoError(t, err)
		assert.Nil(t, about)
		for line, want := range []client.Spots{nil, {}, {{URI: "a"}}} {
			spots, err := c.TextFind(ctx, "a", client.Place{Line: int64(line)})
			require.NoError(t, err)
			assert.Equal(t, want, spots)
		}
		n, err := c.TextCount(ctx, "a")
		require.NoError(t, err)
		assert.Equal(t, client.Count(3), n)
		grade, err := c.TextGrade(ctx, "a")
		require.NoError(t, err)
		assert.Equal(t, new(client.GradeWarning), grade)
		grade, err = c.TextGrade(ctx, "")
		require.NoError(t, err)
		assert.Nil(t, grade)
		marks, err := c.TextMarks(ctx, "m")
		require.NoError(t, err)
		assert.Equal(t, client.Marks{"m": "a"}, marks)

		settings, err := s.peer.SettingsGet(ctx, &wire.Setting{Keys: []string{"k"}})
		require.NoError(t, err)
		assert.Equal(t, wire.Settings{"k"}, settings)
		chosen, err := s.peer.WindowAsk(ctx, &wire.Question{Grade: wire.GradeHint, Choices: []string{"yes"}})
		require.NoError(t, err)
		assert.Equal(t, &wire.Chosen{Choice: "yes"}, chosen)
		chosen, err = s.peer.WindowAsk(ctx, &wire.Question{Grade: wire.GradeError})
		require.NoError(t, err)
		assert.Nil(t, chosen)
	})
}

// What cannot be asked is answered as the declaration says.
func TestResultsOfAnyFormThatNobodyGives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, s := look(t, client.Options{})
		settings, err := s.peer.SettingsGet(t.Context(), &wire.Setting{})
		require.NoError(t, err)
		assert.Equal(t, wire.Settings{"default"}, settings)
		chosen, err := s.peer.WindowAsk(t.Context(), &wire.Question{})
		require.NoError(t, err)
		assert.Nil(t, chosen)
	})
}
