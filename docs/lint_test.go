// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/check"
	"github.com/accordkit/accord/generator/check/proof"
	"github.com/accordkit/accord/generator/check/translation"
	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

// edit is a change to one of the examples of the language page.
type edit struct{ file, old, now string }

// broken shows one rule: what must be changed in the kitchen to break it. First
// are changes that break nothing, whose texts are confirmed.
type broken struct {
	rule  string
	first []edit
	edits []edit
	proof bool   // of a machine: the edits are all of its own
	about string // part of the message, where the rule finds more than one thing
}

const (
	seat    = "var Seat = &spec.Scope[SeatID]{Name: \"seat\", Parent: Table}\n"
	watch   = "var CanWatch = &spec.Capability{Name: \"table.watch\", Of: spec.Server}\n"
	answers = "var AnswersQuestions = &spec.Capability{Name: \"questions\", Of: spec.Client}\n"
	hot     = "var RuleHot = &spec.Rule{ID: \"hot\"}\n"
)

// breaks has an example of each rule: first those of lint, which are all broken
// at once, then those that are proven, each of a machine of its own.
var breaks = []broken{
	{rule: "missing-english", about: "scope seat", edits: []edit{{"scopes", seat, "// zh: 餐桌旁的一个座位。\n" + seat}}},
	{rule: "missing-chinese", about: "table.watch", edits: []edit{{"scopes", watch, "// CanWatch is the promise to serve table/watch.\n" + watch}}},
	{
		rule:  "stale-pair",
		first: []edit{{"limits", hot, "// A dish is served hot.\n//\n// zh: 菜品须趁热上桌。\n" + hot}},
		edits: []edit{{"limits", "// A dish is served hot.\n", "// A dish is served hot, or on ice.\n"}},
	},
	{rule: "pair-values", about: "questions", edits: []edit{{"scopes", answers, "// AnswersQuestions is the promise to answer up to 12 questions.\n//\n// zh: 承诺回答至多 10 个问题。\n" + answers}}},
	{rule: "hole", edits: []edit{{"order", "	Runs:  spec.Serial,\n", ""}}},
	{rule: "unsettled", edits: []edit{{"reading", "	Settles: spec.Cases(spec.Otherwise(spec.AtResponse[MenuResult]())),\n", ""}}},
	{rule: "activity-hole", edits: []edit{{"frames", "		spec.Variant(func(p *EventParams) any { return &p.Event.Ended }),\n		spec.Key(func(p *EventParams) *DishID { return &p.Event.Ended.Dish }))", "		spec.Variant(func(p *EventParams) any { return &p.Event.Ended }))"}}},
	{rule: "outcome-hole", edits: []edit{{"activities", "		DishOther,\n", ""}, {"activities", "var DishOther = &spec.Outcome{Name: \"other\", Other: true}\n", ""}}},
	{rule: "keyed-absent", edits: []edit{{"order", "		Absent:      \"each call is new\",\n", ""}}},
	{rule: "keyed-hole", edits: []edit{{"order", "		Window:      \"life of the table\",\n", ""}}},
	{rule: "unused-error", edits: []edit{
		{"negotiation", "	Before:      ErrTooEarly,\n", ""},
		{"order", "ErrParams, ErrFull, ErrTooEarly, ErrOtherDish", "ErrParams, ErrFull, ErrOtherDish"},
	}},
	{rule: "unlisted-error", edits: []edit{{"order", "Price: 450}}}, ErrFull),", "Price: 450}}}, ErrNoVersion),"}}},
	{rule: "unused-capability", edits: []edit{{"asking", "	Needs:   AnswersQuestions,\n", ""}}},
	{rule: "unknown-value", edits: []edit{{"asking", `return &r.Will }, "false")`, `return &r.Will }, "no")`}}},
	{rule: "unknown-version", edits: []edit{{"notifications", "	Since: \"3\",\n", "	Since: \"4\",\n"}}},
	{rule: "unlacked", edits: []edit{{"negotiation", "	Lacks:   spec.Methods(Watch),\n", ""}}},
	{rule: "no-scope", edits: []edit{{"ending", "	In:       spec.In(Table, func(p *LeaveParams) *TableID { return &p.Table }),\n", ""}}},
	{rule: "default-value", edits: []edit{{"members", `default:"main; guests: starter"`, `default:"dessert; guests: starter"`}}},
	{rule: "legacy-member", edits: []edit{{"errors", "no room at table {table}", "no room at table {number}"}}},
	{rule: "no-example", edits: []edit{{"notifications", "	Examples: spec.List(spec.Shown(\"on\", FanParams{On: true})),\n", ""}}},
	{rule: "unbounded-integer", edits: []edit{{"members", "`json:\"guests,omitempty\" min:\"0\"`", "`json:\"guests,omitempty\"`"}}},
	{rule: "go-name", edits: []edit{{"order", "	GoName:   \"Order\",\n", "	GoName:   \"order\",\n"}}},
	{rule: "unused-allow", edits: []edit{{"limits", `Rule: "missing-chinese"`, `Rule: "missing-german"`}}, about: "missing-german"},
	{rule: "unreported", about: "table/order", edits: []edit{{
		"order",
		"func(r *OrderResult) *Ticket { return &r.Ticket }),\n			spec.ByFrame[OrderResult](frameGasOff, \"cold\")),\n",
		"func(r *OrderResult) *Ticket { return &r.Ticket })),\n",
	}}},

	{rule: "must-settle", proof: true, edits: []edit{{"machine", "spec.Event(\"it is ready\", 60_000, ready)", "spec.Event(\"it is ready\", 0, ready)"}}},
	{rule: "can-settle", proof: true, edits: []edit{{"machine", "	if s.Dish != hot && s.Dish != stopped {\n", "	if s.Dish != hot {\n"}}},
	{rule: "dead-end", proof: true, edits: []edit{{"machine", "	Rests:  []spec.Values{spec.Of(shelved)},\n", ""}}},
	{rule: "way-out", proof: true, edits: []edit{{"machine", "	if a.Target == old || s.Dish == cold {\n", "	if a.Target == old || s.Dish == cold || s.Dish == shelved {\n"}}},
	{rule: "held", proof: true, edits: []edit{{"machine", "	case s.Dish == stopped:\n		return spec.Waits", "	case s.Dish == shelved:\n		return spec.Waits"}}},
	{rule: "forgotten", proof: true, edits: []edit{{"machine", "		s.Mine = settled\n", "		s.Mine = unsent\n"}}},
	{rule: "open-fence", proof: true, edits: []edit{{"machine", "	if a.Target == old || s.Dish == cold {\n", "	if s.Dish == cold {\n"}}},
	{rule: "unreachable", proof: true, about: "shelved", edits: []edit{{"machine", "s.with(shelved), s.with(hot))", "s.with(hot))"}}},
	{rule: "unsaid", proof: true, edits: []edit{{"machine", "		return spec.Says(\"again=true\", s).And(\"ended=*\")\n", "		return spec.Fails[pot](ErrOtherDish, s)\n"}}},
	{rule: "unknown-answer", proof: true, edits: []edit{{"machine", `"effect=stopping"`, `"effect=stoping"`}}},
	{rule: "untracked", proof: true, edits: []edit{
		{"machine", "	Tracks: []spec.Track{spec.While(Dish, shelved, hot, stopped)},\n", ""},
		{"machine", "	Marked: &spec.Marked{By: Order, Unsent: spec.Of(unsent), Over: []spec.Over{spec.Heard(frameEnded, settled)}},\n", ""},
		{"machine", "	return spec.Goes(s.done()).Cuts(frameGasOff)\n", "	return spec.Goes(s.done()).Cuts(nil)\n"},
	}},
}

// rulebook is all rules: of lint, then of proofs.
func rulebook() []check.Rule {
	out := slices.Clone(check.Rules())
	for _, r := range proof.Rules() {
		out = append(out, check.Rule{ID: r.ID, Severity: r.Severity, About: r.About})
	}
	return out
}

// The page has each rule, in the catalogue's words, with a change to the kitchen
// that breaks it and what is then said.
func TestLintPages(t *testing.T) {
	if testing.Short() {
		t.Skip("loads a package a rule")
	}
	found := atOnce(t)
	for rule, list := range eachItsOwn(t) {
		found[rule] = list
	}
	examples := map[string]string{} // by rule and language
	for _, b := range breaks {
		list := found[b.rule]
		i := slices.IndexFunc(list, func(p problem.Problem) bool { return p.Rule == b.rule && strings.Contains(p.Text.EN, b.about) })
		if !assert.GreaterOrEqual(t, i, 0, "%s is not broken, but\n%s", b.rule, list) {
			continue
		}
		for _, lang := range []string{"en", "zh"} {
			examples[b.rule+" "+lang] = b.diff() + "\n```text\n" + list[i].Pos.File + ": " + list[i].Message(lang) + "\n```\n"
		}
	}
	for _, lang := range []string{"en", "zh"} {
		page := map[string]string{"en": "lint.md", "zh": "lint.zh.md"}[lang]
		for part, rules := range map[string][]check.Rule{"lint": check.Rules(), "proofs": rulebook()[len(check.Rules()):]} {
			var b strings.Builder
			for _, r := range rules {
				example := examples[r.ID+" "+lang]
				assert.NotEmpty(t, example, "rule %s has no example: add one to breaks", r.ID)
				fmt.Fprintf(&b, "\n<a id=\"%s\"></a>\n\n### %s\n\n%s\n\n%s", r.ID, r.ID, about(r, lang), example)
			}
			region(t, page, part, b.String()+"\n")
		}
	}
}

// about is a rule's severity and text.
func about(r check.Rule, lang string) string {
	severity := map[string]string{"en error": "Error", "zh error": "错误", "en warning": "Warning", "zh warning": "警告"}[lang+" "+string(r.Severity)]
	blocks := map[string]string{"en": "; nothing is generated while it is broken", "zh": "；违反时不会生成任何内容"}[lang]
	if !r.Blocks {
		blocks = ""
	}
	text := map[string]string{"en": r.About.EN, "zh": r.About.ZH}[lang]
	stop := map[string]string{"en": ".* ", "zh": "。*"}[lang]
	return "*" + severity + blocks + stop + text
}

// atOnce makes all changes that can be made together, and gives what is found,
// by rule.
func atOnce(t *testing.T) map[string]problem.List {
	t.Helper()
	dir := kitchen(t)
	for _, b := range breaks {
		apply(t, dir, b.first)
	}
	_, lock := (&translation.Lock{}).Compare(opened(t, dir))
	for _, b := range breaks {
		if !b.proof {
			apply(t, dir, b.edits)
		}
	}
	found := checked(opened(t, dir), lock)
	out := map[string]problem.List{}
	for _, p := range found {
		out[p.Rule] = append(out[p.Rule], p)
	}
	return out
}

var (
	machineVariable = regexp.MustCompile(`(?m)^var (\w+) = &spec\.Machine`)
	machineName     = regexp.MustCompile(`(?m)^(	Name: +"\w+)",`)
)

// eachItsOwn gives the kitchen a machine for each change to one, and gives what
// is proven of that, by rule.
func eachItsOwn(t *testing.T) map[string]problem.List {
	t.Helper()
	dir := kitchen(t)
	names := ""
	files := map[string]string{} // by rule
	for i, b := range breaks {
		if !b.proof {
			continue
		}
		from := b.edits[0].file
		code := snippets(read(t, "language.md"))[from]
		for _, e := range b.edits {
			require.Equal(t, from, e.file, b.rule)
			require.Equal(t, 1, strings.Count(code, e.old), "%s: the machine has this once: %s", b.rule, e.old)
			code = strings.Replace(code, e.old, e.now, 1)
		}
		suffix := fmt.Sprintf("%d", i)
		variable := machineVariable.FindStringSubmatch(code)
		require.NotNil(t, variable, b.rule)
		code = machineName.ReplaceAllString(code, "${1} "+suffix+`",`)
		files[b.rule] = from + suffix + ".go"
		put(t, dir, "kitchen/"+files[b.rule], renamed(t, "package kitchen\n\nimport \"github.com/accordkit/accord/spec\"\n\n"+code, suffix))
		names += ", " + variable[1] + suffix
	}
	apply(t, dir, []edit{{"protocol", "DishMachine, CookMachine", "DishMachine, CookMachine" + names}})
	m := opened(t, dir)
	out := map[string]problem.List{}
	for _, machine := range m.Machines {
		alone := *m
		alone.Machines = []*model.Machine{machine}
		for rule, file := range files {
			if machine.Pos.File != file {
				continue
			}
			out[rule] = proof.Run(&alone)
			for i := range out[rule] {
				if out[rule][i].Pos.File == file {
					out[rule][i].Pos.File = strings.TrimRight(strings.TrimSuffix(file, ".go"), "0123456789") + ".go"
				}
			}
		}
	}
	return out
}

// renamed gives what a file declares names of its own. Texts stay.
func renamed(t *testing.T, source, suffix string) string {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", source, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	declared := map[string]bool{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				declared[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, id := range s.Names {
						declared[id.Name] = true
					}
				case *ast.TypeSpec:
					declared[s.Name.Name] = true
				}
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && declared[id.Name] {
			id.Name += suffix
		}
		return true
	})
	var b strings.Builder
	require.NoError(t, format.Node(&b, set, f))
	return b.String()
}

func checked(m *model.Protocol, lock *translation.Lock) problem.List {
	options := check.Options{Found: proof.Run(m)}
	options.Drifts, _ = lock.Compare(m)
	for _, r := range proof.Rules() {
		options.Rules = append(options.Rules, r.ID)
	}
	return check.Run(m, options)
}

func opened(t *testing.T, dir string) *model.Protocol {
	t.Helper()
	s, err := load.Open(t.Context(), "./kitchen", load.Options{Dir: dir, NoCache: true})
	require.NoError(t, err)
	require.Zero(t, s.Problems.Errors(), "%v", s.Problems)
	return s.Model
}

func apply(t *testing.T, dir string, edits []edit) {
	t.Helper()
	for _, e := range edits {
		name := filepath.Join(dir, "kitchen", e.file+".go")
		text := read(t, name)
		require.Equal(t, 1, strings.Count(text, e.old), "%s has this once: %s", e.file, e.old)
		require.NoError(t, os.WriteFile(name, []byte(strings.Replace(text, e.old, e.now, 1)), 0o600))
	}
}

// diff shows the edits as whole lines that go and come.
func (b broken) diff() string {
	var out strings.Builder
	out.WriteString("```diff\n")
	for i, e := range b.edits {
		if i > 0 {
			out.WriteString(" …\n")
		}
		base := snippets(mustRead("language.md"))[e.file]
		for _, f := range b.first {
			base = strings.Replace(base, f.old, f.now, 1)
		}
		start := strings.Index(base, e.old)
		end := start + len(e.old)
		start = strings.LastIndexByte(base[:start], '\n') + 1
		if !strings.HasSuffix(e.old, "\n") {
			end += strings.IndexByte(base[end:], '\n') + 1
		}
		old := strings.SplitAfter(base[start:end], "\n")
		now := strings.SplitAfter(strings.Replace(base[start:end], e.old, e.now, 1), "\n")
		same := 0 // lines at the end that stay
		for same < len(old) && same < len(now) && old[len(old)-1-same] == now[len(now)-1-same] {
			same++
		}
		head := 0
		for head < len(old)-same && head < len(now)-same && old[head] == now[head] {
			head++
		}
		write := func(sign string, lines []string) {
			for _, line := range lines {
				if line != "" {
					out.WriteString(sign + strings.TrimSuffix(line, "\n") + "\n")
				}
			}
		}
		write(" ", old[:head])
		write("-", old[head:len(old)-same])
		write("+", now[head:len(now)-same])
		write(" ", old[len(old)-same:])
	}
	out.WriteString("```\n")
	return out.String()
}

func mustRead(name string) string {
	data, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// region compares a part of a page between its markers, or writes it.
func region(t *testing.T, page, name, want string) {
	t.Helper()
	begin, end := "<!-- rules "+name+" -->\n", "<!-- end of rules "+name+" -->"
	text := read(t, page)
	head, rest, ok := strings.Cut(text, begin)
	require.True(t, ok, "%s has no marker %s", page, begin)
	have, tail, ok := strings.Cut(rest, end)
	require.True(t, ok, "%s has no marker %s", page, end)
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(head+begin+want+end+tail), 0o644))
		return
	}
	assert.Equal(t, want, have, "%s: run go test ./docs -run TestLintPages -update", page)
}
