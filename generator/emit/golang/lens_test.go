// SPDX-License-Identifier: Apache-2.0

package golang_test

import (
	"context"
	"fmt"
	"io"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	wire "github.com/accordkit/accord/generator/emit/golang/testdata/lens"
	client "github.com/accordkit/accord/generator/emit/golang/testdata/lens_client"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// oracle is the side that serves.
type oracle struct {
	wire.UnimplementedServer
	peer    *wire.Peer
	lane    *jsonrpc.Lane
	changes chan []wire.Change
	working chan *wire.Progress
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

func (o *oracle) TextComplete(_ context.Context, p *wire.At) (wire.Offers, error) {
	switch p.Place.Line {
	case 0:
		return nil, nil
	case 1:
		return wire.OffersAll{{Word: "if", Kind: wire.KindValue}}, nil
	}
	return &wire.SomeOffers{More: true, Offers: []wire.Offer{{Word: "if"}}}, nil
}

func (o *oracle) TextRemedies(context.Context, *wire.At) (wire.Remedies, error) {
	return wire.Remedies{
		&wire.Order{Title: "tidy", Order: "tidy/all"},
		&wire.Fix{Title: "add", Order: &wire.Order{Title: "then", Order: "save"}},
	}, nil
}

func (o *oracle) TextRename(_ context.Context, p *wire.Rename) (*wire.Edit, error) {
	for _, step := range []wire.Step{&wire.StepBegin{Title: p.Name}, &wire.StepReport{Percent: new(int64(50))}, &wire.StepEnd{}} {
		o.peer.Progress(o.lane, &wire.Progress{Token: p.Token, Value: step})
	}
	return &wire.Edit{Changes: map[string][]wire.Change{string(p.URI): {{Text: p.Name}}}}, nil
}

func (o *oracle) Index(c wire.IndexCall, p *wire.Index) {
	c.Via(o.lane)
	c.Reply()
	for _, step := range []wire.Step{&wire.StepBegin{Title: string(p.Root)}, &wire.StepEnd{}} {
		o.peer.Progress(o.lane, &wire.Progress{Token: p.Token, Value: step})
	}
}

func (o *oracle) TextChanged(p *wire.TextChanged) { o.changes <- p.Changes }

func (o *oracle) Ping(context.Context) error { return nil }

func (o *oracle) Working(p *wire.Progress) { o.working <- p }

func (o *oracle) Close(context.Context) error {
	close(o.working)
	return nil
}

// look connects an editor to an oracle over pipes.
func look(t *testing.T, o client.Options) (*client.Lens, *oracle) {
	t.Helper()
	toServer, w := io.Pipe()
	r, toClient := io.Pipe()
	served := make(chan error, 1)
	s := &oracle{changes: make(chan []wire.Change, 1), working: make(chan *wire.Progress, 1)}
	s.peer = wire.NewPeer(toServer, toClient, jsonrpc.Config{}, func(*wire.Peer) wire.Server { return s })
	s.lane = s.peer.Conn().NewLane(nil)
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

// A choice without a tag is told apart by what it looks like.
func TestChoicesByShape(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var progress []string
		c, s := look(t, client.Options{Handler: client.Handler{Progress: func(_ context.Context, p *client.Progress) {
			token := "?"
			switch t := p.Token.(type) {
			case client.TokenNumber:
				token = fmt.Sprint("number ", int(t))
			case client.TokenText:
				token = "text " + string(t)
			}
			progress = append(progress, fmt.Sprintf("%s: %T", token, p.Value))
		}}})
		ctx := t.Context()
		for line, want := range []client.Offers{
			nil,
			client.OffersAll{{Word: "if", Kind: client.KindValue}},
			&client.SomeOffers{More: true, Offers: []client.Offer{{Word: "if"}}},
		} {
			offers, err := c.TextComplete(ctx, "a", client.Place{Line: int64(line)})
			require.NoError(t, err)
			assert.Equal(t, want, offers)
		}
		remedies, err := c.TextRemedies(ctx, "a", client.Place{})
		require.NoError(t, err)
		require.Len(t, remedies, 2)
		assert.Equal(t, &client.Order{Title: "tidy", Order: "tidy/all"}, remedies[0])
		assert.Equal(t, &client.Fix{Title: "add", Order: &client.Order{Title: "then", Order: "save"}}, remedies[1])

		for _, token := range []client.Token{client.TokenNumber(-3), client.TokenText("x"), nil} {
			edit, err := c.TextRename(ctx, "a", client.Place{}, "b", &wire.RenameOptions{Token: token})
			require.NoError(t, err)
			assert.Equal(t, "b", edit.Changes["a"][0].Text)
		}
		synctest.Wait()
		assert.Equal(t, []string{
			"number -3: *lens.StepBegin", "number -3: *lens.StepReport", "number -3: *lens.StepEnd",
			"text x: *lens.StepBegin", "text x: *lens.StepReport", "text x: *lens.StepEnd",
			"?: *lens.StepBegin", "?: *lens.StepReport", "?: *lens.StepEnd",
		}, progress)

		require.NoError(t, c.TextChanged("a", []client.Change{{Text: "all"}, {Stretch: &client.Stretch{To: client.Place{Line: 1}}, Text: "one"}}))
		changes := <-s.changes
		require.Len(t, changes, 2)
		assert.Nil(t, changes[0].Stretch)
		assert.Equal(t, int64(1), changes[1].Stretch.To.Line)
	})
}

// A strict reader holds a choice to one of its shapes; another keeps what is like
// none, and writes it again.
func TestChoicesByShapeThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		`{"uri":"a","place":{"line":0,"column":0},"name":"b","token":true}`:        "token: want a number or a string, found true or false",
		`{"uri":"a","place":{"line":0,"column":0},"name":"b","token":1.5}`:         "token: ",
		`{"uri":"a","place":{"line":0,"column":0},"name":"b","token":null}`:        "token: want a number or a string, found null",
		`{"uri":"a","place":{"line":0,"column":0},"name":"b","token":[1],"x":[2]}`: "token: want a number or a string, found a list",
	} {
		assert.ErrorContains(t, read(text, true, new(wire.Rename)), want, text)
	}
	var d codec.Decoder
	for text, want := range map[string]wire.Remedy{
		`{"title":"a","order":"b"}`:                       &wire.Order{Title: "a", Order: "b"},
		`{"order":"b","title":"a"}`:                       &wire.Order{Title: "a", Order: "b"},
		`{"title":"a","order":{"title":"b","order":"c"}}`: &wire.Fix{Title: "a", Order: &wire.Order{Title: "b", Order: "c"}},
		`{"title":"a"}`:                                   &wire.Fix{Title: "a"},
		`{"title":"a","order":null}`:                      &wire.Fix{Title: "a"},
		`{"order":"b"}`:                                   &wire.UnknownRemedy{Raw: codec.Raw(`{"order":"b"}`)},
		`{"title":"a","order":7}`:                         &wire.UnknownRemedy{Raw: codec.Raw(`{"title":"a","order":7}`)},
		`[ 1 ]`:                                           &wire.UnknownRemedy{Raw: codec.Raw(`[ 1 ]`)},
		`null`:                                            &wire.UnknownRemedy{Raw: codec.Raw(`null`)},
		`{"x":{"order":"no"},"\u006frder":"\u0062","title":"a"}`:           &wire.Order{Title: "a", Order: "b", Extra: codec.Extra(`"x":{"order":"no"}`)},
		`{"x":["order",{"order":"no"}],"title":"a","edit":{"changes":{}}}`: &wire.Fix{Title: "a", Edit: &wire.Edit{Changes: map[string][]wire.Change{}}, Extra: codec.Extra(`"x":["order",{"order":"no"}]`)},
	} {
		d.Reset([]byte(text))
		got := wire.DecodeRemedy(&d)
		d.End()
		require.NoError(t, d.Err(), text)
		assert.Equal(t, want, got, text)
		if unknown, ok := got.(*wire.UnknownRemedy); ok {
			assert.Equal(t, text, string(wire.AppendRemedy(nil, unknown)))
		}
	}
	for _, text := range []string{`{"title":"a","order":`, `{"title":"a"`, `{`, `tru`, ``, `{"title":"a","title":"b"}`} {
		d.Reset([]byte(text))
		wire.DecodeRemedy(&d)
		d.End()
		assert.Error(t, d.Err(), text)
	}
}

// A ping goes both ways, and so does a notification; a method called close is not
// the Close of the connection.
func TestNamesThatBothSidesHave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := look(t, client.Options{Ping: func(context.Context) (*client.Pong, error) { return &client.Pong{Busy: true}, nil }})
		require.NoError(t, c.Ping(t.Context()))
		pong, err := s.peer.Ping(t.Context())
		require.NoError(t, err)
		assert.True(t, pong.Busy)
		require.NoError(t, c.Working(client.TokenNumber(1), &client.StepEnd{}))
		assert.Equal(t, wire.TokenNumber(1), (<-s.working).Token)
		require.NoError(t, c.Shutdown(t.Context()))
		_, open := <-s.working
		assert.False(t, open, "close was called")
	})
}

// A capability may be announced by an object: by its being there.
func TestCapabilitiesThatAreObjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, s := look(t, client.Options{})
		assert.Equal(t, &wire.Can{Progress: &wire.None{}}, s.peer.Capabilities())
	})
	synctest.Test(t, func(t *testing.T) {
		_, s := look(t, client.Options{Choose: func(context.Context, *client.Question) (*client.Chosen, error) { return nil, nil }})
		assert.Equal(t, &wire.Can{Choose: &wire.Choose{Many: true}, Progress: &wire.None{}}, s.peer.Capabilities())
	})
}

// Work may be known by a number or a text.
func TestKeysThatAreChoices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := look(t, client.Options{})
		for _, token := range []client.Token{client.TokenNumber(1), client.TokenText("1"), client.TokenNumber(2)} {
			work, err := c.Index(t.Context(), "root", token)
			require.NoError(t, err)
			assert.Equal(t, token, work.ID())
			end, err := work.Settled(t.Context())
			require.NoError(t, err)
			assert.Equal(t, client.OutcomeOver, end.Outcome)
			assert.Equal(t, token, end.Last.Token)
			n := 0
			for p := range work.Progress(t.Context()) {
				assert.Equal(t, token, p.Token)
				n++
			}
			assert.Equal(t, 2, n)
		}
	})
}
