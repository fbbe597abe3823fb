// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"bytes"
	"flag"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "take the excerpt from the declaration anew")

// shown are the words of the two methods that the excerpt shows.
var shown = []struct {
	variable string
	words    []string
}{
	{"Prompt", []string{"Name", "Accepts", "Settles", "Repeats"}},
	{"Cancel", []string{"Name", "Accepts", "Cancels", "Settles", "Repeats"}},
}

// excerpt takes the words of a variable's literal out of its source; "…" stands
// for what is left out.
func excerpt(t *testing.T, source, variable string, words []string) string {
	t.Helper()
	begin := strings.Index(source, "\nvar "+variable+" = &spec.Method")
	require.GreaterOrEqual(t, begin, 0, "%s declares no %s", declaredAt, variable)
	lines := strings.SplitAfter(source[begin+1:], "\n")
	out := lines[0]
	take, left := false, false
	for _, line := range lines[1:] {
		if strings.HasPrefix(line, "}") {
			break
		}
		if word, _, ok := strings.Cut(strings.TrimPrefix(line, "\t"), ":"); ok && !strings.HasPrefix(line, "\t\t") {
			take = slices.Contains(words, word)
		}
		switch {
		case take:
			out += line
		case !left:
			out += "…\n"
		}
		left = !take
	}
	return out
}

// The excerpt that is shown is what the declaration says.
func TestTheDeclarationIsTheRealOne(t *testing.T) {
	source, err := os.ReadFile("../../../" + declaredAt)
	require.NoError(t, err)
	var want string
	for _, s := range shown {
		want += excerpt(t, string(source), s.variable, s.words)
	}
	if *update {
		require.NoError(t, os.WriteFile("declaration.txt", []byte(want), 0o644))
	}
	assert.Equal(t, want, declared, "run go test ./cmd/internal/demo -update")
}

func TestProductsAreThere(t *testing.T) {
	for _, p := range products {
		name, _, _ := strings.Cut(p.path, ",")
		_, err := os.Stat("../../../" + name)
		assert.NoError(t, err)
	}
}

func TestTextsHaveBothLanguages(t *testing.T) {
	verb := regexp.MustCompile(`%\[\d+\][a-z]`)
	v := reflect.ValueOf(texts)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		en, zh := v.Field(i).Field(0).String(), v.Field(i).Field(1).String()
		assert.NotEmpty(t, en, name)
		assert.NotEmpty(t, zh, name)
		a, b := verb.FindAllString(en, -1), verb.FindAllString(zh, -1)
		slices.Sort(a)
		slices.Sort(b)
		assert.Equal(t, a, b, name)
	}
}

// clock advances by 50 ms with each reading.
func clock() func() time.Time {
	at := time.Unix(0, 0)
	return func() time.Time {
		at = at.Add(50 * time.Millisecond)
		return at
	}
}

func TestTimeline(t *testing.T) {
	var b bytes.Buffer
	l := newTimeline(&b, false, clock())
	l.heading("Live")
	l.entry("client", blue, "sends", "a prompt")
	l.stream("runtime", cyan, "delta", "1 ")
	l.stream("runtime", cyan, "delta", "2 ")
	l.stream("runtime", cyan, "delta", strings.Repeat("word ", 9))
	l.stream("runtime", cyan, "delta", "end")
	l.entry("运行时", green, "已敲定", "x")
	l.close()
	assert.Equal(t, `
Live

    0.050s  client    sends      a prompt
    0.100s  runtime   delta      1 2 
                                 word word word word word word word word word 
                                 end
    0.150s  运行时    已敲定     x
`, b.String())
}

func TestColoursAreForTerminals(t *testing.T) {
	var plain, coloured bytes.Buffer
	for _, c := range []struct {
		b      *bytes.Buffer
		colour bool
	}{{&plain, false}, {&coloured, true}} {
		l := newTimeline(c.b, c.colour, clock())
		l.heading("h")
		l.text(dim, "t")
		l.entry("who", green, "what", "text")
		l.stream("who", cyan, "delta", "piece")
		l.close()
	}
	assert.NotContains(t, plain.String(), "\x1b")
	assert.Contains(t, coloured.String(), "\x1b[1;32m")
	assert.Equal(t, plain.String(), regexp.MustCompile("\x1b\\[[0-9;]+m").ReplaceAllString(coloured.String(), ""))
}
