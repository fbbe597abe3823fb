// SPDX-License-Identifier: Apache-2.0

package spec

// Method is one request, with params P and result R.
type Method[P, R any] struct {
	methodMark
	Name       string // wire name
	GoName     string // empty: from Name
	From       Side
	In         Within[P]
	AlsoNotify bool // may come without an id: same effect, no answer
	Opens      AnyScope
	Attaches   AnyScope // the caller gets this scope's frames from now on
	Closes     AnyScope
	Needs      *Capability
	Accepts    Acceptance
	AnswersAt  Member[P] // the member by which the caller chooses when the answer comes
	Deferred   bool      // the answer has a place in the scope's ordered stream
	Settles    []Case[R]
	Cancels    AnyActivity
	Undoes     AnyMethod   // a client calls this for calls of that method whose caller gave up before they were accepted
	Interrupts *Interrupts // a client has this and a method that begins work in one operation
	Repeats    Repeats[P]
	Runs       Concurrency
	Fences     []Fence[P]
	Fails      []AnyError
	After      []Frame // what precedes the answer, in wire order
	Replays    *Replays[P]
	Pages      *Pages[P, R]
	AbsentAs   *R // the answer when the peer cannot be asked
	Steps      []*Step
	Together   []Together[P]
	Before     bool // works before negotiation
	Shutdown   bool // asks the server to end; a client that closes calls it first
	Refusals   []Refusal[P]
	Prechecks  []Precheck[P] // refusals by which members there are, before anything else
	Legacy     *Legacy       // what peers that never negotiated get
	Since      string
	Stability  string
	Deprecated *Deprecation
	Examples   []Example
}

// Interrupts joins a method that stops an activity with one that begins it. A client
// then has one operation that does both: the two leave in one write, the old work's
// messages are withheld from the call on, and its handles settle as it ends.
type Interrupts struct {
	Begins AnyMethod // begins the new work
	GoName string    // the name of the operation; empty: Interrupt
	Keeps  Cond      // on the params of the stop: what waits behind the old work is not stopped; none: it always is
}

// Fence is a precondition: the call touches only what the member names. If that
// is over it answers with Stale, or fails with Fails.
type Fence[P any] struct {
	Member Member[P]
	Stale  Cond // condition on the result
	Fails  AnyError
}

// Replays says how stored events come back before a response.
type Replays[P any] struct {
	Events AnyNotification
	Marker Cond // the member that marks a replayed one
	Cursor Member[P]
	Ends   AnyNotification
}

// Pages says how a listing is cut.
type Pages[P, R any] struct {
	Cursor Member[P]
	Next   Member[R]
	Items  Member[R]
}

// Step is one step of a procedure; what hangs is named by it.
type Step struct {
	Name    string
	BoundMS int64 // 0: it does not wait
	Beside  bool  // runs concurrently with the steps after it: its bound is not added to theirs
}

// Together says how members need or exclude each other.
type Together[P any] = togetherFor[*P]

type togetherFor[P any] struct{ of *togetherOf }

func together[P any](how string, members []func(P) any) togetherFor[P] {
	return togetherFor[P]{&togetherOf{how, anys(members)}}
}

// Agree says that the members, where present, must mean the same thing.
func Agree[P any](m ...Member[P]) Together[P] { return together("agree", m) }

// Exclude says that at most one of the members may be present.
func Exclude[P any](m ...Member[P]) Together[P] { return together("exclude", m) }

// Need says that the members are present together or not at all.
func Need[P any](m ...Member[P]) Together[P] { return together("need", m) }
