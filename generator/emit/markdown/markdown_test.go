// SPDX-License-Identifier: Apache-2.0

package markdown

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/emit/emittest"
	"github.com/accordkit/accord/spec/model"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "run go test ./generator/emit/markdown -update and read the difference")
}

var languages = []struct {
	l           Lang
	file, other string
}{{English, "queue.md", "queue.zh.md"}, {Chinese, "queue.zh.md", "queue.md"}}

func TestGolden(t *testing.T) {
	for _, c := range languages {
		golden(t, c.file, Reference(emittest.Queue(), c.l, c.other))
		var all strings.Builder
		for _, r := range Regions(emittest.Queue(), c.l) {
			all.WriteString("<!-- accord:begin " + r.Name + " -->\n" + r.Text + "<!-- accord:end " + r.Name + " -->\n\n")
		}
		golden(t, "regions."+c.file, all.String())
	}
}

// A page may have the regions of everything, whatever the protocol has of it.
func TestRegionsOfNothing(t *testing.T) {
	have := map[string]string{}
	for _, r := range Regions(&model.Protocol{Name: "queue"}, English) {
		have[r.Name] = r.Text
	}
	for _, name := range []string{"methods", "notifications", "errors", "activities"} {
		text, ok := have["queue/"+name]
		assert.True(t, ok, name)
		assert.Empty(t, strings.TrimSpace(text), name)
	}
}

func TestSameModelSameText(t *testing.T) {
	for _, c := range languages {
		want := Reference(emittest.Queue(), c.l, c.other)
		for range 20 {
			require.Equal(t, want, Reference(emittest.Queue(), c.l, c.other))
		}
	}
}

// The catalogue has both languages of everything, with the same verbs.
func TestCatalogueIsComplete(t *testing.T) {
	verbs := func(s string) []string {
		v := regexp.MustCompile(`%\[\d+\]s`).FindAllString(s, -1)
		slices.Sort(v)
		return v
	}
	check := func(name string, p phrase) {
		assert.NotEmpty(t, p.en, name)
		assert.NotEmpty(t, p.zh, name)
		assert.Equal(t, verbs(p.en), verbs(p.zh), name)
	}
	v := reflect.ValueOf(words)
	for i := range v.NumField() {
		f := v.Field(i)
		check(v.Type().Field(i).Name, phrase{f.Field(0).String(), f.Field(1).String()})
	}
	for name, p := range terms {
		check(name, p)
	}
	for name, p := range proofs {
		check(name, p)
	}
	for _, value := range []string{
		model.Done, model.Admitted, model.Durable, model.ReadOnly, model.Idempotent, model.Keyed, model.Unsafe,
		model.RetryNever, model.RetrySameKey, model.RetryAfter, model.RetryReload,
		model.Required, model.Optional, model.OmitZero, model.Nullable,
	} {
		assert.Contains(t, terms, value)
	}
}

var codeSpan = regexp.MustCompile("`[^`\n]+`|```json(?s:.*?)```|\\S+ --> \\S+|[CS]-+>>[CS]|#[a-z]+-[A-Za-z0-9_.-]+|[0-9]+(\\.[0-9]+)?")

// Values come from the model, so that both languages have the same ones: each
// code span, anchor, arrow and number of one page stands in the other as often.
func TestLanguagesAgreeOnValues(t *testing.T) {
	values := func(s string) []string {
		v := codeSpan.FindAllString(s, -1)
		slices.Sort(v)
		return v
	}
	p := bare(t, emittest.Queue())
	en, zh := Regions(p, English), Regions(p, Chinese)
	require.Len(t, zh, len(en))
	for i := range en {
		assert.Equal(t, en[i].Name, zh[i].Name)
		if en[i].Name == "queue/machines" {
			continue // names of dimensions are words
		}
		a, b := values(en[i].Text), values(zh[i].Text)
		assert.Equal(t, a, b, en[i].Name)
	}
	a, b := values(Reference(p, English, "x")), values(Reference(p, Chinese, "x"))
	assert.Equal(t, a, b)
}

// bare is a protocol without its authors' texts: only values are left.
func bare(t *testing.T, p *model.Protocol) *model.Protocol {
	t.Helper()
	data, err := json.Marshal(p)
	require.NoError(t, err)
	var tree any
	require.NoError(t, json.Unmarshal(data, &tree))
	var strip func(any)
	strip = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			delete(v, "doc")
			delete(v, "known")
			for _, e := range v {
				strip(e)
			}
		case []any:
			for _, e := range v {
				strip(e)
			}
		}
	}
	strip(tree)
	data, err = json.Marshal(tree)
	require.NoError(t, err)
	out := new(model.Protocol)
	require.NoError(t, json.Unmarshal(data, out))
	return out
}

// Each row of a table has as many cells as its head.
func TestTablesAreWhole(t *testing.T) {
	bar := regexp.MustCompile(`(^|[^\\])\|`)
	for _, c := range languages {
		columns := 0
		for _, line := range strings.Split(Reference(emittest.Queue(), c.l, c.other), "\n") {
			if !strings.HasPrefix(line, "|") {
				columns = 0
				continue
			}
			n := len(bar.FindAllString(line, -1))
			if columns == 0 {
				columns = n
			}
			assert.Equal(t, columns, n, line)
		}
	}
}

// Links within the page lead somewhere.
func TestAnchorsExist(t *testing.T) {
	for _, c := range languages {
		page := Reference(emittest.Queue(), c.l, c.other)
		for _, m := range regexp.MustCompile(`\]\(#([^)]+)\)`).FindAllStringSubmatch(page, -1) {
			assert.Contains(t, page, `<a id="`+m[1]+`"></a>`)
		}
	}
}

func TestSummary(t *testing.T) {
	for in, want := range map[string]string{
		"":                                       "",
		"One sentence. Another.":                 "One sentence.",
		"A `a.b` c, e.g. this. That.":            "A `a.b` c, e.g. this.",
		"Two\nlines. More":                       "Two lines.",
		"No end\n\nNext.":                        "No end",
		"Answers session-\nclosed - a\nlot.":     "Answers session-closed - a lot.",
		"第一句。第二句。":                               "第一句。",
		"第一行\n第二行。":                              "第一行第二行。",
		"Version 1.5 is old. So":                 "Version 1.5 is old.",
		"Ends with `code.` inside. And a second": "Ends with `code.` inside.",
	} {
		assert.Equal(t, want, summary(in), in)
	}
}

func TestQuantity(t *testing.T) {
	assert.Equal(t, "64 MiB", quantity(64<<20, "bytes", English))
	assert.Equal(t, "1000 B", quantity(1000, "bytes", English))
	assert.Equal(t, "1.5 s", quantity(1500, "ms", English))
	assert.Equal(t, "10 s", quantity(10_000, "ms", English))
	assert.Equal(t, "1250 ms", quantity(1250, "ms", English))
	assert.Equal(t, "64 层", quantity(64, "levels", Chinese))
	assert.Equal(t, "64", quantity(64, "count", English))
}

func TestExplain(t *testing.T) {
	p := emittest.Queue()
	p.Notifications[0].Pos = model.Pos{File: "notes.go", Line: 3}
	at := func(p model.Pos) string { return "queue/" + p.File }
	for _, name := range Names(p) {
		for _, c := range languages {
			text, ok := Explain(p, c.l, name, at)
			assert.True(t, ok, name)
			assert.NotEmpty(t, text, name)
		}
	}
	_, ok := Explain(p, English, "nothing", at)
	assert.False(t, ok)
	text, _ := Explain(p, English, "tray-full", at)
	assert.NotContains(t, text, "no-version")
	text, _ = Explain(p, English, "job/print", at)
	assert.NotContains(t, text, "<a id")
	assert.NotContains(t, text, "](#")
	assert.Contains(t, text, "*method of the protocol queue*")
	for name, want := range map[string]string{
		"-32022":                "### `no-version`",
		"black":                 "*value of Colour of the protocol queue",
		"printed":               "*outcome of job of the protocol queue",
		"limit":                 "| `tray-full` | integer | required |",
		"tray":                  "*scope of the protocol queue",
		"old":                   "*generation of the protocol queue",
		"TrayID":                "Used in `",
		p.Notifications[0].Name: "*notification of the protocol queue, declared at queue/notes.go*",
	} {
		text, ok := Explain(p, English, name, at)
		assert.True(t, ok, name)
		assert.Contains(t, text, want, name)
	}
	assert.Equal(t, []string{"job/print"}, Near(Names(p), "job/pritn"))
	assert.Equal(t, []string{"printed", "job/print", "PrintParams"}, Near(Names(p), "print"))
	assert.Empty(t, Near(Names(p), "xyzzy"))
}

// Folding states the same answers as the cells do, for all that can arise.
func TestFoldIsExact(t *testing.T) {
	m := emittest.Queue().Machines[0]
	folds := foldMachine(m)
	all := 0
	for _, c := range m.Cells {
		move := m.Moves[c.Move]
		if move.Method == "" {
			continue
		}
		for _, args := range move.Combinations() {
			if !m.Has(c, args) {
				continue
			}
			all++
			hits := 0
			for _, f := range folds {
				if f.call != move.Method {
					continue
				}
				fits := true
				for i, v := range f.state {
					fits = fits && (v == nil || slices.Contains(v, m.States[c.State][i]))
				}
				for i := range args {
					fits = fits && (f.args[i] == nil || slices.Contains(f.args[i], args[i]))
				}
				if !fits {
					continue
				}
				hits++
				assert.Equal(t, c.Says, f.cell.Says)
				assert.Equal(t, c.Fails, f.cell.Fails)
				assert.Equal(t, c.Waits, f.cell.Waits)
			}
			assert.NotZero(t, hits, "%+v", c)
		}
	}
	assert.Less(t, len(folds), all)
}

func TestChineseIsSpaced(t *testing.T) {
	assert.Equal(t, "期限为 life of 的日志 `x日` 个", phrase{"a %[1]s", "期限为%[1]s的日志`x日`个"}.in(Chinese, "life of"))
	assert.Equal(t, "期限为日志", phrase{"a %[1]s", "期限为%[1]s"}.in(Chinese, "日志"))
}
