// SPDX-License-Identifier: Apache-2.0

package golang_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/accordkit/accord/generator/emit/emittest"
	"github.com/accordkit/accord/generator/emit/golang"
	"github.com/accordkit/accord/generator/emit/golang/testdata/dropped"
	"github.com/accordkit/accord/generator/emit/golang/testdata/everything"
	"github.com/accordkit/accord/generator/emit/golang/testdata/queue"
	"github.com/accordkit/accord/generator/emit/sample"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/contract"
	"github.com/accordkit/accord/runtime/jsonrpc"
	"github.com/accordkit/accord/spec/model"
)

// generated are types of the checked-in packages by the name of their case.
var generated = map[string]map[string]func() codec.Value{
	"queue": {
		"PrintParams": of[queue.PrintParams](), "Ticket": of[queue.Ticket](), "JobEventParams": of[queue.JobEventParams](),
		"JobInkParams": of[queue.JobInkParams](), "HelloParams": of[queue.HelloParams](), "StopResult": of[queue.StopResult](),
	},
	"everything": {
		"Scalars": of[everything.Scalars](), "Lists": of[everything.Lists](), "Nullables": of[everything.Nullables](), "Odd": of[everything.Odd](),
		"Event": of[everything.Event](), "Empty": of[everything.Empty](), "Bare": of[everything.Bare](), "Point": of[everything.Point](), "Choices": of[everything.Choices](),
	},
	"dropped": {
		"Scalars": of[dropped.Scalars](), "Lists": of[dropped.Lists](), "Nullables": of[dropped.Nullables](), "Odd": of[dropped.Odd](), "Event": of[dropped.Event](), "Choices": of[dropped.Choices](),
	},
}

func of[T any, P interface {
	*T
	codec.Value
}]() func() codec.Value {
	return func() codec.Value { return P(new(T)) }
}

// TestAnyValueSurvives reads random values of each type, strictly and not, and
// writes them: the same JSON value comes out.
func TestAnyValueSurvives(t *testing.T) {
	for name, types := range generated {
		p := cases(t)[name]
		for typeName, create := range types {
			t.Run(name+"/"+typeName, rapid.MakeCheck(func(t *rapid.T) {
				w := sample.New(p)
				w.Unknown = p.UnknownMembers == model.Kept
				w.Wild = rapid.Bool().Draw(t, "wild")
				text := w.Type(t, typeName)
				for _, strict := range []bool{true, false} {
					var d codec.Decoder
					d.Strict, d.MaxDepth = strict, 100
					d.Interner = new(codec.Interner)
					d.Reset(text)
					v := create()
					v.DecodeJSON(&d)
					d.End()
					require.NoError(t, d.Err(), "%s", text)
					out := v.AppendJSON(nil)
					require.Empty(t, cmp.Diff(value(t, text), value(t, out)), "%s\n%s", text, out)
					require.False(t, bytes.ContainsAny(out, "\n\r"), "a frame is one line")
				}
				// A second reading gives the very same bytes, into a used value too.
				v := create()
				require.NoError(t, json.Unmarshal(text, v))
				once := v.AppendJSON(nil)
				require.NoError(t, json.Unmarshal(once, v))
				require.Equal(t, string(once), string(v.AppendJSON(nil)))
				std, err := json.Marshal(v)
				require.NoError(t, err)
				require.Empty(t, cmp.Diff(value(t, once), value(t, std)))
			}))
		}
	}
}

func value(t require.TestingT, text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	return v
}

func read(text string, strict bool, v codec.Reader) error {
	var d codec.Decoder
	d.Strict = strict
	d.Reset([]byte(text))
	v.DecodeJSON(&d)
	d.End()
	return d.Err()
}

func TestStrict(t *testing.T) {
	for text, want := range map[string]string{
		`{"trayId":"a"}`:            "pages: this required member is missing",
		`{"trayId":"a","pages":[]}`: "pages: want a list of at least 1 item",
		`{"trayId":"a","pages":[{"type":"text","text":"x"}],"key":""}`:       "key: want a string of 1 to 255 characters",
		`{"trayId":"a","pages":[{"type":"text","text":"x"}],"copies":100}`:   "copies: want a number of 1 to 99",
		`{"trayId":"a","pages":[{"type":"text","text":"x"}],"owner":"A"}`:    "owner: want a string of the form",
		`{"trayId":"a","pages":[{"type":"book","pages":[{"type":"text"}]}]}`: "pages[0].pages[0].text: this required member is missing",
		`{"trayId":"a","pages":[{"type":5}]}`:                                "pages[0].type: this member must be there, and a string",
		`{"trayId":"a","pages":[5]}`:                                         "pages[0]: want an object, found a number",
		`{"trayId":"a","pages":{}}`:                                          "pages: want a list, found an object",
		`[]`:                                                                 "want an object, found a list",
	} {
		err := read(text, true, new(queue.PrintParams))
		if assert.Error(t, err, text) {
			assert.Contains(t, err.Error(), want)
		}
	}
	assert.ErrorContains(t, read(`{"effect":"else"}`, true, new(queue.StopResult)), "effect: want one of stopping, over")
	var r queue.StopResult
	require.NoError(t, read(`{"effect":"else"}`, false, &r))
	assert.False(t, r.Effect.Known())
	require.NoError(t, read(`{"trayId":"a","pages":[{"type":"text","text":"x"}],"owner":null}`, true, new(queue.PrintParams)))
}

func TestNotStrict(t *testing.T) {
	var v queue.PrintParams
	require.NoError(t, read(`{"key":null,"copies":1000,"pages":[{"type":"text"},{"type":"text","text":"x"},7]}`, false, &v))
	assert.Nil(t, v.Key)
	assert.Empty(t, v.TrayID)
	require.Len(t, v.Pages, 3)
	assert.Equal(t, &queue.UnknownPage{Type: "text", Raw: codec.Raw(`{"type":"text"}`)}, v.Pages[0])
	assert.Equal(t, &queue.TextPage{Text: "x"}, v.Pages[1])
	assert.Equal(t, `{"trayId":"","pages":[{"type":"text"},{"type":"text","text":"x"},7],"copies":1000}`, string(v.AppendJSON(nil)))

	assert.Error(t, read(`{"pages":5}`, false, &v), "a type is a type")
	assert.Error(t, read(`{"pages":[],"pages":[]}`, false, &v), "twice is wrong")
}

func TestAdjacentUnion(t *testing.T) {
	// Common members stand around the content as the author put them.
	e := everything.Event{Seq: 1, Note: new("n"), Body: &everything.BeginBody{Shape: &everything.DotShape{}}}
	assert.Equal(t, "begin", e.EventType())
	assert.Equal(t, `{"event-type":"begin","seq":1,"body":{"shape":{"shape":"dot"}},"note":"n"}`, string(e.AppendJSON(nil)))
	assert.Empty(t, new(everything.Event).EventType())

	for _, text := range []string{
		`{"event-type":"begin","seq":1,"body":{"shape":{"shape":"star","n":1.0}},"note":"n"}`,
		`{"event-type":"begin","seq":1,"body":{"shape":7}}`,
		`{"event-type":"begin","seq":1,"body":{}}`,
		`{"event-type":"begin","seq":1,"body":[ 1 ]}`,
		`{"event-type":"begin","seq":1,"note":"without body"}`,
		`{"event-type":"never heard of","seq":1,"body":{"a" : 1}}`,
		`{"event-type":"never heard of","seq":1}`,
		`{"event-type":"begin","seq":1,"body":null}`,
	} {
		require.NoError(t, read(text, false, &e), text)
		assert.Equal(t, text, string(e.AppendJSON(nil)))
	}
	require.NoError(t, read(`{"note":"n","body":{"shape":{"shape":"dot"}},"seq":1,"event-type":"begin"}`, true, &e))
	assert.IsType(t, &everything.BeginBody{}, e.Body)
	for text, want := range map[string]string{
		`{"event-type":"begin","seq":1}`:                            "body: this required member is missing",
		`{"seq":1,"body":{}}`:                                       "event-type: this member must be there, and a string",
		`{"event-type":"end","seq":1,"body":{}}`:                    "body.why: this required member is missing",
		`{"event-type":"end","seq":1,"body":{"why":1}}`:             "body.why: want a string",
		`{"event-type":"end","seq":1,"body":{},"event-type":"end"}`: "body.why: this required member is missing",
		`{"event-type":"a","seq":1,"body":{},"event-type":"b"}`:     "event-type: the object has this member twice",
	} {
		assert.ErrorContains(t, read(text, true, &e), want)
	}
}

func TestUnknownMembersAreDropped(t *testing.T) {
	var v dropped.Point
	require.NoError(t, read(`{"x":1,"y":2,"z":{"a":1}}`, true, &v))
	assert.Equal(t, `{"x":1,"y":2}`, string(v.AppendJSON(nil)))
	assert.ErrorContains(t, read(`{"x":1,"y":2,"z":{"a":1,"a":2}}`, true, &v), "z.a: the object has this member twice")
	assert.ErrorContains(t, read(`{"x":1,"z":1,"y":2,"z":1}`, true, &v), "z: the object has this member twice")
}

func TestErrors(t *testing.T) {
	err := &queue.TrayFullError{TrayID: "a", Limit: 8, Err: errors.ErrUnsupported}
	assert.Equal(t, `{"kind":"tray-full","trayId":"a","retry":"after","limit":8}`, string(err.AppendData(nil)))
	assert.Equal(t, `tray full: "a"`, err.Error())
	assert.Equal(t, "Tray is full (8)", err.LegacyText())
	assert.ErrorIs(t, err, errors.ErrUnsupported)
	assert.Equal(t, 1001, err.Code())
	assert.Equal(t, queue.KindTrayFull, contract.KindOf(err))
	assert.Equal(t, contract.After, contract.RetryOf(err))

	back := queue.DecodeError(&jsonrpc.Error{Code: 1001, Message: "no room", Data: codec.Raw(`{"retry":"after","limit":8,"kind":"tray-full","shade":"blue","trayId":"a"}`)})
	var full *queue.TrayFullError
	require.ErrorAs(t, back, &full)
	assert.Equal(t, "no room", full.Error())
	assert.Equal(t, int64(8), full.Limit)
	assert.Equal(t, `"shade":"blue"`, string(full.Extra))

	for _, data := range []string{"", `{}`, `{"kind":"else"}`, `{"kind":"gone"}`, `7`} {
		e := &jsonrpc.Error{Code: 1, Data: codec.Raw(data)}
		assert.Same(t, e, queue.DecodeError(e), data)
	}

	// What is wrong with its data makes it no other error.
	full = nil
	back = queue.DecodeError(&jsonrpc.Error{Code: 1, Data: codec.Raw(`{"kind":"tray-full","limit":"8","trayId":"a"}`)})
	require.ErrorAs(t, back, &full)
	assert.Equal(t, "a", string(full.TrayID))
	var misread *codec.Error
	require.ErrorAs(t, back, &misread)
	assert.Equal(t, "limit", misread.Path)
	for _, data := range []string{"", `{}`, `7`, `{"kind":7}`} {
		full = nil
		assert.ErrorAs(t, queue.DecodeError(&jsonrpc.Error{Code: 1001, Data: codec.Raw(data)}), &full, data)
	}

	many := &everything.TooManyError{Limit: 3}
	assert.Equal(t, "more than 3", many.LegacyText())
	many.Where, many.At = "here", new(int64(4))
	assert.Equal(t, "more than 3 in here, at 4", many.LegacyText())
	many.Legacy = "own"
	assert.Equal(t, "own", many.LegacyText())
	assert.Equal(t, "there are more than 3 at here: send fewer", many.Error())
	many.Where = ""
	assert.Equal(t, "too many", many.Error(), "its own words where a member is missing")
}

func TestFileNames(t *testing.T) {
	for spec, want := range map[string][]string{
		"types_job.go":   {"codec_job.gen.go", "types_job.gen.go"},
		"job.go":         {"codec_job.gen.go", "job.gen.go"},
		"":               {"codec.gen.go", "types.gen.go"},
		"errors_data.go": {"codec_errors_data.gen.go", "types_errors_data.gen.go"},
		"codec_job.go":   {"codec_codec_job.gen.go", "types_codec_job.gen.go"},
		"js.go":          {"codec_js_payloads.gen.go", "js.gen.go"},
		"types_linux.go": {"codec_linux_payloads.gen.go", "types_linux_payloads.gen.go"},
	} {
		files, err := golang.Payloads(&model.Protocol{Name: "p", Types: []*model.Type{{Name: "T", Kind: model.KindStruct, Pos: model.Pos{File: spec}}}})
		require.NoError(t, err)
		var names []string
		for _, f := range files {
			if strings.HasPrefix(f.Name, "codec") || strings.Contains(f.Name, "types") || f.Name == "js.gen.go" || f.Name == "job.gen.go" {
				names = append(names, f.Name)
			}
		}
		slices.Sort(names)
		assert.Equal(t, want, names, spec)
	}
}

func TestProblemsOfAModel(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*model.Protocol)
		want   string
	}{
		"shared variant": {func(p *model.Protocol) {
			u := typeOf(p, "Shape").Union
			u.Variants = append(u.Variants, &model.Variant{Name: "Again", Wire: "again", Type: "BeginBody", Pos: model.Pos{File: "union.go", Line: 4, Col: 2}})
		}, "union.go:22:1: BeginBody is a variant of Shape already"},
		"no such type": {func(p *model.Protocol) {
			typeOf(p, "Point").Fields[0].Type = &model.Ref{Kind: model.RefNamed, Name: "Nothing"}
		}, "Point.X refers to Nothing"},
		"struct with omitzero": {func(p *model.Protocol) {
			f := typeOf(p, "Point").Fields[2]
			f.Presence = model.OmitZero
		}, "Point.Pointer is a struct with omitzero"},
		"name taken": {func(p *model.Protocol) { typeOf(p, "Point").Name = "UnknownShape" }, "UnknownShape, which is taken by"},
		"member taken": {
			func(p *model.Protocol) {
				typeOf(p, "DotShape").Fields = []*model.Field{{Name: "ShapeShape", Wire: "x", Type: &model.Ref{Kind: model.RefBool}, Presence: model.Required}}
			},
			"DotShape.ShapeShape is needed by generated code",
		},
		"bad pattern":    {func(p *model.Protocol) { typeOf(p, "Scalars").Fields[9].Pattern = "(" }, "is no regular expression"},
		"mixed union":    {func(p *model.Protocol) { typeOf(p, "Shape").Fields = typeOf(p, "Point").Fields[:1] }, "union Shape has common members"},
		"legacy member":  {func(p *model.Protocol) { p.Errors[0].Legacy = []string{"no {thing}"} }, "names {thing}, which is no member"},
		"error's member": {func(p *model.Protocol) { p.Errors[0].Data[0].Name = "Retry" }, "the Go name Retry of a member of error too-many"},
	} {
		t.Run(name, func(t *testing.T) {
			p := emittest.Everything(model.Kept)
			c.change(p)
			if name == "name taken" {
				p.Types = append(p.Types, typeOf(emittest.Everything(model.Kept), "Point"))
			}
			_, err := golang.Payloads(p)
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.want)
			assert.False(t, strings.HasSuffix(err.Error(), "\n"))
		})
	}
}

func typeOf(p *model.Protocol, name string) *model.Type {
	for _, t := range p.Types {
		if t.Name == name {
			return t
		}
	}
	return nil
}
