// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"iter"
	"reflect"
)

// The generic words as plain structs, so that one describer without type
// arguments can read them. Of methods and notifications there are many, and a
// generic method is compiled anew for each: they are read by reflection. Of the
// others there are few.

type errorOf struct {
	kind   string
	code   int
	retry  Retry
	fault  Fault
	at     Side
	says   string
	legacy []string
	data   reflect.Type
}

func (e *Error[D]) untyped() errorOf {
	return errorOf{e.Kind, e.Code, e.Retry, e.Fault, e.At, e.Says, e.Legacy, reflect.TypeFor[D]()}
}

type scopeOf struct {
	name, chinese, handle string
	key                   reflect.Type
	parent                AnyScope
	queue                 *Queue
}

func (s *Scope[K]) untyped() scopeOf {
	return scopeOf{s.Name, s.Chinese, s.Handle, reflect.TypeFor[K](), s.Parent, s.Queue}
}

type withinOf struct {
	scope AnyScope
	key   any
}

type notificationOf struct {
	name     string
	goName   string
	from     Side
	params   reflect.Type
	in       *withinOf
	needs    *Capability
	live     *liveOf
	seq      any
	since    string
	examples []Example
}

type liveOf struct {
	same, join, last []any
	counter, merged  any
}

func untypedNotification(n AnyNotification) notificationOf {
	v := reflect.ValueOf(n).Elem()
	out := notificationOf{
		name: get[string](v, "Name"), goName: get[string](v, "GoName"), from: get[Side](v, "From"), params: selects(v.FieldByName("Seq").Type()),
		in: core[withinOf](v.FieldByName("In")), needs: get[*Capability](v, "Needs"), seq: get[any](v, "Seq"),
		since: get[string](v, "Since"), examples: get[[]Example](v, "Examples"),
	}
	if l := v.FieldByName("Live"); !l.IsNil() {
		l = l.Elem()
		out.live = &liveOf{all(l, "Same"), all(l, "Join"), all(l, "Last"), get[any](l, "Counter"), get[any](l, "Merged")}
	}
	return out
}

type linkOf struct {
	from, to reflect.Type
	by       Frame
	fold     string
}

func (l *Link[F, T]) untyped() linkOf {
	return linkOf{reflect.TypeFor[F](), reflect.TypeFor[T](), l.By, l.Fold}
}

type activityOf struct {
	name, chinese, handle string
	key                   reflect.Type
	in                    AnyScope
	begins, ends          Frame
	outcomes              []*Outcome
	carries               []Carry
	life                  AnyScope
	detaches              Frame
}

func (a *Activity[K]) untyped() activityOf {
	return activityOf{a.Name, a.Chinese, a.Handle, reflect.TypeFor[K](), a.In, a.Begins, a.Ends, a.Outcomes, a.Carries, a.Life, a.Detaches}
}

type methodOf struct {
	name, goName            string
	from                    Side
	params, result          reflect.Type
	in                      *withinOf
	alsoNotify              bool
	opens, attaches, closes AnyScope
	needs                   *Capability
	accepts                 Acceptance
	answersAt               any
	deferred                bool
	settles                 []*caseOf
	cancels                 AnyActivity
	undoes                  AnyMethod
	interrupts              *Interrupts
	repeats                 *keyedOf
	runs                    Concurrency
	fences                  []fenceOf
	fails                   []AnyError
	after                   []Frame
	replays                 *replaysOf
	pages                   *pagesOf
	absentAs                any
	steps                   []*Step
	together                []*togetherOf
	before, shutdown        bool
	refusals                []refusalOf
	prechecks               []precheckOf
	legacy                  *Legacy
	since, stability        string
	deprecated              *Deprecation
	examples                []Example
}

type caseOf struct {
	conds []Cond
	ways  []*wayOf
}

type wayOf struct {
	how   string
	act   AnyActivity
	link  AnyLink
	key   any
	frame Frame
	as    string

	later  AnyMethod
	params any
	same   any
}

type keyedOf struct {
	how         string
	key, marker any
	scope       AnyScope
	window      string
	print       []any
	conflict    AnyError
	absent      string
}

type fenceOf struct {
	member any
	stale  Cond
	fails  AnyError
}

type replaysOf struct {
	events AnyNotification
	marker Cond
	cursor any
	ends   AnyNotification
}

type pagesOf struct{ cursor, next, items any }

type togetherOf struct {
	how     string
	members []any
}

type refusalOf struct {
	member       any
	text         string
	wrong, blank string
	first, empty bool
}

type precheckOf struct {
	conds []Cond
	err   AnyError
}

func untypedMethod(m AnyMethod) methodOf {
	v := reflect.ValueOf(m).Elem()
	out := methodOf{
		name: get[string](v, "Name"), goName: get[string](v, "GoName"), from: get[Side](v, "From"),
		params: selects(v.FieldByName("AnswersAt").Type()), result: v.FieldByName("AbsentAs").Type().Elem(),
		in: core[withinOf](v.FieldByName("In")), alsoNotify: get[bool](v, "AlsoNotify"),
		opens: get[AnyScope](v, "Opens"), attaches: get[AnyScope](v, "Attaches"), closes: get[AnyScope](v, "Closes"),
		needs: get[*Capability](v, "Needs"), accepts: get[Acceptance](v, "Accepts"), answersAt: get[any](v, "AnswersAt"),
		deferred: get[bool](v, "Deferred"), cancels: get[AnyActivity](v, "Cancels"), undoes: get[AnyMethod](v, "Undoes"),
		interrupts: get[*Interrupts](v, "Interrupts"),
		runs:       get[Concurrency](v, "Runs"), fails: get[[]AnyError](v, "Fails"), after: get[[]Frame](v, "After"),
		steps: get[[]*Step](v, "Steps"), before: get[bool](v, "Before"), shutdown: get[bool](v, "Shutdown"),
		legacy: get[*Legacy](v, "Legacy"), since: get[string](v, "Since"), stability: get[string](v, "Stability"),
		deprecated: get[*Deprecation](v, "Deprecated"), examples: get[[]Example](v, "Examples"),
	}
	for c := range items(v, "Settles") {
		out.settles = append(out.settles, core[caseOf](c))
	}
	if r := v.FieldByName("Repeats"); !r.IsNil() {
		out.repeats = untypedRepeats(r.Elem())
	}
	for f := range items(v, "Fences") {
		out.fences = append(out.fences, fenceOf{get[any](f, "Member"), get[Cond](f, "Stale"), get[AnyError](f, "Fails")})
	}
	if r := v.FieldByName("Replays"); !r.IsNil() {
		r = r.Elem()
		out.replays = &replaysOf{get[AnyNotification](r, "Events"), get[Cond](r, "Marker"), get[any](r, "Cursor"), get[AnyNotification](r, "Ends")}
	}
	if p := v.FieldByName("Pages"); !p.IsNil() {
		p = p.Elem()
		out.pages = &pagesOf{get[any](p, "Cursor"), get[any](p, "Next"), get[any](p, "Items")}
	}
	if a := v.FieldByName("AbsentAs"); !a.IsNil() {
		out.absentAs = a.Interface()
	}
	for t := range items(v, "Together") {
		out.together = append(out.together, core[togetherOf](t))
	}
	for r := range items(v, "Refusals") {
		out.refusals = append(out.refusals, refusalOf{
			get[any](r, "Member"), get[string](r, "Text"), get[string](r, "Wrong"), get[string](r, "Blank"),
			get[bool](r, "First"), get[bool](r, "Empty"),
		})
	}
	for c := range items(v, "Prechecks") {
		p := precheckOf{err: get[AnyError](c, "Error")}
		for cond := range items(c, "If") {
			p.conds = append(p.conds, cond.Interface().(Cond))
		}
		out.prechecks = append(out.prechecks, p)
	}
	return out
}

func untypedRepeats(v reflect.Value) *keyedOf {
	if v.Kind() == reflect.String {
		return &keyedOf{how: v.String()}
	}
	return &keyedOf{
		how: "keyed", key: get[any](v, "By"), scope: get[AnyScope](v, "Scope"), window: get[string](v, "Window"),
		print: all(v, "Fingerprint"), conflict: get[AnyError](v, "Conflict"), absent: get[string](v, "Absent"),
		marker: get[any](v, "Marker"),
	}
}

type negotiationOf struct {
	method              AnyMethod
	versions            []int
	asked, answered     any
	offers, announces   any
	unsupported, before AnyError
	without             *Generation
}

func (n *Negotiation[P, R]) untyped() negotiationOf {
	out := negotiationOf{
		versions: n.Versions, asked: n.Asked, answered: n.Answered, offers: n.Offers, announces: n.Announces,
		unsupported: n.Unsupported, before: n.Before, without: n.Without,
	}
	if n.Method != nil {
		out.method = n.Method
	}
	return out
}

type machineOf struct {
	name   string
	start  any
	state  reflect.Type
	values []Values
	tracks []Track
	marked *Marked
	rests  []Values
	moves  []moveOf
}

type moveOf struct {
	method AnyMethod
	event  string
	args   any
	step   func(state, args any) cellOf
	within int64
}

type cellOf struct {
	waits, never bool
	says         []string
	fails        AnyError
	next         []any
	cuts         bool
	told         Frame
	written      stack
}

func (m *Machine[S]) untyped() machineOf {
	out := machineOf{
		name: m.Name, start: m.Start, state: reflect.TypeFor[S](), values: m.Values,
		tracks: m.Tracks, marked: m.Marked, rests: m.Rests,
	}
	for _, each := range m.Moves {
		mv := each.move()
		step := mv.step
		out.moves = append(out.moves, moveOf{
			method: mv.method, event: mv.event, args: mv.args, within: mv.within,
			step: func(state, args any) cellOf {
				c := step(state.(S), args)
				return cellOf{c.waits, c.never, c.says, c.fails, anys(c.next), c.cuts, c.told, c.written}
			},
		})
	}
	return out
}

func anys[T any](list []T) []any {
	var out []any
	for _, x := range list {
		out = append(out, x)
	}
	return out
}

// get is a field's value; nil if there is none.
func get[T any](v reflect.Value, name string) T {
	value, _ := v.FieldByName(name).Interface().(T)
	return value
}

// each goes through a field that is a list.
func items(v reflect.Value, name string) iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		list := v.FieldByName(name)
		for i := range list.Len() {
			if !yield(list.Index(i)) {
				return
			}
		}
	}
}

// all is a field that is a list, of any type.
func all(v reflect.Value, name string) []any {
	var out []any
	for item := range items(v, name) {
		out = append(out, item.Interface())
	}
	return out
}

// core is what a word stands for, without the type that it is checked by; nil
// for the zero word.
func core[T any](v reflect.Value) *T { return (*T)(v.Field(0).UnsafePointer()) }

// selects is the payload that selectors of a type select in.
func selects(t reflect.Type) reflect.Type { return t.In(0).Elem() }
