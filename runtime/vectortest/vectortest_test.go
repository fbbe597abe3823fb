// SPDX-License-Identifier: Apache-2.0

package vectortest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/contract"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// point is a payload type as the generator would write it.
type point struct {
	X     int64
	Name  string
	Extra codec.Extra
}

var membersOfPoint = codec.NewMembers(codec.Required("x"), codec.Optional("name"))

func (v *point) AppendJSON(b []byte) []byte {
	b = codec.AppendInt(append(b, `{"x":`...), v.X)
	if v.Name != "" {
		b = codec.AppendString(append(b, `,"name":`...), v.Name)
	}
	return append(codec.AppendExtra(b, v.Extra), '}')
}

func (v *point) DecodeJSON(d *codec.Decoder) {
	*v = point{}
	for d.Struct(membersOfPoint); d.More(); {
		switch string(d.Key()) {
		case "x":
			v.X = d.Int64()
			d.CheckInt(v.X, 0, 9)
		case "name":
			v.Name = d.String()
		default:
			d.Extra(&v.Extra)
		}
	}
}

type jam struct{ message string }

func (e *jam) Error() string              { return e.message }
func (e *jam) Kind() string               { return "jam" }
func (e *jam) Code() int                  { return 1 }
func (e *jam) Retry() contract.Retry      { return contract.After }
func (e *jam) AppendData(b []byte) []byte { return append(b, `{"kind":"jam","retry":"after"}`...) }
func decodeError(e *jsonrpc.Error) error  { return &jam{e.Message} }
func undecided(e *jsonrpc.Error) error    { return e }

var types = Types{"Point": Of[point]()}

// written puts a file of vectors of one type into a folder.
func written(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "vectors.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

const good = `{"format":1,"depth":8,"types":[{"type":"Point",
"values":[{"name":"least","text":"{\"x\":1}"}],
"reads":[{"name":"order","text":"{ \"name\":\"n\",\"x\":1}","writes":"{\"x\":1,\"name\":\"n\"}"},
  {"name":"null","by":"lenient","text":"{\"x\":1,\"name\":null}","writes":"{\"x\":1}"},
  {"name":"bytes","by":"lax","base64":"eyJ4IjoxLCJuYW1lIjoi/yJ9","writes":"{\"x\":1,\"name\":\"\ufffd\"}"}],
"refuses":[{"name":"type","text":"{\"x\":\"1\"}","kind":"type","path":"x"},
  {"name":"missing","by":"strict","text":"{}","kind":"missing","path":"x"},
  {"name":"syntax","text":"{","kind":"syntax"},
  {"name":"bounds","by":"strict","text":"{\"x\":10}","kind":"bounds","path":"x"}]}],
"messages":[{"message":"move","name":"one","params":"Point","frame":"{\"method\":\"move\",\"params\":{\"x\":1}}"}],
"errors":[{"kind":"jam","name":"least","retry":"after","error":{"code":1,"message":"m","data":{"retry":"after","kind":"jam"}}}]}`

func TestPlay(t *testing.T) { Play(t, written(t, good), types, decodeError) }

func FuzzPoint(f *testing.F) { Fuzz(f, written(f, good), types) }

// recorder keeps what is reported.
type recorder struct{ said []string }

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// Whatever a codec does otherwise than a vector says is reported.
func TestEveryDifferenceIsReported(t *testing.T) {
	p := player{f: &file{Depth: 8}, types: types}
	at := func(path string) *string { return &path }
	for want, v := range map[string]typeVectors{
		"is written as":               {Values: []struct{ Name, Text string }{{"v", `{"name":"n","x":1}`}}},
		"a strict reader refuses it":  {Values: []struct{ Name, Text string }{{"v", `{}`}}},
		"a lenient reader refuses it": {Reads: []read{{Name: "r", By: lenient, Text: `{"x":"1"}`, Writes: `{}`}}},
		"a strict reader takes it":    {Refuses: []refuse{{Name: "r", By: strict, Text: `{"x":1}`, Kind: "type"}}},
		"a lenient reader takes it":   {Refuses: []refuse{{Name: "r", By: lenient, Text: `{}`, Kind: "missing"}}},
		"finds missing, not type":     {Refuses: []refuse{{Name: "r", By: strict, Text: `{}`, Kind: "type"}}},
		`finds it at "x", not "y"`:    {Refuses: []refuse{{Name: "r", By: strict, Text: `{}`, Kind: "missing", Path: at("y")}}},
	} {
		v.Type = "Point"
		r := &recorder{}
		p.playType(r, v)
		if assert.NotEmpty(t, r.said, want) {
			assert.Contains(t, r.said[0], want)
		}
	}
	r := &recorder{}
	p.playMessage(r, message{Params: "Point", Frame: `{"params":{"x":1,"x":1}}`})
	p.playMessage(r, message{Params: "Point", Frame: `no frame`})
	assert.Len(t, r.said, 3)
}

func TestErrorsThatAreReadOtherwiseAreReported(t *testing.T) {
	e := wireError{Kind: "jam", Retry: "after"}
	e.Error.Code = 1
	e.Error.Data = []byte(`{"kind":"jam"}`)
	for want, decode := range map[string]func(*jsonrpc.Error) error{
		"nothing reads it": nil, "it is read as *jsonrpc.Error": undecided, "its data are written as": decodeError,
	} {
		r := &recorder{}
		playError(r, e, decode)
		if assert.Len(t, r.said, 1, want) {
			assert.Contains(t, r.said[0], want)
		}
	}
	e.Kind = "other"
	r := &recorder{}
	playError(r, e, decodeError)
	assert.Contains(t, r.said[0], "it is read as jam")
}
