// SPDX-License-Identifier: Apache-2.0

// Package synthetic writes the source of protocols of any size, to measure and
// to test the generator with. It must never be part of a command.
package synthetic

import (
	"fmt"
	"strings"
)

// Package is the name of the spec package that Files writes, and of its
// protocol.
const Package = "synthetic"

// methodsPerFile is how many methods stand in one file with their types, about
// as many as people put there.
const methodsPerFile = 25

// methodsPerScope is how many methods share a scope.
const methodsPerScope = 100

// Files is the source of a spec package with n methods, by name: one enum, two
// structs and examples a method, and every kind of method that is common. It
// has settings for a runtime and a client in a module of that path, for schemas,
// vectors, and pages in both languages.
func Files(n int, modulePath string) map[string]string {
	files := map[string]string{"protocol.go": protocol(n), "accord.json": settings(modulePath)}
	for first := 0; first < n; first += methodsPerFile {
		var b strings.Builder
		fmt.Fprintf(&b, "package %s\n\nimport \"github.com/accordkit/accord/spec\"\n", Package)
		for i := first; i < min(first+methodsPerFile, n); i++ {
			b.WriteString(method(i))
		}
		files[fmt.Sprintf("part%03d.go", first/methodsPerFile)] = b.String()
	}
	return files
}

// kind is what a method is like.
type kind struct{ verb, words string }

// kindOf goes round the kinds; the tenth method begins work that
// outlives its call.
func kindOf(i int) kind {
	if i == 9 {
		return run
	}
	return kinds[i%len(kinds)]
}

var kinds = []kind{
	{"get", `
	Accepts: spec.Done,
	Settles: spec.Cases(spec.Otherwise(spec.AtResponse[NAMEResult]())),
	Repeats: spec.ReadOnly[NAMEParams](),
	Runs:    spec.Shared,
	Fails:   spec.Errors(ErrParams),
	Fences:  spec.List(spec.Fence[NAMEParams]{
		Member: func(p *NAMEParams) any { return &p.Rev },
		Stale:  spec.Is(func(r *NAMEResult) any { return &r.State }, NAMEStateClosed),
	}),`},
	{"set", `
	Accepts: spec.Done,
	Settles: spec.Cases(spec.Otherwise(spec.AtResponse[NAMEResult]())),
	Repeats: spec.Idempotent[NAMEParams](),
	Runs:    spec.Serial,
	Fails:   spec.Errors(ErrParams, ErrMissing),`},
	{"add", `
	Accepts: spec.Durable,
	Settles: spec.Cases(spec.Otherwise(spec.AtResponse[NAMEResult]())),
	Repeats: spec.Keyed[NAMEParams, NAMEResult]{
		By:    func(p *NAMEParams) any { return &p.Key },
		Scope: SCOPE, Window: "life of the room",
		Fingerprint: spec.List[spec.Member[NAMEParams]](
			func(p *NAMEParams) any { return &p.Text },
			func(p *NAMEParams) any { return &p.Count },
		),
		Conflict: ErrConflict,
		Absent:   "each call is new",
		Marker:   func(r *NAMEResult) any { return &r.Again },
	},
	Runs:  spec.Serial,
	Fails: spec.Errors(ErrParams, ErrConflict),`},
}

var run = kind{"run", `
	Accepts:  spec.Admitted,
	Deferred: true,
	Settles: spec.Cases(
		spec.When(spec.Is(func(r *NAMEResult) any { return &r.State }, NAMEStateClosed), spec.AtResponse[NAMEResult]()),
		spec.Otherwise(spec.EndChosen[NAMEResult](NAMEWork, func(p *NAMEParams) *NAMEID { return &p.Work })),
	),
	Repeats: spec.Unsafe[NAMEParams](),
	Runs:    spec.Serial,
	Fails:   spec.Errors(ErrParams, ErrMissing),`}

// room is a scope.
const room = `
// SCOPEID names a room.
//
// zh: 房间的名称。
type SCOPEID string

// SCOPE is where things are.
//
// zh: 事物所在之处。
var SCOPE = &spec.Scope[SCOPEID]{Name: "SCOPE"}
`

// begun is what a method of the kind run begins.
const begun = `
// NAMEOver says that the work of NAME is over.
//
// zh: 表示 NAME 的工作已结束。
type NAMEOver struct {
	// The room.
	//
	// zh: 房间。
	Room SCOPEID TICKjson:"room"TICK

	// The work.
	//
	// zh: 工作。
	Work NAMEID TICKjson:"work"TICK

	// It went well.
	//
	// zh: 顺利完成。
	Well bool TICKjson:"well"TICK
}

// NAMEEnded says that the work of NAME is over.
//
// zh: 表示 NAME 的工作已结束。
var NAMEEnded = &spec.Notification[NAMEOver]{
	Name: "WIRE/over", From: spec.Server,
	In:       spec.In(SCOPE, func(p *NAMEOver) *SCOPEID { return &p.Room }),
	Examples: spec.List(spec.Shown("well", NAMEOver{Room: "r1", Work: "w1", Well: true})),
}

// NAMEWork is the work that continues after NAME is answered.
//
// zh: NAME 应答之后继续进行的工作。
var NAMEWork = &spec.Activity[NAMEID]{
	Name: "work NUMBER", In: SCOPE,
	Ends: spec.On(NAMEEnded, spec.Key(func(p *NAMEOver) *NAMEID { return &p.Work })),
	Outcomes: []*spec.Outcome{
		// It went well.
		//
		// zh: 顺利完成。
		{Name: "well", When: spec.True(func(p *NAMEOver) any { return &p.Well }), OK: true},

		// It did not.
		//
		// zh: 未顺利完成。
		{Name: "failed", Other: true},

		// No caller learned of its end.
		//
		// zh: 未收到其结束。
		{Name: "gone", Lost: true},
	},
}
`

// name is the variable of method i.
func name(i int) string {
	verb := kindOf(i).verb
	return fmt.Sprintf("%s%04d", strings.ToUpper(verb[:1])+verb[1:], i)
}

// scope is the variable of its scope.
func scope(i int) string { return fmt.Sprintf("Room%02d", i/methodsPerScope) }

func method(i int) string {
	k, name := kindOf(i), name(i)
	more := ""
	if k == run {
		more = begun
	}
	if i%methodsPerScope == 0 {
		more += room
	}
	return strings.NewReplacer("NAME", name, "SCOPE", scope(i), "TICK", "`", "WIRE", fmt.Sprintf("part%d/%s", i/methodsPerFile, strings.ToLower(name)), "NUMBER", fmt.Sprint(i)).Replace(`
// NAMEID names the work of NAME.
//
// zh: NAME 的工作的名称。
type NAMEID string

// NAMEState is what becomes of thing NUMBER.
//
// zh: 事物 NUMBER 的状态。
type NAMEState string

// The values of NAMEState.
const (
	// It is open, and takes more.
	//
	// zh: 开放，可继续接收。
	NAMEStateOpen NAMEState = "open"

	// It is closed.
	//
	// zh: 已关闭。
	NAMEStateClosed NAMEState = "closed"
)

// NAMEParams is what NAME takes.
//
// zh: NAME 的参数。
type NAMEParams struct {
	// The room that it is about.
	//
	// zh: 所涉及的房间。
	Room SCOPEID ` + "`json:\"room\"`" + `

	// The work that it begins, if any.
	//
	// zh: 所开始的工作（如有）。
	Work NAMEID ` + "`json:\"work\"`" + `

	// A key by which the call may be repeated.
	//
	// zh: 用于重复调用的键。
	Key *string ` + "`json:\"key,omitempty\" length:\"1..255\"`" + `

	// The revision that the caller has seen.
	//
	// zh: 调用者所见的修订号。
	Rev *int64 ` + "`json:\"rev,omitempty\" min:\"0\"`" + `

	// Any text.
	//
	// zh: 任意文本。
	Text string ` + "`json:\"text\" length:\"..65536\"`" + `

	// How often.
	//
	// zh: 次数。
	Count int64 ` + "`json:\"count\" min:\"1\" max:\"64\"`" + `

	// Names to go with it.
	//
	// zh: 附带的名称。
	Labels []string ` + "`json:\"labels,omitzero\" length:\"..16\"`" + `
}

// NAMEResult is what NAME gives.
//
// zh: NAME 的结果。
type NAMEResult struct {
	// What became of it.
	//
	// zh: 其结果状态。
	State NAMEState ` + "`json:\"state\"`" + `

	// The call was a repetition.
	//
	// zh: 该调用为重复调用。
	Again bool ` + "`json:\"again,omitzero\"`" + `

	// The parts that it has.
	//
	// zh: 其各部分。
	Parts []Part ` + "`json:\"parts\"`" + `
}

// NAME does the work of thing NUMBER, and says what became of it.
//
// zh: 执行事物 NUMBER 的工作，并报告结果。
var NAME = &spec.Method[NAMEParams, NAMEResult]{
	Name: "WIRE",
	From: spec.Client,
	In:   spec.In(SCOPE, func(p *NAMEParams) *SCOPEID { return &p.Room }),` + k.words + `
	Examples: spec.List(
		spec.Ex("the first of NAME", NAMEParams{Room: "r1", Work: "w1", Text: "hello", Count: 1}, NAMEResult{State: NAMEStateOpen, Parts: []Part{{Text: "hello", Size: 5}}}),
		spec.Refused("a wrong one", NAMEParams{Room: "r1", Work: "w1", Text: "hello", Count: 2}, ErrParams),
	),
}
` + more)
}

func protocol(n int) string {
	var methods, scopes, notes, works strings.Builder
	for i := range n {
		fmt.Fprintf(&methods, "\t\t%s,\n", name(i))
		if i%methodsPerScope == 0 {
			fmt.Fprintf(&scopes, "\t\t%s,\n", scope(i))
		}
		if kindOf(i) == run {
			fmt.Fprintf(&notes, "\t\t%sEnded,\n", name(i))
			fmt.Fprintf(&works, "\t\t%sWork,\n", name(i))
		}
	}
	return strings.NewReplacer("PACKAGE", Package, "METHODS", methods.String(), "SCOPES", scopes.String(), "NOTES", notes.String(), "WORKS", works.String()).Replace(`// Package PACKAGE declares a protocol of any size.
//
// zh: PACKAGE 声明一个任意规模的协议。
package PACKAGE

import "github.com/accordkit/accord/spec"

// Part is a part of a thing.
//
// zh: 事物的一部分。
type Part struct {
	// Its text.
	//
	// zh: 其文本。
	Text string ` + "`json:\"text\"`" + `

	// Its size.
	//
	// zh: 其大小。
	Size int64 ` + "`json:\"size\" min:\"0\"`" + `
}

// ErrParams refuses params.
//
// zh: 参数被拒绝。
var ErrParams = &spec.Error[spec.None]{Kind: "invalid-params", Code: -32602, Retry: spec.Never, Fault: spec.ParamsFault}

// ErrMissing says that there is no such thing.
//
// zh: 没有此事物。
var ErrMissing = &spec.Error[spec.None]{Kind: "missing", Code: -32010, Retry: spec.Never}

// ErrConflict says that the key stands for another call.
//
// zh: 该键代表另一次调用。
var ErrConflict = &spec.Error[spec.None]{Kind: "conflict", Code: -32011, Retry: spec.Never}

// Protocol is the whole of it.
//
// zh: 协议整体。
var Protocol = &spec.Protocol{
	Name:          "PACKAGE",
	Unknown:       spec.Keep,
	Errors:        spec.Errors(ErrParams, ErrMissing, ErrConflict),
	Scopes: spec.Scopes(
SCOPES	),
	Notifications: spec.Notifications(
NOTES	),
	Activities: spec.Activities(
WORKS	),
	Methods: spec.Methods(
METHODS	),
}
`)
}

func settings(modulePath string) string {
	return strings.NewReplacer("MODULE", modulePath, "PACKAGE", Package).Replace(`{
  "emit": [
    {"target": "go", "dir": "../PACKAGE"},
    {"target": "go-server", "dir": "../PACKAGE/PACKAGEserver", "package": "MODULE/PACKAGE"},
    {"target": "go-client", "dir": "../PACKAGEclient", "package": "MODULE/PACKAGE"},
    {"target": "go-tests", "dir": "../PACKAGE"},
    {"target": "vectors", "file": "../PACKAGE/testdata/vectors.json"},
    {"target": "json-schema", "file": "../docs/schema.json"},
    {"target": "openrpc", "file": "../docs/openrpc.json"},
    {"target": "reference", "file": "../docs/reference.md", "lang": "en", "other": "reference.zh.md"},
    {"target": "reference", "file": "../docs/reference.zh.md", "lang": "zh", "other": "reference.md"}
  ]
}
`)
}
