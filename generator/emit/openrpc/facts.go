// SPDX-License-Identifier: Apache-2.0

package openrpc

import (
	js "github.com/invopop/jsonschema"

	"github.com/accordkit/accord/spec/model"
)

type scope struct {
	Name string `json:"name"`
	text
	Key    *js.Schema   `json:"key"`
	Parent string       `json:"parent,omitempty"`
	Queue  *model.Queue `json:"queue,omitempty"`
}

type capability struct {
	Name string `json:"name"`
	text
	Of string `json:"of"`
}

// errorsByKind are sorted by kind when they are written.
type errorsByKind map[string]*fault

type fault struct {
	text
	Code   int        `json:"code"`
	Retry  string     `json:"retry"`
	Fault  string     `json:"fault,omitempty"` // what the connection itself gives it for
	At     string     `json:"at,omitempty"`    // client: never on the wire
	Data   *js.Schema `json:"data"`
	Says   string     `json:"says,omitempty"`
	Legacy []string   `json:"legacy,omitempty"`
}

type activity struct {
	Name string `json:"name"`
	text
	Key      *js.Schema   `json:"key"`
	In       string       `json:"in,omitempty"`
	Begins   *model.Frame `json:"begins,omitempty"`
	Ends     *model.Frame `json:"ends,omitempty"`
	Tells    string       `json:"tells,omitempty"`
	Outcomes []outcome    `json:"outcomes"`
	Life     string       `json:"life,omitempty"`
	Detaches *model.Frame `json:"detaches,omitempty"`
}

type outcome struct {
	Name string `json:"name"`
	text
	Is    []model.Is `json:"is,omitempty"`
	OK    bool       `json:"ok,omitempty"`
	Other bool       `json:"other,omitempty"`
	Lost  bool       `json:"lost,omitempty"`
}

type link struct {
	Name string `json:"name"`
	text
	From *js.Schema   `json:"from"`
	To   *js.Schema   `json:"to"`
	By   *model.Frame `json:"by,omitempty"`
	Fold string       `json:"fold,omitempty"`
}

type generation struct {
	Name string `json:"name"`
	text
	Unknown string    `json:"unknownMethod,omitempty"`
	Code    int       `json:"code,omitempty"`
	Lacks   []string  `json:"lacks,omitempty"`
	Differs []differs `json:"differs,omitempty"`
}

type differs struct {
	ID string `json:"id"`
	text
}

type limit struct {
	Name string `json:"name"`
	text
	Value int64  `json:"value"`
	Unit  string `json:"unit"`
	Error string `json:"error,omitempty"`
}

type rule struct {
	ID string `json:"id"`
	text
}

// facts are what a document says about the protocol as a whole.
func (w *writer) facts(d *document) {
	p := w.p
	d.Negotiation = p.Negotiation
	for _, s := range p.Scopes {
		d.Scopes = append(d.Scopes, &scope{
			Name: s.Name, text: w.text(s.Doc, s.Var), Key: w.schemas.Type(s.Key, "scope "+s.Name), Parent: s.Parent, Queue: s.Queue,
		})
	}
	for _, c := range p.Capabilities {
		d.Capabilities = append(d.Capabilities, &capability{Name: c.Name, text: w.text(c.Doc, c.Var), Of: c.Of})
	}
	for _, a := range p.Activities {
		one := &activity{
			Name: a.Name, text: w.text(a.Doc, a.Var), Key: w.schemas.Type(a.Key, "activity "+a.Name), In: a.In,
			Begins: a.Begins, Ends: a.Ends, Tells: a.Tells, Outcomes: []outcome{},
			Life: a.Life, Detaches: a.Detaches,
		}
		for _, o := range a.Outcomes {
			one.Outcomes = append(one.Outcomes, outcome{Name: o.Name, text: w.text(o.Doc, o.Name), Is: o.Is, OK: o.OK, Other: o.Other, Lost: o.Lost})
		}
		d.Activities = append(d.Activities, one)
	}
	for _, l := range p.Links {
		at := "link " + l.Name
		d.Links = append(d.Links, &link{
			Name: l.Name, text: w.text(l.Doc, l.Var), From: w.schemas.Type(l.From, at), To: w.schemas.Type(l.To, at), By: l.By, Fold: l.Fold,
		})
	}
	for _, g := range p.Generations {
		one := &generation{Name: g.Name, text: w.text(g.Doc, g.Var), Unknown: g.Unknown, Code: g.Code, Lacks: g.Lacks}
		for _, x := range g.Differs {
			one.Differs = append(one.Differs, differs{ID: x.ID, text: w.text(x.Doc, x.ID)})
		}
		d.Generations = append(d.Generations, one)
	}
	for _, l := range p.Limits {
		d.Limits = append(d.Limits, &limit{Name: l.Name, text: w.text(l.Doc, l.Name), Value: l.Value, Unit: l.Unit, Error: l.Error})
	}
	for _, r := range p.Rules {
		d.Rules = append(d.Rules, &rule{ID: r.ID, text: w.text(r.Doc, r.ID)})
	}
}

func (w *writer) errorsByKind() errorsByKind {
	out := errorsByKind{}
	for _, e := range w.p.Errors {
		out[e.Kind] = &fault{
			text: w.text(e.Doc, e.Var), Code: e.Code, Retry: e.Retry, Fault: e.Fault, At: e.At, Data: w.schemas.ErrorData(e.Kind), Says: e.Says, Legacy: e.Legacy,
		}
	}
	return out
}
