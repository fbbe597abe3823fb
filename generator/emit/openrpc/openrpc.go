// SPDX-License-Identifier: Apache-2.0

package openrpc

import (
	"fmt"
	"strconv"

	js "github.com/invopop/jsonschema"

	"github.com/accordkit/accord/generator/emit/jsonschema"
	"github.com/accordkit/accord/spec/model"
)

// Version is the version of OpenRPC that documents are of.
const Version = "1.4.1"

// format is the version of the x- members.
const format = 1

// zh is the member that holds the Chinese text of a description.
const zh = "x-description-zh"

// document is an OpenRPC document, its members in the order in which they are
// written.
type document struct {
	OpenRPC      string             `json:"openrpc"`
	Info         info               `json:"info"`
	Methods      []*method          `json:"methods"`
	FromServer   []*method          `json:"x-from-server,omitempty"`
	Format       int                `json:"x-format"`
	Server       string             `json:"x-server,omitempty"`
	Unknown      string             `json:"x-unknown-members,omitempty"`
	Negotiation  *model.Negotiation `json:"x-negotiation,omitempty"`
	Scopes       []*scope           `json:"x-scopes,omitempty"`
	Capabilities []*capability      `json:"x-capabilities,omitempty"`
	Errors       errorsByKind       `json:"x-errors,omitempty"`
	Activities   []*activity        `json:"x-activities,omitempty"`
	Links        []*link            `json:"x-links,omitempty"`
	Generations  []*generation      `json:"x-generations,omitempty"`
	Limits       []*limit           `json:"x-limits,omitempty"`
	Rules        []*rule            `json:"x-rules,omitempty"`
	Components   components         `json:"components"`
}

type info struct {
	Title string `json:"title"`
	text
	Version string `json:"version"`
}

type components struct {
	Schemas js.Definitions `json:"schemas"`
}

// text is a text in both languages.
type text struct {
	Description string `json:"description,omitempty"`
	ZH          string `json:"x-description-zh,omitempty"`
}

// writer is one run of Emit.
type writer struct {
	p       *model.Protocol
	schemas *jsonschema.Components
	types   map[string]*model.Type
	errors  map[string]*model.Error
}

// Emit renders the document of a protocol. The same model always gives the
// same bytes. An error names every schema that could not be built.
func Emit(p *model.Protocol) ([]byte, error) {
	w := &writer{
		p:       p,
		schemas: jsonschema.NewComponents(p, "#/components/schemas/", zh),
		types:   map[string]*model.Type{},
		errors:  map[string]*model.Error{},
	}
	for _, t := range p.Types {
		w.types[t.Name] = t
	}
	for _, e := range p.Errors {
		w.errors[e.Kind] = e
	}
	d := &document{
		OpenRPC:    Version,
		Info:       info{Title: p.Name, text: w.text(p.Doc, p.Var), Version: w.version()},
		Methods:    w.methods(model.Client),
		FromServer: w.methods(model.Server),
		Format:     format,
		Server:     p.Server,
		Unknown:    p.UnknownMembers,
		Errors:     w.errorsByKind(),
	}
	w.facts(d)
	d.Components.Schemas = w.schemas.Schemas()
	if err := w.schemas.Err(); err != nil {
		return nil, fmt.Errorf("OpenRPC: %w", err)
	}
	return jsonschema.Render(d)
}

// version is the newest version of the protocol; "0" if sides do not agree on
// one.
func (w *writer) version() string {
	if w.p.Negotiation == nil || len(w.p.Negotiation.Versions) == 0 {
		return "0"
	}
	v := w.p.Negotiation.Versions
	return strconv.Itoa(v[len(v)-1])
}

func (w *writer) text(t model.Text, name string) text {
	return text{Description: w.schemas.Text(t, name), ZH: t.ZH}
}
