// SPDX-License-Identifier: Apache-2.0

package spec

// Case is one kind of result, and the ways in which such a call then settles.
type Case[R any] = caseFor[*R]

type caseFor[R any] struct{ of *caseOf }

// Cases lists kinds of results; the first that holds counts.
//
//go:noinline
func Cases[R any](cases ...caseFor[R]) []caseFor[R] { return cases }

// When is the case in which a condition holds.
//
//go:noinline
func When[R any](c condFor[R], ways ...wayFor[R]) caseFor[R] {
	return caseFor[R]{&caseOf{conds: []Cond{c.condOf}, ways: untypedWays(ways)}}
}

// Otherwise is the last case.
//
//go:noinline
func Otherwise[R any](ways ...wayFor[R]) caseFor[R] {
	return caseFor[R]{&caseOf{ways: untypedWays(ways)}}
}

func untypedWays[R any](ways []wayFor[R]) []*wayOf {
	var out []*wayOf
	for _, w := range ways {
		out = append(out, w.of)
	}
	return out
}

// Way is one way in which a call settles.
type Way[R any] = wayFor[*R]

type wayFor[R any] struct{ of *wayOf }

// AtResponse settles a call with its response.
func AtResponse[R any]() Way[R] { return Way[R]{atResponse} }

var atResponse = &wayOf{how: "response"}

// EndOf settles a call with the end of the activity that the result names.
func EndOf[R, K any](a *Activity[K], key func(R) *K) wayFor[R] {
	return wayFor[R]{&wayOf{how: "end", act: a, key: key}}
}

// EndTold settles a call with its response: a member of it is the very message,
// or variant, that ends the activity, for calls that find it over.
func EndTold[R, K any](a *Activity[K], end func(R) any) wayFor[R] {
	return wayFor[R]{&wayOf{how: "response", act: a, key: end}}
}

// EndChosen settles a call with the end of the activity whose key the caller
// chose: it is a member of the params.
func EndChosen[R, P, K any](a *Activity[K], key func(P) *K) Way[R] {
	return Way[R]{&wayOf{how: "end", act: a, params: key}}
}

// EndVia settles a call with the end of the activity to which a link leads
// from a ticket in the result.
func EndVia[R, F, K any](a *Activity[K], l *Link[F, K], ticket func(R) *F) wayFor[R] {
	return wayFor[R]{&wayOf{how: "end", act: a, link: l, key: ticket}}
}

// ByFrame settles a call with another frame; outcome names what a client then
// reports.
func ByFrame[R any](f Frame, outcome string) Way[R] {
	return Way[R]{&wayOf{how: "frame", frame: f, as: outcome}}
}

// ByCall settles a request with a later call of the other side, one that names
// the same: asked selects it in the params of the request, later in those of
// the call. That method is declared before.
func ByCall[R, P, Q, S, K any](m *Method[Q, S], asked func(P) *K, later func(*Q) *K) Way[R] {
	return Way[R]{&wayOf{how: "call", later: m, params: asked, same: later}}
}
