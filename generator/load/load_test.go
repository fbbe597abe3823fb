// SPDX-License-Identifier: Apache-2.0

package load_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/goproxytest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/spec/model"
)

// queue loads the job queue once for all tests that only look at it.
var queue = sync.OnceValues(func() (*model.Protocol, error) {
	s, err := load.Open(context(), "./testdata/queue", load.Options{NoCache: true})
	if err != nil {
		return nil, err
	}
	if len(s.Problems) > 0 {
		return nil, errorString(s.Problems.String())
	}
	return s.Model, nil
})

func loadQueue(t *testing.T) *model.Protocol {
	t.Helper()
	m, err := queue()
	require.NoError(t, err)
	return m
}

func typeNamed(t *testing.T, m *model.Protocol, name string) *model.Type {
	t.Helper()
	i := slices.IndexFunc(m.Types, func(x *model.Type) bool { return x.Name == name })
	require.GreaterOrEqual(t, i, 0, "type %s", name)
	return m.Types[i]
}

func TestPositionsAndTexts(t *testing.T) {
	m := loadQueue(t)
	assert.Equal(t, "github.com/accordkit/accord/generator/load/testdata/queue", m.Package)
	assert.Equal(t, model.Text{EN: "Protocol is the job queue.", ZH: "任务队列。"}, m.Doc)
	submit := m.Methods[0]
	line := lineOf(t, "testdata/queue/protocol.go", "var Submit =")
	assert.Equal(t, model.Pos{File: "protocol.go", Line: line, Col: 5}, submit.Pos)
	assert.Equal(t, model.Pos{File: "protocol.go", Line: lineOf(t, "testdata/queue/protocol.go", `spec.Ex("first",`), Col: 22}, submit.Examples[0].Pos)
	// An element of a list has the comment above it.
	assert.Equal(t, model.Text{EN: "It worked.", ZH: "成功。"}, m.Activities[0].Outcomes[0].Doc)
	assert.Equal(t, model.Text{EN: "A line is this long at most.", ZH: "一行的最大长度。"}, m.Limits[0].Doc)
	// Chinese lines are joined without a space.
	params := typeNamed(t, m, "SubmitParams")
	assert.Equal(t, "所指的队列，必须存在。", params.Fields[0].Doc.ZH)
	// A line in a step function is the cell's place.
	machine := m.Machines[0]
	cell := machine.Cells[0]
	assert.Equal(t, model.Pos{File: "protocol.go", Line: lineOf(t, "testdata/queue/protocol.go", `return spec.Says("state=waiting"`), Col: 2}, machine.At(cell))
	done := machine.Moves[1]
	assert.Equal(t, model.Text{EN: "A job is done.", ZH: "任务完成。"}, done.Doc)
	assert.Equal(t, lineOf(t, "testdata/queue/protocol.go", `spec.Event("done"`), done.Pos.Line)
}

func lineOf(t *testing.T, path, text string) int {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	before, _, ok := strings.Cut(string(data), text)
	require.True(t, ok, text)
	return 1 + strings.Count(before, "\n")
}

func TestPayloads(t *testing.T) {
	m := loadQueue(t)
	var names []string
	for _, x := range m.Types {
		names = append(names, x.Name+" "+x.Kind)
	}
	assert.Equal(t, []string{
		"JobID named", "QueueID named", "State enum", "SubmitParams struct", "Step union", "RunStep struct", "WaitStep struct",
		"PageJob struct", "Job struct", "ListParams struct", "Event union", "Started struct", "Ended struct", "EventParams struct",
	}, names, "in source order, instances where they are declared")

	state := typeNamed(t, m, "State")
	require.Len(t, state.Enum.Values, 2)
	assert.Equal(t, "waiting", state.Enum.Values[0].Wire)
	assert.Equal(t, model.Text{EN: "Running jobs have.", ZH: "运行中。"}, state.Enum.Values[1].Doc)

	byWire := map[string]*model.Field{}
	for _, f := range typeNamed(t, m, "SubmitParams").Fields {
		byWire[f.Wire] = f
	}
	presence := map[string]string{}
	for wire, f := range byWire {
		presence[wire] = f.Presence
	}
	assert.Equal(t, map[string]string{
		"queue": model.Required, "key": model.Optional, "work": model.Required, "priority": model.OmitZero, "note": model.Nullable, "labels": model.Optional,
	}, presence)
	assert.Equal(t, 255, *byWire["key"].MaxLength)
	assert.Equal(t, int64(9), *byWire["priority"].Max)
	assert.Equal(t, &model.Default{Value: "0"}, byWire["priority"].Default)
	assert.True(t, typeNamed(t, m, "Job").Fields[2].Type.Wide)

	event := typeNamed(t, m, "Event")
	assert.Equal(t, "data", event.Union.Content)
	assert.Equal(t, "2", event.Union.Variants[1].Since)
}

func TestSemantics(t *testing.T) {
	m := loadQueue(t)
	work := m.Activities[0]
	assert.Equal(t, &model.Frame{Notification: "queue.event", Path: "event.job/ended", Variant: "job/ended", Key: "event.job/ended.job"}, work.Ends)
	assert.Equal(t, "event.job/ended.ok", work.Tells)
	assert.Equal(t, []model.Carry{{Activity: "job", Key: "event.job/started.job"}}, m.Notifications[0].Carry)
	submit := m.Methods[0]
	assert.Equal(t, &model.Within{Scope: "queue", Key: "queue"}, submit.In, "a promoted member has no prefix")
	require.Len(t, submit.Settles, 1)
	assert.Equal(t, []model.Way{{How: model.ByEnd, Activity: "job", Key: "id"}}, submit.Settles[0].By)
	assert.Equal(t, model.Pos{File: "protocol.go", Line: lineOf(t, "testdata/queue/protocol.go", "spec.EndOf("), Col: 3}, submit.Settles[0].Pos)
	assert.Equal(t, "QueueSubmit", submit.GoName)
	assert.Equal(t, []string{"work"}, submit.Repeats.Fingerprint)
	assert.Equal(t, &model.Pages{Cursor: "cursor", Next: "next", Items: "items"}, m.Methods[1].Pages)
}

func TestExamples(t *testing.T) {
	m := loadQueue(t)
	ex := m.Methods[0].Examples[0]
	// An empty optional list is written, an absent one is not.
	assert.Equal(t, `{"queue":"q","key":"k","work":[{"kind":"run","argv":["ls"],"then":[]}]}`, ex.Params)
	assert.Equal(t, `{"id":"j","state":"waiting","size":"1152921504606846976"}`, ex.Result)
	assert.Equal(t, `{"queue":"q","event":{"type":"job/ended","seq":3,"data":{"job":"j","ok":true}}}`, m.Notifications[0].Ex[0].Params)
	assert.Equal(t, `{"items":[]}`, m.Methods[1].Examples[0].Result, "a required list is never null")
}

func TestMachine(t *testing.T) {
	m := loadQueue(t).Machines[0]
	assert.Equal(t, []string{"open", "free"}, m.Start)
	assert.Equal(t, [][]string{{"open", "free"}, {"open", "full"}}, m.States)
	assert.Equal(t, model.Counts{States: 4, Cells: 8, Reached: 4, Possible: 4}, m.Counts)
	require.Len(t, m.Cells, 4, "two moves over two states")
	assert.Equal(t, "full", m.Cells[1].Fails)
	assert.Equal(t, []int{0, 1}, m.Cells[0].Next)
	assert.Equal(t, []model.Track{{Activity: "job", Reading: model.Reading{Dim: 1, Values: []string{"full"}}}}, m.Tracks)
}

func TestSameBytesEverywhere(t *testing.T) {
	encode := func(o load.Options, pattern string) string {
		o.NoCache = true
		m, _, err := load.Load(t.Context(), pattern, o)
		require.NoError(t, err)
		data, err := json.Marshal(m)
		require.NoError(t, err)
		return string(data)
	}
	want := encode(load.Options{}, "./testdata/queue")
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	env := append(os.Environ(), "TZ=Asia/Shanghai", "LANG=zh_CN.UTF-8", "GOMAXPROCS=1", "GOOS=plan9", "GOFLAGS=-trimpath")
	got := encode(load.Options{Dir: "testdata", Env: env}, "github.com/accordkit/accord/generator/load/testdata/queue")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

const tiny = `package p

import "github.com/accordkit/accord/spec"

// P is a protocol.
//
// zh: 协议。
var P = &spec.Protocol{Name: "p", Unknown: spec.Keep}
`

func TestCache(t *testing.T) {
	dir := module(t, txtar.File{Name: "p.go", Data: []byte(tiny)})
	cache := t.TempDir()
	open := func() *load.Spec {
		s, err := load.Open(t.Context(), ".", load.Options{Dir: dir, CacheDir: cache})
		require.NoError(t, err)
		require.Empty(t, s.Problems)
		return s
	}
	first := open()
	assert.False(t, first.Cached)
	second := open()
	assert.True(t, second.Cached)
	if diff := cmp.Diff(first.Model, second.Model); diff != "" {
		t.Error(diff)
	}

	// A comment is an edit.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.go"), []byte(strings.Replace(tiny, "协议", "另一个协议", 1)), 0o644))
	third := open()
	assert.False(t, third.Cached)
	assert.Equal(t, "另一个协议。", third.Model.Doc.ZH)

	// So is one in a package that the spec stands on.
	entries, err := filepath.Glob(filepath.Join(cache, "models", "*", "*.json"))
	require.NoError(t, err)
	require.Len(t, entries, 2)
	for _, change := range []func([]byte) []byte{
		func([]byte) []byte { return nil },
		func(b []byte) []byte { return b[:len(b)/2] },
		func(b []byte) []byte {
			return []byte(strings.Replace(string(b), `另一个`, `第三个`, 1))
		},
		func([]byte) []byte { return []byte(`{"key":"","hash":"","spec":{}}`) },
	} {
		for _, e := range entries {
			data, err := os.ReadFile(e)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(e, change(data), 0o600))
		}
		s := open()
		assert.False(t, s.Cached, "a damaged entry is none")
		assert.Equal(t, "另一个协议。", s.Model.Doc.ZH)
	}
	// An entry under another's name is none either.
	require.Len(t, entries, 2)
	other, err := os.ReadFile(entries[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(entries[1], other, 0o600))
	assert.Equal(t, "另一个协议。", open().Model.Doc.ZH)
}

func TestCacheKnowsDependencies(t *testing.T) {
	dep := "package dep\n\nfunc Name() string { return inner() }\n\n//go:noinline\nfunc inner() string { return \"one\" }\n"
	dir := module(t,
		txtar.File{Name: "p/p.go", Data: []byte(strings.Replace(strings.Replace(tiny, `"p"`, `mid.Name()`, 1),
			"import ", "import \"example.org/p/mid\"\nimport ", 1))},
		txtar.File{Name: "mid/mid.go", Data: []byte("package mid\n\nimport \"example.org/p/dep\"\n\nfunc Name() string { return dep.Name() }\n")},
		txtar.File{Name: "dep/dep.go", Data: []byte(dep)},
	)
	cache := t.TempDir()
	open := func() string {
		s, err := load.Open(t.Context(), "./p", load.Options{Dir: dir, CacheDir: cache})
		require.NoError(t, err)
		require.Empty(t, s.Problems)
		return s.Model.Name
	}
	assert.Equal(t, "one", open())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "dep/dep.go"), []byte(strings.Replace(dep, "one", "two", 1)), 0o644))
	assert.Equal(t, "two", open())
}

func TestLeavesTheModuleAlone(t *testing.T) {
	dir := module(t, txtar.File{Name: "p.go", Data: []byte(tiny)}, txtar.File{Name: "tagged.go", Data: []byte("//go:build special\n\npackage p\n\nvar broken int = \"x\"\n")})
	before := snapshot(t, dir)
	env := append(os.Environ(), "GOFLAGS=-mod=mod")
	_, problems, err := load.Load(t.Context(), ".", load.Options{Dir: dir, Env: env, NoCache: true})
	require.NoError(t, err)
	assert.Empty(t, problems)
	assert.Equal(t, before, snapshot(t, dir))

	// Tags choose sources, so they stay.
	_, problems, err = load.Load(t.Context(), ".", load.Options{Dir: dir, Env: append(os.Environ(), "GOFLAGS=-tags=special"), NoCache: true})
	require.NoError(t, err)
	assert.Len(t, problems, 1)
}

func TestVendorAndWorkspace(t *testing.T) {
	dir := module(t, txtar.File{Name: "p.go", Data: []byte(tiny)})
	vendor := exec.Command("go", "mod", "vendor")
	vendor.Dir = dir
	out, err := vendor.CombinedOutput()
	require.NoError(t, err, string(out))
	m, problems, err := load.Load(t.Context(), ".", load.Options{Dir: dir, NoCache: true})
	require.NoError(t, err)
	assert.Empty(t, problems.String(), "with a vendor folder")
	assert.NotNil(t, m)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "vendor")))

	work := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(work, "go.work"), []byte("go 1.26.0\n\nuse "+dir+"\n"), 0o644))
	env := append(os.Environ(), "GOWORK="+filepath.Join(work, "go.work"))
	_, problems, err = load.Load(t.Context(), ".", load.Options{Dir: dir, Env: env, NoCache: true})
	require.NoError(t, err)
	assert.Empty(t, problems.String(), "in a workspace")
	require.NoError(t, os.WriteFile(filepath.Join(work, "go.work"), []byte("go 1.26.0\n"), 0o644))
	_, problems, err = load.Load(t.Context(), ".", load.Options{Dir: dir, Env: env, NoCache: true})
	require.Empty(t, problems)
	assert.EqualError(t, err, "there is no spec package .: its module is not in the workspace: `go work use` adds it, and GOWORK=off leaves the workspace out")
}

// A module has several names behind a symbolic link; a spec package is the same
// by each of them, and from any working directory.
func TestModuleBehindALink(t *testing.T) {
	real := module(t, txtar.File{Name: "spec/p.go", Data: []byte(tiny)})
	links := t.TempDir()
	link := filepath.Join(links, "link")
	require.NoError(t, os.Symlink(real, link))
	require.NoError(t, os.Symlink("spec", filepath.Join(real, "again")))
	for _, o := range []struct{ dir, name string }{
		{real, "./spec"},
		{link, "./spec"},
		{link, "spec"},
		{filepath.Join(link, "spec"), "."},
		{link, "./again"},
		{link, "example.org/p/spec"},
		{"/", filepath.Join(link, "spec")},
		{links, "link/spec"},
	} {
		m, problems, err := load.Load(t.Context(), o.name, load.Options{Dir: o.dir, NoCache: true})
		require.NoError(t, err, "%s in %s", o.name, o.dir)
		require.Empty(t, problems.String(), "%s in %s", o.name, o.dir)
		assert.Equal(t, "p", m.Name)
	}
}

// TestSpecInModuleCache loads a spec that no overlay reaches.
func TestSpecInModuleCache(t *testing.T) {
	mods := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(mods, "example.org_sp_v0.1.0.txt"), []byte(
		"-- .mod --\nmodule example.org/sp\n\ngo 1.26.0\n\nrequire github.com/accordkit/accord v0.0.0\n"+
			"-- .info --\n{\"Version\":\"v0.1.0\"}\n-- go.mod --\nmodule example.org/sp\n\ngo 1.26.0\n\nrequire github.com/accordkit/accord v0.0.0\n"+
			"-- p.go --\n"+tiny), 0o644))
	server, err := goproxytest.NewServer(mods, "")
	require.NoError(t, err)
	defer server.Close()

	dir := module(t, txtar.File{Name: "use.go", Data: []byte("package use\n\nimport _ \"example.org/sp\"\n")})
	env := append(os.Environ(), "GOPROXY="+server.URL, "GONOSUMDB=*", "GOFLAGS=-modcacherw", "GOMODCACHE="+t.TempDir())
	get := exec.Command("go", "get", "example.org/sp@v0.1.0")
	get.Dir, get.Env = dir, env
	out, err := get.CombinedOutput()
	require.NoError(t, err, string(out))
	m, problems, err := load.Load(t.Context(), "example.org/sp", load.Options{Dir: dir, Env: env, NoCache: true})
	require.NoError(t, err)
	require.Empty(t, problems.String())
	assert.Equal(t, model.Text{EN: "P is a protocol.", ZH: "协议。"}, m.Doc)
}

// TestChildIsEnded sees to it that what a spec package starts does not outlive
// the load or hold it up.
func TestChildIsEnded(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	start := `import (
	"os"
	"os/exec"
	"strconv"

	"github.com/accordkit/accord/spec"
)

func init() {
	c := exec.Command("/bin/sleep", "60")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if c.Start() == nil {
		_ = os.WriteFile(` + strconv.Quote(pid) + `, []byte(strconv.Itoa(c.Process.Pid)), 0o600)
	}
}
`
	text := strings.Replace(tiny, "import \"github.com/accordkit/accord/spec\"\n", start, 1)
	dir := module(t, txtar.File{Name: "p.go", Data: []byte(text)})
	_, problems, err := load.Load(t.Context(), ".", load.Options{Dir: dir, NoCache: true})
	require.NoError(t, err)
	require.Empty(t, problems)
	number, err := os.ReadFile(pid)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return !running(string(number)) }, patience, patience/100)
}

func TestTypesOfOtherPackages(t *testing.T) {
	dir := module(t,
		txtar.File{Name: "p/p.go", Data: []byte(`package p

import (
	"example.org/p/common"
	"github.com/accordkit/accord/spec"
)

// M is a method.
//
// zh: 方法。
var M = &spec.Method[common.Params, spec.None]{Name: "m", From: spec.Client}

// P is a protocol.
//
// zh: 协议。
var P = &spec.Protocol{Name: "p", Unknown: spec.Keep, Methods: spec.Methods(M)}
`)},
		txtar.File{Name: "common/common.go", Data: []byte(`package common

// Params are shared.
//
// zh: 共享的参数。
type Params struct {
	// Mode is how.
	//
	// zh: 方式。
	Mode Mode ` + "`json:\"mode\"`" + `
}

// Mode is a way.
//
// zh: 方式。
type Mode string

// Fast is fast.
//
// zh: 快。
const Fast Mode = "fast"
`)})
	m, problems, err := load.Load(t.Context(), "./p", load.Options{Dir: dir, NoCache: true})
	require.NoError(t, err)
	require.Empty(t, problems.String())
	require.Len(t, m.Types, 2)
	assert.Equal(t, model.Text{EN: "Params are shared.", ZH: "共享的参数。"}, m.Types[0].Doc)
	assert.Equal(t, model.Text{EN: "Mode is how.", ZH: "方式。"}, m.Types[0].Fields[0].Doc)
	assert.Equal(t, model.Pos{File: "../common/common.go", Line: 6, Col: 6}, m.Types[0].Pos)
	require.NotNil(t, m.Types[1].Enum)
	assert.Equal(t, model.Text{EN: "Fast is fast.", ZH: "快。"}, m.Types[1].Enum.Values[0].Doc)
}

// A type's width bounds a member, but not an enum: its constants do, and a peer may
// have more. What a tag says stands.
func TestBoundsOfIntegerEnums(t *testing.T) {
	dir := module(t, txtar.File{Name: "p/p.go", Data: []byte(`package p

import "github.com/accordkit/accord/spec"

// Level is how loud.
//
// zh: 音量。
type Level int8

// Low and High are levels.
const (
	// Low is quiet.
	//
	// zh: 轻。
	Low Level = 1
	// High is loud.
	//
	// zh: 响。
	High Level = 2
)

// Params are parameters.
//
// zh: 参数。
type Params struct {
	// Free is any.
	//
	// zh: 任意。
	Free Level ` + "`json:\"free\"`" + `
	// Held is bounded.
	//
	// zh: 有界。
	Held Level ` + "`json:\"held\" max:\"9\"`" + `
	// Plain is a number.
	//
	// zh: 数。
	Plain int8 ` + "`json:\"plain\"`" + `
}

// M is a method.
//
// zh: 方法。
var M = &spec.Method[Params, spec.None]{Name: "m", From: spec.Client}

// P is a protocol.
//
// zh: 协议。
var P = &spec.Protocol{Name: "p", Unknown: spec.Keep, Methods: spec.Methods(M)}
`)})
	m, problems, err := load.Load(t.Context(), "./p", load.Options{Dir: dir, NoCache: true})
	require.NoError(t, err)
	require.Empty(t, problems.String())
	fields := typeNamed(t, m, "Params").Fields
	bounds := func(f *model.Field) []any { return []any{f.Min, f.Max} }
	low, high, nine := int64(-128), int64(127), int64(9)
	assert.Equal(t, []any{(*int64)(nil), (*int64)(nil)}, bounds(fields[0]))
	assert.Equal(t, []any{(*int64)(nil), &nine}, bounds(fields[1]))
	assert.Equal(t, []any{&low, &high}, bounds(fields[2]))
}

// Whatever names no spec package is refused by its own name, in words that are not
// the go command's.
func TestNoSuchPackage(t *testing.T) {
	dir := module(t, txtar.File{Name: "p.go", Data: []byte(tiny)}, txtar.File{Name: "docs/text", Data: []byte("text")},
		txtar.File{Name: "other/p.go", Data: []byte("//go:build plan9\n\n" + tiny)})
	outside := t.TempDir()
	for name, want := range map[string]string{
		"p.go":          "p.go is a file: name the folder of a spec package, or its import path",
		"./nowhere":     "there is no folder ./nowhere",
		"./...":         "./... is a pattern: name one spec package",
		"nowhere":       "there is no spec package nowhere: no folder has this name, and no module that is required here has such a package",
		"example.org/x": "there is no spec package example.org/x: no folder has this name, and no module that is required here has such a package",
		"docs":          "there is no spec package docs: it has no Go files",
		"other":         "there is no spec package other: build constraints exclude all of its Go files",
		outside:         "there is no spec package " + outside + ": the folder is in no module: `go mod init` begins one",
	} {
		_, _, err := load.Load(t.Context(), name, load.Options{Dir: dir, NoCache: true})
		assert.EqualError(t, err, want)
	}
}
