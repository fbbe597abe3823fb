// SPDX-License-Identifier: Apache-2.0

package model

// Negotiation says how two sides agree on a version.
type Negotiation struct {
	Method      string `json:"method"`      // the method that opens a connection
	Versions    []int  `json:"versions"`    // spoken, ascending
	Asked       string `json:"asked"`       // params member with the version asked for
	Answered    string `json:"answered"`    // result member with the version chosen
	Offers      string `json:"offers"`      // params member with the client's capabilities
	Announces   string `json:"announces"`   // result member with the server's capabilities
	Unsupported string `json:"unsupported"` // kind of the error of a failed negotiation
	Before      string `json:"before"`      // kind of the error of a method that came too early
	Generation  string `json:"generation"`  // the generation of a peer that names no version
}

// Scope is what frames and methods belong to: a session, say.
type Scope struct {
	Name    string `json:"name"`
	Chinese string `json:"chinese,omitempty"` // the name in Chinese texts
	Var     string `json:"var"`
	Handle  string `json:"handle"` // Go name of the generated handle
	Key     string `json:"key"`    // type name of its id
	Parent  string `json:"parent,omitempty"`
	Queue   *Queue `json:"queue,omitempty"`
	Doc     Text   `json:"doc"`
	Pos     Pos    `json:"pos"`
}

// Queue bounds what may wait in a scope.
type Queue struct {
	Limit int    `json:"limit"`
	Full  string `json:"full"` // error kind
}

// Capability is something that a side announces before the other may use it.
type Capability struct {
	Name string `json:"name"` // dotted path below the capabilities member: "session.cancel"
	Var  string `json:"var"`
	Of   string `json:"of"` // Client or Server
	Doc  Text   `json:"doc"`
	Pos  Pos    `json:"pos"`
}

// Retry classes: what a client may do after an error.
const (
	RetryNever   = "never"
	RetrySameKey = "same-key"
	RetryAfter   = "after"
	RetryReload  = "reload"
)

// What an error may stand for: what a connection refuses or meets by itself.
const (
	ParseFault      = "parse"
	RequestFault    = "request"
	MethodFault     = "method"
	ParamsFault     = "params"
	LimitFault      = "limit"
	OverloadFault   = "overload"
	CancelFault     = "cancel"
	InternalFault   = "internal"
	ConnectionFault = "connection"
	LagFault        = "lag"
)

// Error is one domain error. Kind is its identity.
type Error struct {
	Kind   string   `json:"kind"`
	Var    string   `json:"var"`
	Code   int      `json:"code"`
	Retry  string   `json:"retry"`
	Fault  string   `json:"fault,omitempty"` // what it stands for; empty: nothing that a connection meets by itself
	At     string   `json:"at,omitempty"`    // Client: never on the wire
	Data   []*Field `json:"data,omitempty"`
	Says   string   `json:"says,omitempty"`   // the message where a server gives none, with {members}
	Legacy []string `json:"legacy,omitempty"` // texts of older generations, with {members}
	Doc    Text     `json:"doc"`
	Pos    Pos      `json:"pos"`
}

// Notification is a one-way message.
type Notification struct {
	Name   string  `json:"name"`
	Var    string  `json:"var"`
	GoName string  `json:"goName,omitempty"` // empty: from the name
	From   string  `json:"from"`             // Client or Server
	Params string  `json:"params"`
	In     *Within `json:"in,omitempty"`
	Live   *Live   `json:"live,omitempty"`
	Seq    *Seq    `json:"seq,omitempty"`
	Carry  []Carry `json:"carries,omitempty"`
	Needs  string  `json:"needs,omitempty"`
	Since  string  `json:"since,omitempty"`
	Doc    Text    `json:"doc"`
	Pos    Pos     `json:"pos"`
	Ex     []Ex    `json:"examples,omitempty"`
}

// Within says which scope a message belongs to, and which member names it.
type Within struct {
	Scope string `json:"scope"`
	Key   string `json:"key"` // member path
}

// Live marks messages that a slow reader may get merged, or not at all.
type Live struct {
	Same    []string `json:"same"`   // members that must agree for two to merge
	Join    []string `json:"join"`   // members that are joined
	Last    []string `json:"last"`   // members that the later message's replace
	Counter string   `json:"count"`  // member that counts up by one; empty: none does
	Merged  string   `json:"merged"` // member with the number merged; empty if none counts
}

// Seq says how the events of a notification are numbered.
type Seq struct {
	Member string `json:"member"` // member path
}

// Carry says that a message bears an activity's key: nothing of the activity
// may follow its end.
type Carry struct {
	Activity string   `json:"activity"`
	Key      string   `json:"key"`              // member path
	Except   []string `json:"except,omitempty"` // variants that do not
}

// Frame is one message, or one variant of a union that it carries.
type Frame struct {
	Notification string `json:"notification"`
	Path         string `json:"path,omitempty"` // member path of the union variant: "event.turn/end"
	Variant      string `json:"variant,omitempty"`
	Key          string `json:"key,omitempty"` // member path of the key
	Where        []Is   `json:"where,omitempty"`
}

// Is is one condition on a member.
type Is struct {
	Member string   `json:"member"`
	Values []string `json:"values,omitempty"` // none: present
	Absent bool     `json:"absent,omitempty"`
}

// Link is how the ticket of one frame leads to the key of another. Fold names
// the stateful rule that a client must implement by hand.
type Link struct {
	Name string `json:"name"`
	Var  string `json:"var"`
	From string `json:"from"` // ticket's type
	To   string `json:"to"`   // key's type
	Fold string `json:"fold,omitempty"`
	By   *Frame `json:"by,omitempty"`
	Doc  Text   `json:"doc"`
	Pos  Pos    `json:"pos"`
}

// Activity is work that outlives the call that began it.
type Activity struct {
	Name     string     `json:"name"`
	Chinese  string     `json:"chinese,omitempty"` // the name in Chinese texts
	Var      string     `json:"var"`
	Handle   string     `json:"handle"`
	Key      string     `json:"key"`
	In       string     `json:"in,omitempty"`
	Begins   *Frame     `json:"begins,omitempty"`
	Ends     *Frame     `json:"ends,omitempty"`
	Tells    string     `json:"tells,omitempty"` // member path of the outcome in the ending frame
	Outcomes []*Outcome `json:"outcomes"`
	Life     string     `json:"life,omitempty"`     // the scope whose life it is, whose id is the key
	Detaches *Frame     `json:"detaches,omitempty"` // says that what began the life does not wait for it
	Doc      Text       `json:"doc"`
	Pos      Pos        `json:"pos"`
}

// Outcome is one way in which an activity ends, as a client reports it.
type Outcome struct {
	Name  string `json:"name"`
	Is    []Is   `json:"is,omitempty"` // none: not in the ending frame
	OK    bool   `json:"ok,omitempty"`
	Other bool   `json:"other,omitempty"` // an end of which no other condition holds
	Lost  bool   `json:"lost,omitempty"`  // no end came before the connection was lost
	Doc   Text   `json:"doc"`
	Pos   Pos    `json:"pos"`
}

// What a response proves.
const (
	Done     = "done"     // the work is over
	Admitted = "admitted" // the work will be done by this process
	Durable  = "durable"  // the work is stored, as durably as the server's store makes it
)

// How a call may be repeated.
const (
	ReadOnly   = "read only"
	Idempotent = "idempotent"
	Keyed      = "keyed"
	Unsafe     = "unsafe"
)

// How calls of a method may run concurrently with others.
const (
	Shared = "shared" // concurrently with any call
	Serial = "serial" // one after another in its scope
	Quick  = "quick"  // waits for nothing: answered where it was read
)

// Method is one request.
type Method struct {
	Name       string       `json:"name"`
	Var        string       `json:"var"`
	GoName     string       `json:"goName"`
	From       string       `json:"from"`
	Params     string       `json:"params"`           // type name; empty: none
	Result     string       `json:"result"`           // type name; empty: {}
	OrNull     bool         `json:"orNull,omitempty"` // the result may be null
	In         *Within      `json:"in,omitempty"`
	AlsoNotify bool         `json:"alsoNotify,omitempty"`
	Opens      string       `json:"opens,omitempty"`    // scope
	Attaches   string       `json:"attaches,omitempty"` // scope whose frames the caller gets from now on
	Closes     string       `json:"closes,omitempty"`
	Needs      string       `json:"needs,omitempty"` // capability
	Accepts    string       `json:"accepts"`
	AnswersAt  string       `json:"answersAt,omitempty"` // member path by which the caller chooses
	Deferred   bool         `json:"deferred,omitempty"`  // answered at a place in the scope's stream
	Settles    []*Case      `json:"settles"`
	Cancels    string       `json:"cancels,omitempty"` // activity
	Undoes     string       `json:"undoes,omitempty"`  // method whose calls it takes back when their caller gave up
	Interrupts *Interrupts  `json:"interrupts,omitempty"`
	Repeats    *Repeats     `json:"repeats"`
	Runs       string       `json:"runs"` // Shared, Serial or Quick
	Fences     []*Fence     `json:"fences,omitempty"`
	Fails      []string     `json:"fails,omitempty"` // error kinds
	Order      *Order       `json:"order,omitempty"`
	Replays    *Replays     `json:"replays,omitempty"`
	Pages      *Pages       `json:"pages,omitempty"`
	Absent     string       `json:"absent,omitempty"` // JSON answer when the peer cannot be asked
	Steps      []*Step      `json:"steps,omitempty"`
	Together   []*Together  `json:"together,omitempty"`
	Before     bool         `json:"beforeNegotiation,omitempty"`
	Shutdown   bool         `json:"shutdown,omitempty"` // asks the server to end
	Refusals   []*Refusal   `json:"refusals,omitempty"`
	Prechecks  []*Precheck  `json:"prechecks,omitempty"`
	Legacy     *Legacy      `json:"legacy,omitempty"` // what peers that never negotiated get
	Lacks      []string     `json:"lacks,omitempty"`  // generations that lack it
	Since      string       `json:"since,omitempty"`
	Stability  string       `json:"stability,omitempty"`
	Deprecated *Deprecation `json:"deprecated,omitempty"`
	Doc        Text         `json:"doc"`
	Pos        Pos          `json:"pos"`
	Examples   []Ex         `json:"examples,omitempty"`
}

// Case is one kind of result and what then settles the call.
type Case struct {
	If  []Is  `json:"if,omitempty"` // none: otherwise
	By  []Way `json:"by"`
	Pos Pos   `json:"pos,omitzero"`
}

// The ways in which a call settles.
const (
	ByResponse = "response"
	ByEnd      = "end"   // of an activity
	ByFrame    = "frame" // another frame
	ByCall     = "call"  // a later call of the other side
)

// Way is one way to settle.
type Way struct {
	How      string `json:"how"`
	Activity string `json:"activity,omitempty"`
	Link     string `json:"link,omitempty"`
	Key      string `json:"key,omitempty"`    // member path in the result; in the params if Chosen
	Chosen   bool   `json:"chosen,omitempty"` // the caller chose the key
	Method   string `json:"method,omitempty"` // the later call,
	Same     string `json:"same,omitempty"`   // and the member path in its params that has the key again
	Frame    *Frame `json:"frame,omitempty"`
	As       string `json:"as,omitempty"` // outcome's name
}

// Repeats says what a repeated call does.
type Repeats struct {
	How         string   `json:"how"`
	Key         string   `json:"key,omitempty"`
	Scope       string   `json:"scope,omitempty"`
	Window      string   `json:"window,omitempty"`
	Fingerprint []string `json:"fingerprint,omitempty"`
	Conflict    string   `json:"conflict,omitempty"` // error kind
	Absent      string   `json:"absent,omitempty"`   // what a call without key means
	Marker      string   `json:"marker,omitempty"`   // result member that marks a repetition
	Pos         Pos      `json:"pos,omitzero"`
}

// Interrupts joins a method that stops work with one that begins it.
type Interrupts struct {
	Begins string `json:"begins"`          // method
	GoName string `json:"goName"`          // of the operation that does both
	Keeps  *Is    `json:"keeps,omitempty"` // in the params of the stop: what waits behind is not stopped; none: it always is
	Pos    Pos    `json:"pos,omitzero"`
}

// Fence is a precondition on what a call names.
type Fence struct {
	Member   string `json:"member"`
	Mismatch *Is    `json:"mismatch,omitempty"` // what the result then says; or
	Fails    string `json:"fails,omitempty"`    // error kind
	Pos      Pos    `json:"pos,omitzero"`
}

// Order is what surrounds a response.
type Order struct {
	After []string `json:"after,omitempty"` // frames, in wire order, that precede it
}

// Replays says how stored events come back.
type Replays struct {
	Notification string `json:"notification"`
	Marker       string `json:"marker"`
	Cursor       string `json:"cursor"`
	Ends         string `json:"ends"` // notification
}

// Pages says how a listing is cut.
type Pages struct {
	Cursor string `json:"cursor"`
	Next   string `json:"next"`
	Items  string `json:"items"`
}

// Step is one step of a procedure and its bound.
type Step struct {
	Name    string `json:"name"`
	BoundMS int64  `json:"boundMs"`          // 0: it does not wait
	Beside  bool   `json:"beside,omitempty"` // runs concurrently with the steps after it
	Doc     Text   `json:"doc"`
	Pos     Pos    `json:"pos"`
}

// Together says how members need or exclude each other.
type Together struct {
	How     string   `json:"how"` // "agree", "exclude" or "need"
	Members []string `json:"members"`
}

// Refusal is how peers that never negotiated refuse a bad member.
type Refusal struct {
	Member string `json:"member"`
	Text   string `json:"text"`
	Wrong  string `json:"wrong,omitempty"` // text for a wrong type; empty: Text
	Blank  string `json:"blank,omitempty"` // text for an empty string; empty: Text
	First  bool   `json:"first,omitempty"`
	Empty  bool   `json:"empty,omitempty"`
}

// Precheck refuses a call by which members are there, before anything else.
type Precheck struct {
	If    []Is   `json:"if"`
	Error string `json:"error"` // error kind
}

// Legacy is what a method's answers are to peers that never negotiated.
type Legacy struct {
	Bare  bool         `json:"bare,omitempty"` // the result is {}
	Texts []LegacyText `json:"texts,omitempty"`
}

// LegacyText is an error's text in one method, for such peers.
type LegacyText struct {
	Error string `json:"error"` // error kind
	Text  string `json:"text"`
}

// Deprecation is the end of a name.
type Deprecation struct {
	Since   string `json:"since,omitempty"`
	Instead string `json:"instead,omitempty"`
}

// Generation is a kind of peer that never negotiated.
type Generation struct {
	Name    string     `json:"name"`
	Var     string     `json:"var"`
	Unknown string     `json:"unknown"` // its unknown-method text, with {method}
	Code    int        `json:"code"`    // the one code of its errors
	Lacks   []string   `json:"lacks"`   // methods
	Differs []*Differs `json:"differs"` // where our side knowingly differs for it
	Doc     Text       `json:"doc"`
	Pos     Pos        `json:"pos"`
}

// Differs is one intended difference.
type Differs struct {
	ID  string `json:"id"`
	Doc Text   `json:"doc"`
	Pos Pos    `json:"pos"`
}

// Limit is a bound with a name.
type Limit struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
	Unit  string `json:"unit"` // bytes, levels, count, ms
	Error string `json:"error,omitempty"`
	Doc   Text   `json:"doc"`
	Pos   Pos    `json:"pos"`
}

// Rule is a MUST that no word can say: a text, and the test that carries its id.
type Rule struct {
	ID  string `json:"id"`
	Doc Text   `json:"doc"`
	Pos Pos    `json:"pos"`
}

// Allow silences one lint rule at one place.
type Allow struct {
	Rule   string `json:"rule"`
	At     string `json:"at"`
	Reason string `json:"reason"`
	Pos    Pos    `json:"pos"`
}

// Ex is one example, as the author wrote it.
type Ex struct {
	Name   string `json:"name"`
	Params string `json:"params,omitempty"` // canonical JSON
	Result string `json:"result,omitempty"`
	Error  string `json:"error,omitempty"`
	Pos    Pos    `json:"pos"`
}
