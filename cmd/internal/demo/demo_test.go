package demo

import (
	"bytes"
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

// The excerpt that is shown stands in the declaration, line by line and in
// order.
func TestTheDeclarationIsTheRealOne(t *testing.T) {
	source, err := os.ReadFile("../../../" + declaredAt)
	require.NoError(t, err)
	lines := strings.Split(string(source), "\n")
	at := 0
	gap := true // lines may have been left out before the next one
	for _, want := range strings.Split(strings.TrimSpace(declared), "\n") {
		if want == "…" {
			gap = true
			continue
		}
		i := slices.Index(lines[at:], want)
		require.GreaterOrEqual(t, i, 0, "%s does not have, after line %d: %s", declaredAt, at, want)
		if !gap {
			require.Zero(t, i, "%s has lines before this one that are not shown: %s", declaredAt, want)
		}
		at += i + 1
		gap = false
	}
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

// clock goes on by 50 ms with each look at it.
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
	l.entry("运行时", green, "已了结", "x")
	l.close()
	assert.Equal(t, `
Live

    0.050s  client    sends      a prompt
    0.100s  runtime   delta      1 2 
                                 word word word word word word word word word 
                                 end
    0.150s  运行时    已了结     x
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
