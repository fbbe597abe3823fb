// SPDX-License-Identifier: Apache-2.0

package openrpc

import (
	"encoding/json"
	"slices"
	"strings"

	js "github.com/invopop/jsonschema"

	"github.com/accordkit/accord/spec/model"
)

// method is OpenRPC's Method Object. Without a result it is a notification.
type method struct {
	Name       string            `json:"name"`
	Summary    string            `json:"summary,omitempty"`
	text                         // description
	Structure  string            `json:"paramStructure"`
	Params     []*descriptor     `json:"params"`
	Result     *descriptor       `json:"result,omitempty"`
	Errors     []failure         `json:"errors,omitempty"`
	Examples   []example         `json:"examples,omitempty"`
	Deprecated bool              `json:"deprecated,omitempty"`
	Whole      *js.Schema        `json:"x-params,omitempty"`
	Refused    []example         `json:"x-refused,omitempty"`
	Accepts    string            `json:"x-accepts,omitempty"`
	Settles    []*model.Case     `json:"x-settles,omitempty"`
	Repeats    *model.Repeats    `json:"x-repeats,omitempty"`
	Runs       string            `json:"x-runs,omitempty"`
	Scope      *membership       `json:"x-scope,omitempty"`
	Fences     []*model.Fence    `json:"x-fences,omitempty"`
	Cancels    string            `json:"x-cancels,omitempty"`
	Undoes     string            `json:"x-undoes,omitempty"`
	Interrupts *model.Interrupts `json:"x-interrupts,omitempty"`
	Shutdown   bool              `json:"x-shutdown,omitempty"`
	Needs      string            `json:"x-needs,omitempty"`
	Fails      []string          `json:"x-fails,omitempty"`
	AnswersAt  string            `json:"x-answers-at,omitempty"`
	Deferred   bool              `json:"x-deferred,omitempty"`
	After      []string          `json:"x-after,omitempty"`
	AlsoNotify bool              `json:"x-also-notify,omitempty"`
	Pages      *model.Pages      `json:"x-pages,omitempty"`
	Replays    *model.Replays    `json:"x-replays,omitempty"`
	AbsentAs   json.RawMessage   `json:"x-absent-as,omitempty"`
	Steps      []step            `json:"x-steps,omitempty"`

	Together  []*model.Together  `json:"x-together,omitempty"`
	Before    bool               `json:"x-before-negotiation,omitempty"`
	Refusals  []*model.Refusal   `json:"x-refusals,omitempty"`
	Prechecks []*model.Precheck  `json:"x-prechecks,omitempty"`
	Legacy    *model.Legacy      `json:"x-legacy,omitempty"`
	LackedBy  []string           `json:"x-lacked-by,omitempty"`
	Since     string             `json:"x-since,omitempty"`
	Stability string             `json:"x-stability,omitempty"`
	Ended     *model.Deprecation `json:"x-deprecated,omitempty"`
	Live      *model.Live        `json:"x-live,omitempty"`
	Seq       string             `json:"x-seq,omitempty"`
	Carries   []model.Carry      `json:"x-carries,omitempty"`
}

// descriptor is OpenRPC's Content Descriptor Object.
type descriptor struct {
	Name string `json:"name"`
	text
	Required bool       `json:"required,omitempty"`
	Schema   *js.Schema `json:"schema"`
}

// failure is OpenRPC's Error Object, which can bear nothing else.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// example is OpenRPC's Example Pairing Object; one of a failing call names the
// error's kind.
type example struct {
	Name   string   `json:"name"`
	Params []sample `json:"params"`
	Result *sample  `json:"result,omitempty"`
	Fails  string   `json:"x-fails,omitempty"`
}

// sample is OpenRPC's Example Object.
type sample struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// membership says how a call is about its scope.
type membership struct {
	*model.Within
	Opens    string `json:"opens,omitempty"`
	Attaches string `json:"attaches,omitempty"`
	Closes   string `json:"closes,omitempty"`
}

type step struct {
	Name string `json:"name"`
	text
	BoundMS int64 `json:"boundMs"`
	Beside  bool  `json:"beside,omitempty"`
}

// methods are what one side may send: requests, then notifications.
func (w *writer) methods(from string) []*method {
	out := []*method{}
	for _, m := range w.p.Methods {
		if m.From == from {
			out = append(out, w.request(m))
		}
	}
	for _, n := range w.p.Notifications {
		if n.From == from {
			out = append(out, w.notification(n))
		}
	}
	return out
}

// placeless copies facts without their places in the source, which would change the
// document with every line above them.
func placeless[T any](list []*T, pos func(*T) *model.Pos) []*T {
	var out []*T
	for _, x := range list {
		one := *x
		*pos(&one) = model.Pos{}
		out = append(out, &one)
	}
	return out
}

func casePos(c *model.Case) *model.Pos   { return &c.Pos }
func fencePos(f *model.Fence) *model.Pos { return &f.Pos }

func interruptsPos(i *model.Interrupts) *model.Pos { return &i.Pos }
func repeatsPos(r *model.Repeats) *model.Pos       { return &r.Pos }

// placelessOne is placeless of one fact, which may be nil.
func placelessOne[T any](x *T, pos func(*T) *model.Pos) *T {
	if x == nil {
		return nil
	}
	return placeless([]*T{x}, pos)[0]
}

func (w *writer) request(m *model.Method) *method {
	out := &method{
		Name: m.Name, text: w.text(m.Doc, m.Var), Structure: "by-name",
		Params: w.params(m.Params), Result: &descriptor{Name: "result", Schema: w.schemas.Result(m)},
		Errors: w.failures(m.Fails), Deprecated: m.Deprecated != nil,
		Accepts: m.Accepts, Settles: placeless(m.Settles, casePos), Repeats: placelessOne(m.Repeats, repeatsPos), Runs: m.Runs, Fences: placeless(m.Fences, fencePos),
		Cancels: m.Cancels, Undoes: m.Undoes, Interrupts: placelessOne(m.Interrupts, interruptsPos), Shutdown: m.Shutdown, Needs: m.Needs, Fails: m.Fails, AnswersAt: m.AnswersAt, Deferred: m.Deferred,
		AlsoNotify: m.AlsoNotify, Pages: m.Pages, Replays: m.Replays, Together: m.Together, Before: m.Before,
		Refusals: m.Refusals, Prechecks: m.Prechecks, Legacy: m.Legacy, LackedBy: m.Lacks,
		Since: m.Since, Stability: m.Stability, Ended: m.Deprecated,
	}
	out.Summary = sentence(out.Description)
	if m.Result != "" {
		out.Result.Name = m.Result
	}
	if m.Params != "" {
		out.Whole = w.schemas.Type(m.Params, m.Name)
	}
	if m.In != nil || m.Opens != "" || m.Attaches != "" || m.Closes != "" {
		out.Scope = &membership{Within: m.In, Opens: m.Opens, Attaches: m.Attaches, Closes: m.Closes}
	}
	if m.Order != nil {
		out.After = m.Order.After
	}
	if m.Absent != "" {
		out.AbsentAs = json.RawMessage(m.Absent)
	}
	for _, s := range m.Steps {
		out.Steps = append(out.Steps, step{Name: s.Name, text: w.text(s.Doc, s.Name), BoundMS: s.BoundMS, Beside: s.Beside})
	}
	for _, e := range m.Examples {
		if e.Error != "" {
			out.Refused = append(out.Refused, example{Name: e.Name, Params: samples(e.Params), Fails: e.Error})
			continue
		}
		one := example{Name: e.Name, Params: samples(e.Params), Result: &sample{Name: out.Result.Name, Value: json.RawMessage("{}")}}
		if e.Result != "" {
			one.Result.Value = json.RawMessage(e.Result)
		}
		out.Examples = append(out.Examples, one)
	}
	return out
}

func (w *writer) notification(n *model.Notification) *method {
	out := &method{
		Name: n.Name, text: w.text(n.Doc, n.Var), Structure: "by-name", Params: w.params(n.Params),
		Needs: n.Needs, Since: n.Since, Live: n.Live, Carries: n.Carry,
	}
	out.Summary = sentence(out.Description)
	if n.Params != "" {
		out.Whole = w.schemas.Type(n.Params, n.Name)
	}
	if n.In != nil {
		out.Scope = &membership{Within: n.In}
	}
	if n.Seq != nil {
		out.Seq = n.Seq.Member
	}
	for _, e := range n.Ex {
		out.Examples = append(out.Examples, example{Name: e.Name, Params: samples(e.Params)})
	}
	return out
}

// params are the members of a payload type, those that must be there first, as
// OpenRPC wants them. Of a union they are the tag and what all variants share:
// x-params says the rest.
func (w *writer) params(typeName string) []*descriptor {
	t := w.types[typeName]
	out := []*descriptor{}
	if t == nil {
		return out
	}
	if t.Union != nil {
		out = append(out, &descriptor{Name: t.Union.Tag, Required: true, Schema: &js.Schema{Type: "string"}})
	}
	for _, f := range t.Fields {
		out = append(out, &descriptor{
			Name: f.Wire, text: w.text(f.Doc, f.Name), Required: f.Always(), Schema: w.schemas.Member(t.Name, f),
		})
	}
	slices.SortStableFunc(out, func(a, b *descriptor) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	return out
}

// failures are a method's errors by code, of which OpenRPC allows one each.
func (w *writer) failures(kinds []string) []failure {
	var out []failure
	for _, kind := range kinds {
		e := w.errors[kind]
		if e == nil || e.At == model.Client {
			continue
		}
		if i := slices.IndexFunc(out, func(f failure) bool { return f.Code == e.Code }); i >= 0 {
			out[i].Message += " or " + kind
			continue
		}
		out = append(out, failure{Code: e.Code, Message: kind})
	}
	return out
}

// samples are the members of an example's params, as they are written.
func samples(params string) []sample {
	out := []sample{}
	d := json.NewDecoder(strings.NewReader(params))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return out
	}
	for d.More() {
		name, err := d.Token()
		key, ok := name.(string)
		if err != nil || !ok {
			return out
		}
		one := sample{Name: key}
		if d.Decode(&one.Value) != nil {
			return out
		}
		out = append(out, one)
	}
	return out
}

// sentence is the first sentence of a text.
func sentence(s string) string {
	s, _, _ = strings.Cut(s, "\n\n")
	s = strings.Join(strings.Fields(s), " ")
	if i := strings.Index(s, ". "); i >= 0 {
		return s[:i+1]
	}
	return s
}
