package spec

import "reflect"

// The generic words as plain structs, so that one describer without type
// arguments can read them. These methods are instantiated once a declaration:
// they only copy.

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
	name, handle string
	key          reflect.Type
	parent       AnyScope
	queue        *Queue
}

func (s *Scope[K]) untyped() scopeOf {
	return scopeOf{s.Name, s.Handle, reflect.TypeFor[K](), s.Parent, s.Queue}
}

type withinOf struct {
	scope AnyScope
	key   any
}

func untypedWithin[P any](w Within[P]) *withinOf {
	if w == nil {
		return nil
	}
	scope, key := w.within()
	return &withinOf{scope, key}
}

type notificationOf struct {
	name     string
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

func (n *Notification[P]) untyped() notificationOf {
	out := notificationOf{
		name: n.Name, from: n.From, params: reflect.TypeFor[P](), in: untypedWithin(n.In),
		needs: n.Needs, seq: n.Seq, since: n.Since, examples: n.Examples,
	}
	if n.Live != nil {
		out.live = &liveOf{anys(n.Live.Same), anys(n.Live.Join), anys(n.Live.Last), n.Live.Counter, n.Live.Merged}
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
	name, handle string
	key          reflect.Type
	in           AnyScope
	begins, ends Frame
	outcomes     []*Outcome
	carries      []Carry
}

func (a *Activity[K]) untyped() activityOf {
	return activityOf{a.Name, a.Handle, reflect.TypeFor[K](), a.In, a.Begins, a.Ends, a.Outcomes, a.Carries}
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
	settles                 []caseOf
	cancels                 AnyActivity
	undoes                  AnyMethod
	repeats                 *keyed
	runs                    Concurrency
	fences                  []fenceOf
	fails                   []AnyError
	after                   []Frame
	replays                 *replaysOf
	pages                   *pagesOf
	absentAs                any
	steps                   []*Step
	together                []togetherOf
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
	ways  []wayOf
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

func (m *Method[P, R]) untyped() methodOf {
	out := methodOf{
		name: m.Name, goName: m.GoName, from: m.From, params: reflect.TypeFor[P](), result: reflect.TypeFor[R](),
		in: untypedWithin(m.In), alsoNotify: m.AlsoNotify, opens: m.Opens, attaches: m.Attaches, closes: m.Closes,
		needs: m.Needs, accepts: m.Accepts, answersAt: m.AnswersAt, deferred: m.Deferred, cancels: m.Cancels, undoes: m.Undoes,
		runs: m.Runs, fails: m.Fails, after: m.After, steps: m.Steps, before: m.Before, shutdown: m.Shutdown,
		legacy: m.Legacy, since: m.Since, stability: m.Stability, deprecated: m.Deprecated, examples: m.Examples,
	}
	for _, c := range m.Settles {
		out.settles = append(out.settles, c.untyped())
	}
	if m.Repeats != nil {
		k := m.Repeats.repeats()
		out.repeats = &k
	}
	for _, f := range m.Fences {
		out.fences = append(out.fences, fenceOf{f.Member, f.Stale, f.Fails})
	}
	if r := m.Replays; r != nil {
		out.replays = &replaysOf{r.Events, r.Marker, r.Cursor, r.Ends}
	}
	if p := m.Pages; p != nil {
		out.pages = &pagesOf{p.Cursor, p.Next, p.Items}
	}
	if m.AbsentAs != nil {
		out.absentAs = m.AbsentAs
	}
	for _, t := range m.Together {
		out.together = append(out.together, togetherOf{t.how, anys(t.members)})
	}
	for _, r := range m.Refusals {
		out.refusals = append(out.refusals, refusalOf{r.Member, r.Text, r.Wrong, r.Blank, r.First, r.Empty})
	}
	for _, c := range m.Prechecks {
		p := precheckOf{err: c.Error}
		for _, cond := range c.If {
			p.conds = append(p.conds, cond)
		}
		out.prechecks = append(out.prechecks, p)
	}
	return out
}

func (c Case[R]) untyped() caseOf {
	var out caseOf
	for _, cond := range c.conds {
		out.conds = append(out.conds, cond)
	}
	for _, w := range c.ways {
		out.ways = append(out.ways, wayOf(w))
	}
	return out
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
