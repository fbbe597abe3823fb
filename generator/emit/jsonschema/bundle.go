// SPDX-License-Identifier: Apache-2.0

package jsonschema

import (
	"errors"
	"fmt"
	"regexp"

	js "github.com/invopop/jsonschema"

	"github.com/accordkit/accord/generator/emit/internal/doctext"
	"github.com/accordkit/accord/spec/model"
)

// Emit renders the schema bundle of a protocol. The same model always gives
// the same bytes. An error names every definition that could not be built:
// a reference to a type that the model lacks, or two parts whose wire names
// differ only in characters that a definition's name cannot have.
func Emit(p *model.Protocol) ([]byte, error) {
	b := newBundle(p, "#/$defs/", "x-zh", false)
	b.messages()
	root := &js.Schema{
		Version:     js.Version,
		ID:          js.ID("urn:accord:" + p.Name),
		Title:       p.Name,
		AnyOf:       []*js.Schema{b.ref(clientFrame), b.ref(serverFrame)},
		Definitions: b.defs,
		Extras:      map[string]any{},
	}
	b.describe(root, p.Doc, p.Var)
	if p.Negotiation != nil && len(p.Negotiation.Versions) > 0 {
		root.Extras["x-versions"] = p.Negotiation.Versions
	}
	if err := errors.Join(b.errs...); err != nil {
		return nil, err
	}
	return Render(root)
}

// bundle is one run of Emit, or the schemas of another document.
type bundle struct {
	p     *model.Protocol
	types map[string]*model.Type
	defs  js.Definitions
	names *doctext.Names
	at    string // where definitions stand, as the beginning of a $ref
	zh    string // the member with the Chinese text
	alone bool   // a $ref has no siblings: readers of draft 7 ignore them
	errs  []error
}

// newBundle defines the payload types.
func newBundle(p *model.Protocol, at, zh string, alone bool) *bundle {
	b := &bundle{
		p:     p,
		types: make(map[string]*model.Type, len(p.Types)),
		defs:  js.Definitions{},
		names: doctext.NewNames(p),
		at:    at,
		zh:    zh,
		alone: alone,
	}
	for _, t := range p.Types {
		b.types[t.Name] = t
	}
	for _, t := range p.Types {
		b.define(t.Name, b.payload(t))
	}
	return b
}

func (b *bundle) fail(format string, args ...any) {
	b.errs = append(b.errs, fmt.Errorf("schema of %s: "+format, append([]any{b.p.Name}, args...)...))
}

func (b *bundle) define(name string, s *js.Schema) {
	if _, ok := b.defs[name]; ok {
		b.fail("two parts are both called %q: rename one of them", name)
		return
	}
	b.defs[name] = s
}

// ref refers to a definition; the name has only characters that need no
// escaping in a fragment.
func (b *bundle) ref(name string) *js.Schema { return &js.Schema{Ref: b.at + name} }

// typeRef refers to a payload type, which must be one of the model's.
func (b *bundle) typeRef(name, at string) *js.Schema {
	if b.types[name] == nil {
		b.fail("%s refers to the type %q, which the model does not have", at, name)
	}
	return b.ref(name)
}

// withSiblings makes room for other words next to a $ref.
func (b *bundle) withSiblings(s *js.Schema) *js.Schema {
	if b.alone && s.Ref != "" {
		return &js.Schema{AllOf: []*js.Schema{s}}
	}
	return s
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// defName is the name of a message's definition: validators disagree on how
// to escape anything else than these characters in a $ref.
func defName(kind, wire string) string {
	return kind + "." + notInNames.ReplaceAllString(wire, ".")
}

// describe sets both languages of the text on what has a name.
func (b *bundle) describe(s *js.Schema, t model.Text, name string) {
	s.Description = b.names.Text(t.EN, name)
	if t.ZH != "" {
		extra(s, b.zh, t.ZH)
	}
}

// extra sets a member that JSON Schema does not know; the zero value of a
// string or bool is left out.
func extra(s *js.Schema, name string, value any) {
	if value == "" || value == false {
		return
	}
	if s.Extras == nil {
		s.Extras = map[string]any{}
	}
	s.Extras[name] = value
}
