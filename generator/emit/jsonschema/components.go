// SPDX-License-Identifier: Apache-2.0

package jsonschema

import (
	"errors"
	"reflect"

	js "github.com/invopop/jsonschema"

	"github.com/accordkit/accord/spec/model"
)

// Components are a protocol's schemas as parts of another document. Payload
// types are defined under their declared names, and the data of each error
// under "error." and its kind.
type Components struct{ b *bundle }

// NewComponents builds the schemas. at is where the document keeps them, as the
// beginning of a $ref ("#/components/schemas/"); zh is the member that holds
// the Chinese text of a description. A $ref has no sibling members, because the
// document may be read as draft 7.
func NewComponents(p *model.Protocol, at, zh string) *Components {
	b := newBundle(p, at, zh, true)
	for _, e := range p.Errors {
		data := b.errorData(e)
		b.describe(data, e.Doc, e.Var)
		b.define(defName("error", e.Kind), data)
	}
	return &Components{b}
}

// Schemas are all definitions.
func (c *Components) Schemas() js.Definitions { return c.b.defs }

// Type refers to a payload type; one without a name is an empty object.
func (c *Components) Type(name, at string) *js.Schema {
	if name == "" {
		return &js.Schema{Type: "object"}
	}
	return c.b.typeRef(name, at)
}

// Result is the schema of a method's result.
func (c *Components) Result(m *model.Method) *js.Schema {
	if m.OrNull {
		return orNull(c.Type(m.Result, m.Name))
	}
	return c.Type(m.Result, m.Name)
}

// ErrorData refers to the data of an error.
func (c *Components) ErrorData(kind string) *js.Schema { return c.b.ref(defName("error", kind)) }

// Member is the schema of one member of a type, without its text.
func (c *Components) Member(owner string, f *model.Field) *js.Schema {
	bare := *f
	bare.Doc = model.Text{}
	s := c.b.member(&bare, owner+"."+f.Wire)
	if len(s.AllOf) == 1 && reflect.DeepEqual(s, &js.Schema{AllOf: s.AllOf}) {
		return s.AllOf[0] // it has no siblings
	}
	return s
}

// Text is a text in English, as documents have it.
func (c *Components) Text(t model.Text, name string) string { return c.b.names.Text(t.EN, name) }

// Err names every definition that could not be built.
func (c *Components) Err() error { return errors.Join(c.b.errs...) }
