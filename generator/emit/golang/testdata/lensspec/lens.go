// SPDX-License-Identifier: Apache-2.0

// Package lens declares what a lens knows about texts, for editors that ask it:
// results that may be null, lists and choices, told apart by how they look, and
// enums of integers.
package lensspec

import "github.com/accordkit/accord/spec"

// URI names a text.
type URI string

// Grade is how grave a remark is.
type Grade int32

// The grades.
const (
	GradeError   Grade = 1
	GradeWarning Grade = 2
	GradeHint    Grade = 4
)

// Trace is how much is told of what goes on.
type Trace int8

// Closed says that there are no others.
func (Trace) Closed() {}

// The traces.
const (
	TraceOff     Trace = 0
	TraceVerbose Trace = 2
)

type Place struct {
	Line   uint32 `json:"line"`
	Column uint32 `json:"column"`
}

type Stretch struct {
	From Place `json:"from"`
	To   Place `json:"to"`
}

type Spot struct {
	URI     URI     `json:"uri"`
	Stretch Stretch `json:"stretch"`
}

// Spots are some spots.
type Spots []Spot

type Opening struct {
	Root  spec.Nullable[URI] `json:"root"`
	Trace Trace              `json:"trace,omitzero"`
	Can   Can                `json:"can"`
}

type Can struct {
	Apply    bool    `json:"apply,omitzero"`
	Settings bool    `json:"settings,omitzero"`
	Choose   *Choose `json:"choose,omitempty"`
	Progress *None   `json:"progress,omitempty"`
}

// Choose says how a user can be asked.
type Choose struct {
	Many bool `json:"many,omitzero"`
}

// None has nothing: that it is there tells all.
type None struct{}

type Opened struct {
	Serves Serves `json:"serves"`
}

type Serves struct {
	About bool `json:"about,omitzero"`
}

type TextOpened struct {
	URI  URI    `json:"uri"`
	Text string `json:"text"`
}

type TextChanged struct {
	URI     URI      `json:"uri"`
	Changes []Change `json:"changes" length:"1.."`
}

// Change is a new text of a stretch, or of all.
type Change struct {
	Stretch *Stretch `json:"stretch,omitempty"`
	Text    string   `json:"text"`
}

type TextClosed struct {
	URI URI `json:"uri"`
}

type At struct {
	URI   URI   `json:"uri"`
	Place Place `json:"place"`
}

type About struct {
	Text    string   `json:"text"`
	Stretch *Stretch `json:"stretch,omitempty"`
}

// Count is how many there are.
type Count int64

// Marks are texts by the name of their mark.
type Marks map[string]string

type Setting struct {
	Keys []string `json:"keys"`
}

// Settings are values by the order of the keys.
type Settings []string

type Apply struct {
	Label string `json:"label,omitzero"`
}

type Applied struct {
	Done bool    `json:"done"`
	Why  *string `json:"why,omitempty"`
}

type Question struct {
	Grade   Grade    `json:"grade"`
	Text    string   `json:"text"`
	Choices []string `json:"choices"`
}

type Chosen struct {
	Choice string `json:"choice"`
}

// Pong is what an editor answers.
type Pong struct {
	Busy bool `json:"busy"`
}

// Token names what goes on: a number or a text, as its maker likes.
type Token struct {
	_      spec.Union `by:"shape"`
	Number *int32     `variant:"number"`
	Text   *string    `variant:"text"`
}

// Offer is one word to put in.
type Offer struct {
	Word string `json:"word"`
	Kind Kind   `json:"kind,omitzero"`
}

// Kind is what a word stands for.
type Kind uint32

// The kinds.
const (
	KindName  Kind = 1
	KindValue Kind = 12
)

// Offers are words, or a list that says whether there are more, as older lenses
// and newer ones answer.
type Offers struct {
	_    spec.Union  `by:"shape"`
	All  []Offer     `variant:"all"`
	Some *SomeOffers `variant:"some"`
}

type SomeOffers struct {
	More   bool    `json:"more"`
	Offers []Offer `json:"offers"`
}

// Remedy is what can be done about a remark: an order to the lens, or a fix.
type Remedy struct {
	_     spec.Union `by:"shape"`
	Order *Order     `variant:"order"`
	Fix   *Fix       `variant:"fix"`
}

type Order struct {
	Title string     `json:"title"`
	Order string     `json:"order"`
	With  []spec.Raw `json:"with,omitzero"`
}

// Fix is an edit, and an order to give after it.
type Fix struct {
	Title string `json:"title"`
	Edit  *Edit  `json:"edit,omitempty"`
	Order *Order `json:"order,omitempty"`
}

// Remedies are what can be done.
type Remedies []Remedy

// Edit is what changes, by text.
type Edit struct {
	Changes map[string][]Change `json:"changes"`
}

type Rename struct {
	URI   URI    `json:"uri"`
	Place Place  `json:"place"`
	Name  string `json:"name" length:"1.."`
	Token Token  `json:"token,omitzero"`
}

type Index struct {
	Root  URI   `json:"root"`
	Token Token `json:"token"`
}

type Progress struct {
	Token Token `json:"token"`
	Value Step  `json:"value"`
}

// Step is how far something is.
type Step struct {
	_      spec.Union  `tag:"kind"`
	Begin  *StepBegin  `variant:"begin"`
	Report *StepReport `variant:"report"`
	End    *StepEnd    `variant:"end"`
}

type StepBegin struct {
	Title string `json:"title"`
}

type StepReport struct {
	Percent *uint32 `json:"percent,omitempty" max:"100"`
}

type StepEnd struct{}

type Remarks struct {
	URI     URI      `json:"uri"`
	Remarks []Remark `json:"remarks"`
}

type Remark struct {
	Code    *Token  `json:"code,omitempty"`
	Grade   Grade   `json:"grade,omitzero"`
	Stretch Stretch `json:"stretch"`
	Text    string  `json:"text"`
}

var (
	ErrParams = &spec.Error[Wrong]{Kind: "wrong-params", Code: -32602, Retry: spec.Never, Fault: spec.ParamsFault}
	ErrEarly  = &spec.Error[spec.None]{Kind: "early", Code: -32002, Retry: spec.After}
	ErrLost   = &spec.Error[spec.None]{Kind: "lost", Code: 0, Retry: spec.Never, Fault: spec.ConnectionFault, At: spec.Client}

	TellsAbout  = &spec.Capability{Name: "about", Of: spec.Server}
	CanApply    = &spec.Capability{Name: "apply", Of: spec.Client}
	CanSettings = &spec.Capability{Name: "settings", Of: spec.Client}
	CanChoose   = &spec.Capability{Name: "choose", Of: spec.Client}
	NoteOpened  = &spec.Notification[TextOpened]{Name: "text/opened", From: spec.Client}
	NoteChanged = &spec.Notification[TextChanged]{Name: "text/changed", From: spec.Client}
	NoteClosed  = &spec.Notification[TextClosed]{Name: "text/closed", From: spec.Client}
	NoteReady   = &spec.Notification[spec.None]{Name: "ready", From: spec.Client}
	NoteExit    = &spec.Notification[spec.None]{Name: "exit", From: spec.Client}
	CanProgress = &spec.Capability{Name: "progress", Of: spec.Client}

	NoteProgress = &spec.Notification[Progress]{
		Name: "$/progress", From: spec.Server, Needs: CanProgress,
		Examples: spec.List(spec.Shown("half", Progress{Token: Token{Number: new(int32(7))}, Value: Step{Report: &StepReport{Percent: new(uint32(50))}}})),
	}
	Indexing = &spec.Activity[Token]{
		Name:     "indexing",
		Ends:     spec.On(NoteProgress, spec.Variant(func(p *Progress) any { return &p.Value.End }), spec.Key(token)),
		Outcomes: []*spec.Outcome{{Name: "over", Other: true, OK: true}, {Name: "lost", Lost: true}},
		Carries:  spec.List(spec.Bears(NoteProgress, token)),
	}

	// The editor tells of its own work in the same way.
	NoteOwnProgress = &spec.Notification[Progress]{
		Name: "$/progress", GoName: "Working", From: spec.Client,
		Examples: spec.List(spec.Shown("over", Progress{Token: Token{Text: new("t")}, Value: Step{End: &StepEnd{}}})),
	}
	NoteRemarks = &spec.Notification[Remarks]{Name: "text/remarks", From: spec.Server}
)

type Wrong struct {
	Path string `json:"path"`
}

func token(p *Progress) *Token { return &p.Token }

var (
	Open = &spec.Method[Opening, Opened]{
		Name: "open", From: spec.Client, Before: true, Accepts: spec.Done, Runs: spec.Serial, Repeats: spec.Unsafe[Opening](),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[Opened]())),
		Fails:   spec.Errors(ErrParams),
	}

	TellAbout = &spec.Method[At, spec.Nullable[About]]{
		Name: "text/about", From: spec.Client, Needs: TellsAbout, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.ReadOnly[At](),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[spec.Nullable[About]]())),
		Fails:   spec.Errors(ErrParams),
		Examples: spec.List(
			spec.Ex("something", At{URI: "a", Place: Place{Line: 1}}, spec.Some(About{Text: "a word"})),
			spec.Ex("nothing", At{URI: "a", Place: Place{Line: 9}}, spec.Null[About]()),
		),
	}

	Find = &spec.Method[At, spec.Nullable[Spots]]{
		Name: "text/find", From: spec.Client, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.ReadOnly[At](),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[spec.Nullable[Spots]]())),
		Fails:   spec.Errors(ErrParams),
		Examples: spec.List(
			spec.Ex("one", At{URI: "a"}, spec.Some(Spots{{URI: "b"}})),
			spec.Ex("it is no name", At{URI: "a"}, spec.Nullable[Spots]{}),
		),
	}

	Complete = &spec.Method[At, spec.Nullable[Offers]]{
		Name: "text/complete", From: spec.Client, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.ReadOnly[At](),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[spec.Nullable[Offers]]())),
		Fails:   spec.Errors(ErrParams),
		Examples: spec.List(
			spec.Ex("all", At{URI: "a"}, spec.Some(Offers{All: []Offer{{Word: "if"}}})),
			spec.Ex("some", At{URI: "a"}, spec.Some(Offers{Some: &SomeOffers{More: true, Offers: []Offer{}}})),
			spec.Ex("none", At{URI: "a"}, spec.Null[Offers]()),
		),
	}

	FindRemedies = &spec.Method[At, Remedies]{
		Name: "text/remedies", From: spec.Client, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.ReadOnly[At](),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[Remedies]())),
		Fails:   spec.Errors(ErrParams),
		Examples: spec.List(
			spec.Ex("both", At{URI: "a"}, Remedies{{Order: &Order{Title: "tidy", Order: "tidy"}}, {Fix: &Fix{Title: "a", Order: &Order{Title: "b", Order: "c"}}}}),
		),
	}

	RenameAll = &spec.Method[Rename, spec.Nullable[Edit]]{
		Name: "text/rename", From: spec.Client, Accepts: spec.Done, Runs: spec.Serial, Repeats: spec.ReadOnly[Rename](),
		Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[spec.Nullable[Edit]]())),
		Fails:    spec.Errors(ErrParams),
		Examples: spec.List(spec.Ex("nothing to do", Rename{URI: "a", Name: "b", Token: Token{Text: new("t")}}, spec.Null[Edit]())),
	}

	// What it begins is known by a token of its caller's: a number or a text.
	IndexAll = &spec.Method[Index, spec.None]{
		Name: "index", From: spec.Client, Accepts: spec.Admitted, Runs: spec.Shared, Repeats: spec.Unsafe[Index](), Deferred: true,
		Settles:  spec.Cases(spec.Otherwise(spec.EndChosen[spec.None](Indexing, func(p *Index) *Token { return &p.Token }))),
		Fails:    spec.Errors(ErrParams),
		Examples: spec.List(spec.Ex("all", Index{Root: "a", Token: Token{Number: new(int32(1))}}, spec.None{})),
	}

	CountAll = &spec.Method[TextClosed, Count]{
		Name: "text/count", From: spec.Client, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.ReadOnly[TextClosed](),
		Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[Count]())),
		Fails:    spec.Errors(ErrParams),
		Examples: spec.List(spec.Ex("three", TextClosed{URI: "a"}, Count(3))),
	}

	GradeOf = &spec.Method[TextClosed, spec.Nullable[Grade]]{
		Name: "text/grade", From: spec.Client, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.ReadOnly[TextClosed](),
		Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[spec.Nullable[Grade]]())),
		Fails:    spec.Errors(ErrParams),
		Examples: spec.List(spec.Ex("a hint", TextClosed{URI: "a"}, spec.Some(GradeHint))),
	}

	MarksOf = &spec.Method[TextClosed, Marks]{
		Name: "text/marks", From: spec.Client, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.ReadOnly[TextClosed](), Deferred: true,
		Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[Marks]())),
		Fails:    spec.Errors(ErrParams),
		Examples: spec.List(spec.Ex("one", TextClosed{URI: "a"}, Marks{"top": "A"})),
	}

	AskApply = &spec.Method[Apply, Applied]{
		Name: "edit/apply", From: spec.Server, Needs: CanApply, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.Unsafe[Apply](),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[Applied]())), AbsentAs: &Applied{},
	}

	AskSettings = &spec.Method[Setting, Settings]{
		Name: "settings/get", From: spec.Server, Needs: CanSettings, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.ReadOnly[Setting](),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[Settings]())), AbsentAs: &Settings{"default"},
		Examples: spec.List(spec.Ex("one", Setting{Keys: []string{"tab"}}, Settings{"4"})),
	}

	AskChoice = &spec.Method[Question, spec.Nullable[Chosen]]{
		Name: "window/ask", From: spec.Server, Needs: CanChoose, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.Unsafe[Question](),
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[spec.Nullable[Chosen]]())), AbsentAs: &spec.Nullable[Chosen]{},
		Examples: spec.List(
			spec.Ex("yes", Question{Grade: GradeHint, Text: "?", Choices: []string{"yes"}}, spec.Some(Chosen{Choice: "yes"})),
			spec.Ex("dismissed", Question{Grade: 3, Text: "?", Choices: []string{}}, spec.Null[Chosen]()),
		),
	}

	Ping = &spec.Method[spec.None, spec.None]{
		Name: "ping", From: spec.Client, Before: true, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.ReadOnly[spec.None](),
		Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[spec.None]())),
		Examples: spec.List(spec.Ex("are you there", spec.None{}, spec.None{})),
	}

	PingBack = &spec.Method[spec.None, Pong]{
		Name: "ping", From: spec.Server, Accepts: spec.Done, Runs: spec.Shared, Repeats: spec.ReadOnly[spec.None](),
		Settles:  spec.Cases(spec.Otherwise(spec.AtResponse[Pong]())),
		Examples: spec.List(spec.Ex("are you there", spec.None{}, Pong{Busy: true})),
	}

	Quit = &spec.Method[spec.None, spec.None]{
		Name: "close", From: spec.Client, Accepts: spec.Done, Runs: spec.Serial, Repeats: spec.Idempotent[spec.None](), Shutdown: true,
		Settles: spec.Cases(spec.Otherwise(spec.AtResponse[spec.None]())),
	}

	Negotiation = &spec.Negotiation[Opening, Opened]{
		Method: Open, Before: ErrEarly,
		Offers:    func(p *Opening) any { return &p.Can },
		Announces: func(r *Opened) any { return &r.Serves },
	}

	Lens = &spec.Protocol{
		Name: "lens", Server: "lens", Unknown: spec.Keep, Negotiation: Negotiation,
		Errors:        spec.Errors(ErrParams, ErrEarly, ErrLost),
		Capabilities:  spec.List(TellsAbout, CanApply, CanSettings, CanChoose, CanProgress),
		Notifications: spec.Notifications(NoteReady, NoteExit, NoteOpened, NoteChanged, NoteClosed, NoteRemarks, NoteProgress, NoteOwnProgress),
		Activities:    spec.Activities(Indexing),
		Methods:       spec.Methods(Open, IndexAll, TellAbout, Find, Complete, FindRemedies, RenameAll, CountAll, GradeOf, MarksOf, AskApply, AskSettings, AskChoice, Ping, PingBack, Quit),
	}
)
