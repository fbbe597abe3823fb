// SPDX-License-Identifier: Apache-2.0

package vectortest

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"testing"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/contract"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// Types are what makes an empty value of each payload type, by its name.
type Types map[string]func() codec.Value

// Of makes values of a type that reads itself.
func Of[T any, P interface {
	*T
	codec.Value
}]() func() codec.Value {
	return func() codec.Value { return P(new(T)) }
}

// Choice makes values of a union that functions read and write.
func Choice[T any](read func(*codec.Decoder) T, write func([]byte, T) []byte) func() codec.Value {
	return func() codec.Value { return &choice[T]{read: read, write: write} }
}

type choice[T any] struct {
	v     T
	read  func(*codec.Decoder) T
	write func([]byte, T) []byte
}

func (c *choice[T]) DecodeJSON(d *codec.Decoder) { c.v = c.read(d) }
func (c *choice[T]) AppendJSON(b []byte) []byte  { return c.write(b, c.v) }

// file is a file of vectors. Its format is the generator's.
type file struct {
	Format   int
	Depth    int
	Types    []typeVectors
	Messages []message
	Errors   []wireError
}

type typeVectors struct {
	Type    string
	Values  []struct{ Name, Text string }
	Reads   []read
	Refuses []refuse
}

type read struct {
	Name, By, Text, Writes string
	Base64                 []byte
}

type refuse struct {
	Name, By, Text, Kind string
	Path                 *string
	Base64               []byte
}

type message struct {
	Message, Name, Params, Result, Frame, Response, Fails string
}

type wireError struct {
	Kind, Name, Retry string
	Error             struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
}

// The modes of a reader.
const (
	strict  = "strict"
	lenient = "lenient"
	lax     = "lax"
	mending = "mending"
)

// Play plays the vectors of a file. Each type in it must be one of types, and
// the other way round. decodeError gives an error that was read its type; nil:
// the protocol declares none.
func Play(t *testing.T, path string, types Types, decodeError func(*jsonrpc.Error) error) {
	f := open(t, path)
	p := player{f: f, types: types}
	seen := map[string]bool{}
	for _, v := range f.Types {
		seen[v.Type] = true
		if types[v.Type] == nil {
			t.Errorf("%s has vectors of the type %s, which is not listed", path, v.Type)
			continue
		}
		t.Run(v.Type, func(t *testing.T) { p.playType(t, v) })
	}
	for name := range types {
		if !seen[name] {
			t.Errorf("%s has no vectors of the type %s", path, name)
		}
	}
	t.Run("messages", func(t *testing.T) {
		for _, m := range f.Messages {
			p.playMessage(t, m)
		}
	})
	t.Run("errors", func(t *testing.T) {
		for _, e := range f.Errors {
			playError(t, e, decodeError)
		}
	})
}

func open(t testing.TB, path string) *file {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if f.Format != 1 {
		t.Fatalf("%s is of format %d, and this plays format 1", path, f.Format)
	}
	return &f
}

// reporter gets each vector that fails: a *testing.T.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

type player struct {
	f     *file
	types Types
}

// decode reads a text in one mode.
func (p player) decode(typeName, mode string, text []byte) (codec.Value, error) {
	d := codec.Decoder{Strict: mode == strict, Lax: mode == lax, Mend: mode == mending, MaxDepth: p.f.Depth}
	d.Reset(text)
	v := p.types[typeName]()
	v.DecodeJSON(&d)
	if d.Err() != nil && codec.Validate(text, p.f.Depth) == nil {
		for d.Mended() {
			v = p.types[typeName]()
			v.DecodeJSON(&d)
		}
	}
	d.End()
	return v, d.Err()
}

// modes are those of which a vector is true.
func modes(by string) []string {
	if by == "" {
		return []string{strict, lenient}
	}
	return []string{by}
}

func textOf(text string, base64 []byte) []byte {
	if base64 != nil {
		return base64
	}
	return []byte(text)
}

func (p player) playType(t reporter, v typeVectors) {
	for _, x := range v.Values {
		p.writes(t, v.Type, x.Name, modes(""), []byte(x.Text), x.Text)
	}
	for _, x := range v.Reads {
		p.writes(t, v.Type, x.Name, modes(x.By), textOf(x.Text, x.Base64), x.Writes)
	}
	for _, x := range v.Refuses {
		for _, mode := range modes(x.By) {
			text := textOf(x.Text, x.Base64)
			_, err := p.decode(v.Type, mode, text)
			var e *codec.Error
			switch {
			case !errors.As(err, &e):
				t.Errorf("%s: a %s reader takes it: %s", x.Name, mode, text)
			case e.Kind.String() != x.Kind:
				t.Errorf("%s: a %s reader finds %s, not %s (%v): %s", x.Name, mode, e.Kind, x.Kind, e, text)
			case x.Path != nil && e.Path != *x.Path:
				t.Errorf("%s: a %s reader finds it at %q, not %q (%v): %s", x.Name, mode, e.Path, *x.Path, e, text)
			}
		}
	}
}

// writes reads a text and compares what is written again.
func (p player) writes(t reporter, typeName, name string, modes []string, text []byte, want string) {
	t.Helper()
	for _, mode := range modes {
		v, err := p.decode(typeName, mode, text)
		if err != nil {
			t.Errorf("%s: a %s reader refuses it: %v: %s", name, mode, err, text)
			continue
		}
		if got := v.AppendJSON(nil); string(got) != want {
			t.Errorf("%s: a %s reader's value is written as\n\t%s\nnot\n\t%s", name, mode, got, want)
		}
	}
}

func (p player) playMessage(t reporter, m message) {
	t.Helper()
	part := func(frame, name, typeName string) {
		if frame == "" || typeName == "" {
			return
		}
		members := map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(frame), &members); err != nil {
			t.Errorf("%s, %s: %v", m.Message, m.Name, err)
			return
		}
		p.writes(t, typeName, m.Message+", "+m.Name, modes(""), members[name], string(members[name]))
	}
	part(m.Frame, "params", m.Params)
	part(m.Response, "result", m.Result)
}

func playError(t reporter, e wireError, decode func(*jsonrpc.Error) error) {
	t.Helper()
	if decode == nil {
		t.Errorf("error %s: nothing reads it", e.Kind)
		return
	}
	err := decode(&jsonrpc.Error{Code: e.Error.Code, Message: e.Error.Message, Data: codec.Raw(e.Error.Data)})
	var domain contract.DomainError
	if !errors.As(err, &domain) {
		t.Errorf("error %s, %s: it is read as %T", e.Kind, e.Name, err)
		return
	}
	if domain.Kind() != e.Kind || domain.Code() != e.Error.Code || string(domain.Retry()) != e.Retry {
		t.Errorf("error %s, %s: it is read as %s with code %d and retry %s", e.Kind, e.Name, domain.Kind(), domain.Code(), domain.Retry())
	}
	data, ok := domain.(interface{ AppendData([]byte) []byte })
	if !ok {
		t.Errorf("error %s: %T has no data to write", e.Kind, err)
		return
	}
	if got := data.AppendData(nil); !sameValue(got, e.Error.Data) {
		t.Errorf("error %s, %s: its data are written as\n\t%s\nnot\n\t%s", e.Kind, e.Name, got, e.Error.Data)
	}
}

// sameValue compares two texts whatever the order of their members.
func sameValue(a, b []byte) bool {
	var list [2]any
	for i, text := range [][]byte{a, b} {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if d.Decode(&list[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(list[0], list[1])
}
