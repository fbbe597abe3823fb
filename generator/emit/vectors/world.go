// SPDX-License-Identifier: Apache-2.0

package vectors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/spec/model"
)

// world is a protocol of which vectors are made.
type world struct {
	p      *model.Protocol
	types  map[string]*model.Type
	failed []error
}

func newWorld(p *model.Protocol) *world {
	w := &world{p: p, types: map[string]*model.Type{}}
	for _, t := range p.Types {
		w.types[t.Name] = t
	}
	return w
}

// depth is how deep a text may nest: what the protocol declares, or what its
// codecs allow without that.
func (w *world) depth() int {
	for _, l := range w.p.Limits {
		if l.Name == "depth" && l.Unit == "levels" {
			return int(l.Value)
		}
	}
	return codec.DefaultMaxDepth
}

// member is one member of an object, its value as compact text.
type member struct{ name, text string }

type object []member

func (o object) String() string {
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(codec.AppendString(nil, m.name))
		b.WriteString(":" + m.text)
	}
	return b.String() + "}"
}

// with puts a member in place of the one of its name.
func (o object) with(name, text string) object {
	out := slices.Clone(o)
	for i := range out {
		if out[i].name == name {
			out[i].text = text
		}
	}
	return out
}

func (o object) without(name string) object {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool { return m.name == name })
}

// shape is one form of a payload type: a struct, or a union with one variant.
type shape struct {
	t     *model.Type
	label string // of the variant, before the names of its vectors
	tag   string // the variant's, as the union's tag has it
	own   []*model.Field
	union bool // read as a whole by its tag: a lenient reader keeps what does not fit
	first bool // of its type
}

// shapes lists the forms of a type.
func (w *world) shapes(t *model.Type) []shape {
	if t.Union == nil {
		return []shape{{t: t, own: t.Fields, first: true}}
	}
	var out []shape
	for i, v := range t.Union.Variants {
		s := shape{t: t, label: v.Wire + ": ", tag: v.Wire, own: t.Fields, first: i == 0}
		if t.Union.Content == "" {
			s.union = true
			if vt := w.types[v.Type]; vt != nil {
				s.own = vt.Fields
			}
		}
		out = append(out, s)
	}
	return out
}

// content is the type that a shape's content has; nil if it has none.
func (w *world) content(s shape) *model.Type {
	if s.t.Union == nil || s.t.Union.Content == "" {
		return nil
	}
	for _, v := range s.t.Union.Variants {
		if v.Wire == s.tag {
			return w.types[v.Type]
		}
	}
	return nil
}

// object builds a value of a shape, so many levels down in another: its least
// members or all, those of set with the given text.
func (w *world) object(s shape, full bool, set map[string]string, level int) object {
	var out object
	if s.t.Union != nil {
		out = append(out, member{s.t.Union.Tag, quote(s.tag)})
	}
	add := func(fields []*model.Field) {
		for _, f := range fields {
			text, ok := set[f.Wire]
			switch {
			case ok:
			case full || f.Always():
				text = w.member(f, full, level)
			default:
				continue
			}
			out = append(out, member{f.Wire, text})
		}
	}
	c := w.content(s)
	if c == nil {
		add(s.own)
		return out
	}
	n := s.t.Union.Before
	add(s.own[:n])
	text, ok := set[s.t.Union.Content]
	if !ok {
		text = w.structure(c, full, level+1)
	}
	out = append(out, member{s.t.Union.Content, text})
	add(s.own[n:])
	return out
}

func quote(s string) string { return string(codec.AppendString(nil, s)) }

func (w *world) fail(format string, args ...any) {
	w.failed = append(w.failed, fmt.Errorf("vectors of %s: "+format, append([]any{w.p.Name}, args...)...))
}
