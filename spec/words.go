package spec

// Side is an end of a connection.
type Side int

// The two sides: a Client calls, a Server serves. Either may send.
const (
	Client Side = iota + 1
	Server
)

// Acceptance is what a response proves.
type Acceptance int

// What a response proves: that the work is over; that this process will do it;
// or that it survives this process.
const (
	Done Acceptance = iota + 1
	Admitted
	Durable
)

// Retry is what a client may do after an error.
type Retry int

// Retry classes: never again as it stands; the same call with the same key;
// after a while; after reloading what it is about.
const (
	Never Retry = iota + 1
	SameKey
	After
	Reload
)

// Concurrency says what calls of a method may run beside.
type Concurrency int

// Shared calls run beside anything; Serial ones one after another in their scope.
const (
	Shared Concurrency = iota + 1
	Serial
)

// Fault is what a connection refuses, or a client meets, by itself. An error
// that stands for one is given in its place; without one it is a plain error of
// JSON-RPC, or the kit's own. Members of its data are filled in if they are
// plain and have these names on the wire: method and capability of a
// MethodFault, path of a ParamsFault, limit and value of a LimitFault,
// retryAfterMs of an OverloadFault, stderr, exitCode and signal of a
// ConnectionFault, afterSeq and the scope's id of a LagFault.
type Fault int

// What travels: a line that is no JSON; JSON that is no request; a method that
// is not served; params of a wrong shape or value; a message that is too long or
// too deep; more requests at once than are taken; a request that its caller
// abandoned; a failure that is nobody's business. And what a client finds: a
// connection that is lost; messages that were not taken in time.
const (
	ParseFault Fault = iota + 1
	RequestFault
	MethodFault
	ParamsFault
	LimitFault
	OverloadFault
	CancelFault
	InternalFault
	ConnectionFault
	LagFault
)

// UnknownMembers says what becomes of members that a reader does not know.
type UnknownMembers int

// Keep writes unknown members again; Drop ignores them.
const (
	Keep UnknownMembers = iota + 1
	Drop
)

// Member names one member of a payload by returning its address.
type Member[T any] = func(*T) any

// Any is a declaration of any kind.
type Any interface{ mustBeAPointer() }

// AnyError, AnyScope and their like let lists and fields take a declaration
// whatever its type arguments. Declarations are always pointers.
type (
	AnyError interface {
		Any
		untyped() errorOf
	}
	AnyScope interface {
		Any
		untyped() scopeOf
	}
	AnyNotification interface {
		Any
		untyped() notificationOf
	}
	AnyLink interface {
		Any
		untyped() linkOf
	}
	AnyActivity interface {
		Any
		untyped() activityOf
	}
	AnyMethod interface {
		Any
		untyped() methodOf
	}
	AnyMachine interface {
		Any
		untyped() machineOf
	}
)

// List is a list of declarations, written without its type.
func List[T any](items ...T) []T { return items }

// Errors, Scopes, Notifications, Links, Activities, Methods and Machines are
// List with the type said.
func Errors(items ...AnyError) []AnyError                      { return items }
func Scopes(items ...AnyScope) []AnyScope                      { return items }
func Notifications(items ...AnyNotification) []AnyNotification { return items }
func Links(items ...AnyLink) []AnyLink                         { return items }
func Activities(items ...AnyActivity) []AnyActivity            { return items }
func Methods(items ...AnyMethod) []AnyMethod                   { return items }
func Machines(items ...AnyMachine) []AnyMachine                { return items }

// Protocol is a whole protocol. Its lists are in the order of the documents;
// a declaration that no list has is an error at its place.
type Protocol struct {
	Name          string         // wire name, lower case: names files and packages
	Server        string         // what clients call the side that serves, a noun: "runtime"; empty: "server"
	Negotiation   AnyNegotiation // how sides agree; nil: they do not
	Unknown       UnknownMembers
	Types         []AnyType // payload types that no message reaches
	Scopes        []AnyScope
	Capabilities  []*Capability
	Errors        []AnyError
	Notifications []AnyNotification
	Links         []AnyLink
	Activities    []AnyActivity
	Methods       []AnyMethod
	Machines      []AnyMachine
	Generations   []*Generation
	Limits        []*Limit
	Rules         []*Rule
	Allows        []*Allow
}

// AnyType is a payload type by itself.
type AnyType interface{ payload() any }

type typeOf[T any] struct{}

func (typeOf[T]) payload() any { return (*T)(nil) }

// Type lists a payload type that no message reaches, a stored header say.
func Type[T any]() AnyType { return typeOf[T]{} }

// Capability is announced by one side before the other may use it. Name is its
// dotted path below the capabilities member: "session.cancel".
type Capability struct {
	Name string
	Of   Side
}

// Scope is what frames and methods belong to; K is the type of its id.
type Scope[K ~string] struct {
	Name   string
	Handle string // Go name of the generated handle; empty: from Name
	Parent AnyScope
	Queue  *Queue
}

// Queue bounds what may wait in a scope, and names the error when it is full.
type Queue struct {
	Limit int
	Full  AnyError
}

// Error is one domain error; D holds the members of its data beside kind,
// retry and the scope's id. Kind is its identity, Code its number.
type Error[D any] struct {
	Kind   string
	Code   int
	Retry  Retry
	Fault  Fault    // what it stands for, if the connection refuses or meets it by itself
	At     Side     // Client: found by the client, never on the wire
	Legacy []string // texts of peers that never negotiated; {member} stands for one
}

// None is the payload of messages that have none.
type None struct{}

// Notification is a one-way message.
type Notification[P any] struct {
	Name     string
	From     Side
	In       Within[P]
	Needs    *Capability // of the receiver
	Live     *Live[P]    // may be merged or dropped for a slow reader
	Seq      Member[P]   // the number that orders it in its scope
	Since    string
	Examples []Example
}

// Within says which scope a message belongs to; see In.
type Within[P any] interface {
	within() (AnyScope, func(*P) any)
}

type within[P any] struct {
	scope AnyScope
	key   func(*P) any
}

func (w within[P]) within() (AnyScope, func(*P) any) { return w.scope, w.key }

// In puts a message into a scope; key selects the member that names it. The
// compiler sees to it that the member has the scope's id type.
func In[P any, K ~string](s *Scope[K], key func(*P) *K) Within[P] {
	return within[P]{s, func(p *P) any { return key(p) }}
}

// Live says how messages of one kind may be merged under pressure: the members
// that it does not name stay as the earlier message has them. With Counter and
// Merged a reader sees what was dropped, and only neighbours are merged.
type Live[P any] struct {
	Same    []Member[P] // must agree for two to merge
	Join    []Member[P] // joined, as text
	Last    []Member[P] // the later message's count
	Counter Member[P]   // counts up by one
	Merged  Member[P]   // how many were merged
}

// Frame is one message, or one variant of a union in it.
type Frame interface{ frame() FrameOf }

// FrameOf is the untyped form of a frame.
type FrameOf struct {
	note    AnyNotification
	variant any
	key     any
	where   []Cond
}

func (f FrameOf) frame() FrameOf { return f }

// FrameOption narrows a frame of P.
type FrameOption[P any] func(*FrameOf)

// On is the frame that is a notification.
func On[P any](n *Notification[P], options ...FrameOption[P]) Frame {
	f := FrameOf{note: n}
	for _, o := range options {
		o(&f)
	}
	return f
}

// Variant narrows a frame to one variant of a union in it: the selector
// returns the address of the variant's field.
func Variant[P any](pick Member[P]) FrameOption[P] {
	return func(f *FrameOf) { f.variant = pick }
}

// Key says which member of a frame bears the key.
func Key[P any, K any](key func(*P) *K) FrameOption[P] {
	return func(f *FrameOf) { f.key = func(p *P) any { return key(p) } }
}

// Where narrows a frame by a member.
func Where[P any](c CondOf[P]) FrameOption[P] {
	return func(f *FrameOf) { f.where = append(f.where, c) }
}

// Cond is a condition on a member.
type Cond interface {
	cond() (sel any, values []string, absent bool)
}

// CondOf is a condition on a member of T.
type CondOf[T any] struct {
	sel    Member[T]
	values []string
	absent bool
}

func (c CondOf[T]) cond() (any, []string, bool) { return c.sel, c.values, c.absent }

// Is holds if the member has one of the values. Values are wire values: a
// constant of the member's enum, "true" or "false", or a union's tag.
func Is[T any, V ~string](m Member[T], values ...V) CondOf[T] {
	c := CondOf[T]{sel: m}
	for _, v := range values {
		c.values = append(c.values, string(v))
	}
	return c
}

// True holds if the member is true.
func True[T any](m Member[T]) CondOf[T] { return CondOf[T]{sel: m, values: []string{"true"}} }

// Present holds if the member is there.
func Present[T any](m Member[T]) CondOf[T] { return CondOf[T]{sel: m} }

// Absent holds if it is not.
func Absent[T any](m Member[T]) CondOf[T] { return CondOf[T]{sel: m, absent: true} }

// Link is how a ticket of type From leads to a key of type To. Fold names the
// stateful rule that a client keeps by hand, pinned by vectors.
type Link[From, To any] struct {
	By   Frame
	Fold string
}

// Activity is work that outlives the call that began it; K is the type of its
// key.
type Activity[K any] struct {
	Name     string
	Handle   string
	In       AnyScope
	Begins   Frame
	Ends     Frame // its Key is the activity's key
	Outcomes []*Outcome
	Carries  []Carry // frames that bear the key: none may follow the end
}

// Outcome is one way in which an activity ends, as a client reports it. The
// condition selects in the ending frame's notification; none means that the
// frame does not tell it (a lost connection, say).
type Outcome struct {
	Name  string
	When  Cond
	OK    bool
	Other bool // an end of which no other outcome's condition holds
	Lost  bool // no end came before the connection was lost
}

// Carry says that a frame bears an activity's key.
type Carry interface {
	carry() (AnyNotification, any, []any)
}

type carry struct {
	note   AnyNotification
	key    any
	except []any
}

func (c carry) carry() (AnyNotification, any, []any) { return c.note, c.key, c.except }

// Bears says that a notification bears the key in a member, save for the
// variants in except.
func Bears[P any, K any](n *Notification[P], key func(*P) *K, except ...Member[P]) Carry {
	c := carry{note: n, key: func(p *P) any { return key(p) }}
	for _, e := range except {
		c.except = append(c.except, e)
	}
	return c
}

// Example is one example of a message.
type Example struct {
	name           string
	params, result any
	fails          AnyError
}

// Ex is an example of a request that succeeds.
func Ex[P, R any](name string, params P, result R) Example {
	return Example{name: name, params: params, result: result}
}

// Shown is an example of a notification.
func Shown[P any](name string, params P) Example { return Example{name: name, params: params} }

// Refused is an example of a request that fails with an error.
func Refused[P any](name string, params P, err AnyError) Example {
	return Example{name: name, params: params, fails: err}
}

// Method is one request, with params P and result R.
type Method[P, R any] struct {
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
	Undoes     AnyMethod // a client calls this for calls of that method whose caller gave up before they were accepted
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

// Repeats says what a repeated call does: see ReadOnly, Idempotent, Unsafe and
// Keyed.
type Repeats[P any] interface{ repeats() keyed }

type keyed struct {
	how         string
	key, marker any
	scope       AnyScope
	window      string
	print       []any
	conflict    AnyError
	absent      string
}

type repeats[P any] struct{ k keyed }

func (r repeats[P]) repeats() keyed { return r.k }

// ReadOnly calls change nothing.
func ReadOnly[P any]() Repeats[P] { return repeats[P]{keyed{how: "read only"}} }

// Idempotent calls may be repeated: the second changes nothing more.
func Idempotent[P any]() Repeats[P] { return repeats[P]{keyed{how: "idempotent"}} }

// Unsafe calls must not be repeated.
func Unsafe[P any]() Repeats[P] { return repeats[P]{keyed{how: "unsafe"}} }

// Keyed calls may be repeated with the same key: the first result comes again.
type Keyed[P, R any] struct {
	By          Member[P]
	Scope       AnyScope
	Window      string // how long a key is known, in words: "life of the log"
	Fingerprint []Member[P]
	Conflict    AnyError  // the same key with another fingerprint
	Absent      string    // what a call without key means: "each call is new"
	Marker      Member[R] // result member that tells a repetition
}

func (k Keyed[P, R]) repeats() keyed {
	out := keyed{how: "keyed", key: k.By, marker: k.Marker, scope: k.Scope, window: k.Window, conflict: k.Conflict, absent: k.Absent}
	for _, m := range k.Fingerprint {
		out.print = append(out.print, m)
	}
	return out
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
	Beside  bool  // runs beside the steps after it: its bound does not add up with theirs
}

// Together says how members need or exclude each other.
type Together[P any] struct {
	how     string
	members []Member[P]
}

// Agree says that the members, where present, must mean the same thing.
func Agree[P any](m ...Member[P]) Together[P] { return Together[P]{"agree", m} }

// Exclude says that at most one of the members may be present.
func Exclude[P any](m ...Member[P]) Together[P] { return Together[P]{"exclude", m} }

// Need says that the members are present together or not at all.
func Need[P any](m ...Member[P]) Together[P] { return Together[P]{"need", m} }

// Refusal is the text with which peers that never negotiated refuse a member
// that is missing, empty where it must not be, or of a wrong type. Refusals
// are checked in this order; First ones even before negotiation is.
type Refusal[P any] struct {
	Member Member[P]
	Text   string
	Wrong  string // the text for a wrong type; empty: Text
	Blank  string // the text for an empty string, where Empty; empty: Text
	First  bool
	Empty  bool // an empty string is refused too
}

// Precheck refuses a call with an error if all conditions hold. Prechecks come
// before everything else, negotiation and the members' types included, and look
// only at which members are there.
type Precheck[P any] struct {
	If    []CondOf[P]
	Error AnyError
}

// Legacy is what a method's answers are to peers that never negotiated, where
// that differs: members of the result that have a since are always left out.
type Legacy struct {
	Bare  bool // the result is an empty object
	Texts []LegacyText
}

// LegacyText is the text with which one method gives an error to such peers,
// where it is another than the error's own. {member} stands for a member of the
// error's data or of the params. An error may have several.
type LegacyText struct {
	Error AnyError
	Text  string
}

// Deprecation is the end of a name.
type Deprecation struct{ Since, Instead string }

// AnyNegotiation is a Negotiation of any method.
type AnyNegotiation interface{ untyped() negotiationOf }

// Negotiation says how two sides agree on a version, by a method with params P
// and result R.
type Negotiation[P, R any] struct {
	Method      *Method[P, R]
	Versions    []int
	Asked       Member[P]
	Answered    Member[R]
	Offers      Member[P]
	Announces   Member[R]
	Unsupported AnyError    // no common version
	Before      AnyError    // any method that came too early
	Without     *Generation // what a peer is that names no version
}

// Generation is a kind of peer that never negotiated.
type Generation struct {
	Name    string
	Unknown string // its text for an unknown method; {method} stands for the name
	Code    int    // the one code of its errors
	Lacks   []AnyMethod
	Differs []*Differs
}

// Differs is one intended difference to what such a peer does.
type Differs struct{ ID string }

// Limit is a bound with a name.
type Limit struct {
	Name  string
	Value int64
	Unit  string // "bytes", "levels", "count" or "ms"
	Error AnyError
}

// Rule is a MUST that no word can say: its text stands in its doc comment, and
// a test carries its id.
type Rule struct{ ID string }

// Allow silences one lint rule for one declaration, with a reason. At nil is
// the whole protocol, payload types included.
type Allow struct {
	Rule   string
	At     Any
	Reason string
}
