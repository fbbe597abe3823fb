package spec

// Case is one kind of result, and the ways in which such a call then settles.
type Case[R any] struct {
	conds []CondOf[R]
	ways  []Way[R]
}

// Cases lists kinds of results; the first that holds counts.
func Cases[R any](cases ...Case[R]) []Case[R] { return cases }

// When is the case in which a condition holds.
func When[R any](c CondOf[R], ways ...Way[R]) Case[R] {
	return Case[R]{conds: []CondOf[R]{c}, ways: ways}
}

// Otherwise is the last case.
func Otherwise[R any](ways ...Way[R]) Case[R] { return Case[R]{ways: ways} }

// Way is one way in which a call settles.
type Way[R any] struct {
	how   string
	act   AnyActivity
	link  AnyLink
	key   any
	frame Frame
	as    string

	later  AnyMethod
	params any // selects in the params that the key is in; nil: it is in the result
	same   any // selects in the later call's params
}

// AtResponse settles a call with its response.
func AtResponse[R any]() Way[R] { return Way[R]{how: "response"} }

// EndOf settles a call with the end of the activity that the result names.
func EndOf[R, K any](a *Activity[K], key func(*R) *K) Way[R] {
	return Way[R]{how: "end", act: a, key: func(r *R) any { return key(r) }}
}

// EndTold settles a call with its response: a member of it is the very message,
// or variant, that ends the activity, for calls that find it over.
func EndTold[R, K any](a *Activity[K], end Member[R]) Way[R] {
	return Way[R]{how: "response", act: a, key: end}
}

// EndChosen settles a call with the end of the activity whose key the caller
// chose: it is a member of the params.
func EndChosen[R, P, K any](a *Activity[K], key func(*P) *K) Way[R] {
	return Way[R]{how: "end", act: a, params: func(p *P) any { return key(p) }}
}

// EndVia settles a call with the end of the activity to which a link leads
// from a ticket in the result.
func EndVia[R, F, K any](a *Activity[K], l *Link[F, K], ticket func(*R) *F) Way[R] {
	return Way[R]{how: "end", act: a, link: l, key: func(r *R) any { return ticket(r) }}
}

// ByFrame settles a call with another frame; outcome names what a client then
// reports.
func ByFrame[R any](f Frame, outcome string) Way[R] {
	return Way[R]{how: "frame", frame: f, as: outcome}
}

// ByCall settles a request with a later call of the other side, one that names
// the same: asked selects it in the params of the request, later in those of
// the call. That method is declared before.
func ByCall[R, P, Q, S, K any](m *Method[Q, S], asked func(*P) *K, later func(*Q) *K) Way[R] {
	return Way[R]{
		how: "call", later: m,
		params: func(p *P) any { return asked(p) }, same: func(q *Q) any { return later(q) },
	}
}
