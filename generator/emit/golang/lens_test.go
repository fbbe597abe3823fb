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

	"github.com/accordkit/accord/generator/emit/golang/testdata/lens"
	"github.com/accordkit/accord/generator/emit/golang/testdata/lensclient"
	"github.com/accordkit/accord/generator/emit/golang/testdata/lensserver"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// oracle is the side that serves.
type oracle struct {
	lensserver.UnimplementedServer
	peer    *lensserver.Peer
	lane    *jsonrpc.Lane
	changes chan []lens.Change
	working chan *lens.Progress
}

func (o *oracle) Open(_ context.Context, p *lens.Opening) (*lens.Opened, error) {
	if p.Root.Null {
		return nil, &lens.ParamsError{Path: "root"}
	}
	return &lens.Opened{Serves: lens.Serves{About: true}}, nil
}

func (o *oracle) TextAbout(_ context.Context, p *lens.At) (*lens.About, error) {
	if p.Place.Line > 0 {
		return nil, nil
	}
	return &lens.About{Text: string(p.URI)}, nil
}

func (o *oracle) TextFind(_ context.Context, p *lens.At) (lens.Spots, error) {
	switch p.Place.Line {
	case 0:
		return nil, nil
	case 1:
		return lens.Spots{}, nil
	}
	return lens.Spots{{URI: p.URI}}, nil
}

func (o *oracle) TextCount(context.Context, *lens.TextClosed) (lens.Count, error) { return 3, nil }

func (o *oracle) TextGrade(_ context.Context, p *lens.TextClosed) (*lens.Grade, error) {
	if p.URI == "" {
		return nil, nil
	}
	return new(lens.GradeWarning), nil
}

func (o *oracle) TextMarks(c lensserver.Call[lens.Marks], p *lens.TextClosed) {
	c.Reply(lens.Marks{string(p.URI): "a"})
}

func (o *oracle) TextComplete(_ context.Context, p *lens.At) (lens.Offers, error) {
	switch p.Place.Line {
	case 0:
		return nil, nil
	case 1:
		return lens.OffersAll{{Word: "if", Kind: lens.KindValue}}, nil
	}
	return &lens.SomeOffers{More: true, Offers: []lens.Offer{{Word: "if"}}}, nil
}

func (o *oracle) TextRemedies(context.Context, *lens.At) (lens.Remedies, error) {
	return lens.Remedies{
		&lens.Order{Title: "tidy", Order: "tidy/all"},
		&lens.Fix{Title: "add", Order: &lens.Order{Title: "then", Order: "save"}},
	}, nil
}

func (o *oracle) TextRename(_ context.Context, p *lens.Rename) (*lens.Edit, error) {
	for _, step := range []lens.Step{&lens.StepBegin{Title: p.Name}, &lens.StepReport{Percent: new(int64(50))}, &lens.StepEnd{}} {
		o.peer.Progress(o.lane, &lens.Progress{Token: p.Token, Value: step})
	}
	return &lens.Edit{Changes: map[string][]lens.Change{string(p.URI): {{Text: p.Name}}}}, nil
}

func (o *oracle) Index(c lensserver.Call[codec.Appender], p *lens.Index) {
	c.Via(o.lane)
	c.Reply(nil)
	for _, step := range []lens.Step{&lens.StepBegin{Title: string(p.Root)}, &lens.StepEnd{}} {
		o.peer.Progress(o.lane, &lens.Progress{Token: p.Token, Value: step})
	}
}

func (o *oracle) TextChanged(p *lens.TextChanged) { o.changes <- p.Changes }

func (o *oracle) Ping(context.Context) error { return nil }

func (o *oracle) Working(p *lens.Progress) { o.working <- p }

func (o *oracle) Close(context.Context) error {
	close(o.working)
	return nil
}

// look connects an editor to an oracle over pipes.
func look(t *testing.T, o lensclient.Options) (*lensclient.Lens, *oracle) {
	t.Helper()
	toServer, w := io.Pipe()
	r, toClient := io.Pipe()
	served := make(chan error, 1)
	s := &oracle{changes: make(chan []lens.Change, 1), working: make(chan *lens.Progress, 1)}
	s.peer = lensserver.NewPeer(toServer, toClient, jsonrpc.Config{}, func(*lensserver.Peer) lensserver.Server { return s })
	s.lane = s.peer.Conn().NewLane(nil)
	go func() {
		served <- s.peer.Serve(context.Background())
		_ = toClient.Close()
	}()
	o.Root = codec.Some(lens.URI("file:///a"))
	c, err := lensclient.Connect(t.Context(), r, w, o)
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
		c, s := look(t, lensclient.Options{
			Settings: func(_ context.Context, p *lens.Setting) (lens.Settings, error) { return p.Keys, nil },
			Choose: func(_ context.Context, p *lens.Question) (*lens.Chosen, error) {
				if p.Grade == lens.GradeError {
					return nil, nil
				}
				return &lens.Chosen{Choice: p.Choices[0]}, nil
			},
		})
		ctx := t.Context()
		about, err := c.TextAbout(ctx, "a", lens.Place{})
		require.NoError(t, err)
		assert.Equal(t, &lens.About{Text: "a"}, about)
		about, err = c.TextAbout(ctx, "a", lens.Place{Line: 1})
		require.NoError(t, err)
		assert.Nil(t, about)
		for line, want := range []lens.Spots{nil, {}, {{URI: "a"}}} {
			spots, err := c.TextFind(ctx, "a", lens.Place{Line: int64(line)})
			require.NoError(t, err)
			assert.Equal(t, want, spots)
		}
		n, err := c.TextCount(ctx, "a")
		require.NoError(t, err)
		assert.Equal(t, lens.Count(3), n)
		grade, err := c.TextGrade(ctx, "a")
		require.NoError(t, err)
		assert.Equal(t, new(lens.GradeWarning), grade)
		grade, err = c.TextGrade(ctx, "")
		require.NoError(t, err)
		assert.Nil(t, grade)
		marks, err := c.TextMarks(ctx, "m")
		require.NoError(t, err)
		assert.Equal(t, lens.Marks{"m": "a"}, marks)

		settings, err := s.peer.SettingsGet(ctx, &lens.Setting{Keys: []string{"k"}})
		require.NoError(t, err)
		assert.Equal(t, lens.Settings{"k"}, settings)
		chosen, err := s.peer.WindowAsk(ctx, &lens.Question{Grade: lens.GradeHint, Choices: []string{"yes"}})
		require.NoError(t, err)
		assert.Equal(t, &lens.Chosen{Choice: "yes"}, chosen)
		chosen, err = s.peer.WindowAsk(ctx, &lens.Question{Grade: lens.GradeError})
		require.NoError(t, err)
		assert.Nil(t, chosen)
	})
}

// What cannot be asked is answered as the declaration says.
func TestResultsOfAnyFormThatNobodyGives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, s := look(t, lensclient.Options{})
		settings, err := s.peer.SettingsGet(t.Context(), &lens.Setting{})
		require.NoError(t, err)
		assert.Equal(t, lens.Settings{"default"}, settings)
		chosen, err := s.peer.WindowAsk(t.Context(), &lens.Question{})
		require.NoError(t, err)
		assert.Nil(t, chosen)
	})
}

// A choice without a tag is distinguished by its shape.
func TestChoicesByShape(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var progress []string
		c, s := look(t, lensclient.Options{Handler: lensclient.Handler{Progress: func(_ context.Context, p *lens.Progress) {
			token := "?"
			switch t := p.Token.(type) {
			case lens.TokenNumber:
				token = fmt.Sprint("number ", int(t))
			case lens.TokenText:
				token = "text " + string(t)
			}
			progress = append(progress, fmt.Sprintf("%s: %T", token, p.Value))
		}}})
		ctx := t.Context()
		for line, want := range []lens.Offers{
			nil,
			lens.OffersAll{{Word: "if", Kind: lens.KindValue}},
			&lens.SomeOffers{More: true, Offers: []lens.Offer{{Word: "if"}}},
		} {
			offers, err := c.TextComplete(ctx, "a", lens.Place{Line: int64(line)})
			require.NoError(t, err)
			assert.Equal(t, want, offers)
		}
		remedies, err := c.TextRemedies(ctx, "a", lens.Place{})
		require.NoError(t, err)
		require.Len(t, remedies, 2)
		assert.Equal(t, &lens.Order{Title: "tidy", Order: "tidy/all"}, remedies[0])
		assert.Equal(t, &lens.Fix{Title: "add", Order: &lens.Order{Title: "then", Order: "save"}}, remedies[1])

		for _, token := range []lens.Token{lens.TokenNumber(-3), lens.TokenText("x"), nil} {
			edit, err := c.TextRename(ctx, "a", lens.Place{}, "b", &lens.RenameOptions{Token: token})
			require.NoError(t, err)
			assert.Equal(t, "b", edit.Changes["a"][0].Text)
		}
		synctest.Wait()
		assert.Equal(t, []string{
			"number -3: *lens.StepBegin", "number -3: *lens.StepReport", "number -3: *lens.StepEnd",
			"text x: *lens.StepBegin", "text x: *lens.StepReport", "text x: *lens.StepEnd",
			"?: *lens.StepBegin", "?: *lens.StepReport", "?: *lens.StepEnd",
		}, progress)

		require.NoError(t, c.TextChanged("a", []lens.Change{{Text: "all"}, {Stretch: &lens.Stretch{To: lens.Place{Line: 1}}, Text: "one"}}))
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
		assert.ErrorContains(t, read(text, true, new(lens.Rename)), want, text)
	}
	var d codec.Decoder
	for text, want := range map[string]lens.Remedy{
		`{"title":"a","order":"b"}`:                       &lens.Order{Title: "a", Order: "b"},
		`{"order":"b","title":"a"}`:                       &lens.Order{Title: "a", Order: "b"},
		`{"title":"a","order":{"title":"b","order":"c"}}`: &lens.Fix{Title: "a", Order: &lens.Order{Title: "b", Order: "c"}},
		`{"title":"a"}`:                                   &lens.Fix{Title: "a"},
		`{"title":"a","order":null}`:                      &lens.Fix{Title: "a"},
		`{"order":"b"}`:                                   &lens.UnknownRemedy{Raw: codec.Raw(`{"order":"b"}`)},
		`{"title":"a","order":7}`:                         &lens.UnknownRemedy{Raw: codec.Raw(`{"title":"a","order":7}`)},
		`[ 1 ]`:                                           &lens.UnknownRemedy{Raw: codec.Raw(`[ 1 ]`)},
		`null`:                                            &lens.UnknownRemedy{Raw: codec.Raw(`null`)},
		`{"x":{"order":"no"},"\u006frder":"\u0062","title":"a"}`:           &lens.Order{Title: "a", Order: "b", Extra: codec.Extra(`"x":{"order":"no"}`)},
		`{"x":["order",{"order":"no"}],"title":"a","edit":{"changes":{}}}`: &lens.Fix{Title: "a", Edit: &lens.Edit{Changes: map[string][]lens.Change{}}, Extra: codec.Extra(`"x":["order",{"order":"no"}]`)},
	} {
		d.Reset([]byte(text))
		got := lens.DecodeRemedy(&d)
		d.End()
		require.NoError(t, d.Err(), text)
		assert.Equal(t, want, got, text)
		if unknown, ok := got.(*lens.UnknownRemedy); ok {
			assert.Equal(t, text, string(lens.AppendRemedy(nil, unknown)))
		}
	}
	for _, text := range []string{`{"title":"a","order":`, `{"title":"a"`, `{`, `tru`, ``, `{"title":"a","title":"b"}`} {
		d.Reset([]byte(text))
		lens.DecodeRemedy(&d)
		d.End()
		assert.Error(t, d.Err(), text)
	}
}

// A ping goes both ways, and so does a notification; a method called close is not
// the Close of the connection.
func TestNamesThatBothSidesHave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := look(t, lensclient.Options{Ping: func(context.Context) (*lens.Pong, error) { return &lens.Pong{Busy: true}, nil }})
		require.NoError(t, c.Ping(t.Context()))
		pong, err := s.peer.Ping(t.Context())
		require.NoError(t, err)
		assert.True(t, pong.Busy)
		require.NoError(t, c.Working(lens.TokenNumber(1), &lens.StepEnd{}))
		assert.Equal(t, lens.TokenNumber(1), (<-s.working).Token)
		require.NoError(t, c.Shutdown(t.Context()))
		_, open := <-s.working
		assert.False(t, open, "close was called")
	})
}

// A capability may be announced by an object: by its being there.
func TestCapabilitiesThatAreObjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, s := look(t, lensclient.Options{})
		assert.Equal(t, &lens.Can{Progress: &lens.None{}}, s.peer.Capabilities())
	})
	synctest.Test(t, func(t *testing.T) {
		_, s := look(t, lensclient.Options{Choose: func(context.Context, *lens.Question) (*lens.Chosen, error) { return nil, nil }})
		assert.Equal(t, &lens.Can{Choose: &lens.Choose{Many: true}, Progress: &lens.None{}}, s.peer.Capabilities())
	})
}

// Work may be known by a number or a text.
func TestKeysThatAreChoices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := look(t, lensclient.Options{})
		for _, token := range []lens.Token{lens.TokenNumber(1), lens.TokenText("1"), lens.TokenNumber(2)} {
			work, err := c.Index(t.Context(), "root", token)
			require.NoError(t, err)
			assert.Equal(t, token, work.ID())
			end, err := work.Settled(t.Context())
			require.NoError(t, err)
			assert.Equal(t, lensclient.OutcomeOver, end.Outcome)
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
