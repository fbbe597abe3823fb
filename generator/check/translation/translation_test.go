// SPDX-License-Identifier: Apache-2.0

package translation_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/check/translation"
	"github.com/accordkit/accord/spec/model"
)

// protocol has one method and one type with one member, at places of their own.
func protocol() *model.Protocol {
	at := func(line int) model.Pos { return model.Pos{File: "p.go", Line: line, Col: 1} }
	return &model.Protocol{
		Name: "p", Var: "P", Doc: model.Text{EN: "P is a protocol.", ZH: "协议。"}, Pos: at(1),
		Methods: []*model.Method{{Name: "do/it", Var: "Do", Doc: model.Text{EN: "Do does it.", ZH: "执行。"}, Pos: at(2)}},
		Types: []*model.Type{{
			Name: "Params", Doc: model.Text{EN: "Params say what.", ZH: "参数。"}, Pos: at(3),
			Fields: []*model.Field{{Name: "What", Wire: "what", Doc: model.Text{EN: "What is what.", ZH: "内容。"}, Pos: at(4)}},
		}},
	}
}

func confirmed(m *model.Protocol) *translation.Lock {
	l := &translation.Lock{Format: 1}
	_, next := l.Compare(m)
	return next
}

func keys(drifts []translation.Drift) []string {
	var out []string
	for _, d := range drifts {
		out = append(out, d.Text.Key+" "+string(d.Changed))
	}
	return out
}

func TestNewPairsAreConfirmed(t *testing.T) {
	l := confirmed(protocol())
	assert.Len(t, l.Pairs, 4)
	drifts, next := l.Compare(protocol())
	assert.Empty(t, drifts)
	assert.Equal(t, l.Encode(), next.Encode())
}

func TestDrift(t *testing.T) {
	l := confirmed(protocol())
	m := protocol()
	m.Methods[0].Doc.EN = "Do does it twice."
	m.Types[0].Fields[0].Doc.ZH = "别的内容。"
	drifts, next := l.Compare(m)
	assert.Equal(t, []string{"member Params.what Chinese", "method do/it English"}, keys(drifts))
	assert.Equal(t, l.Encode(), next.Encode(), "what has drifted stays as it was confirmed")

	// It stays drifted, until the other side follows …
	drifts, _ = next.Compare(m)
	assert.Len(t, drifts, 2)
	m.Methods[0].Doc.ZH = "执行两次。"
	drifts, next = next.Compare(m)
	assert.Equal(t, []string{"member Params.what Chinese"}, keys(drifts))
	// … or goes back …
	back := protocol()
	back.Methods[0].Doc = m.Methods[0].Doc
	drifts, _ = next.Compare(back)
	assert.Empty(t, drifts)
	// … or it is confirmed.
	drifts, next = next.Compare(m)
	assert.Equal(t, []string{"member Params.other"}, translation.Confirm(next, drifts, []string{"member Params.other"}, false))
	assert.Empty(t, translation.Confirm(next, drifts, []string{"member Params.what"}, false))
	drifts, _ = next.Compare(m)
	assert.Empty(t, drifts)
}

func TestMissingSideIsNoDrift(t *testing.T) {
	l := confirmed(protocol())
	m := protocol()
	m.Doc.ZH = ""
	drifts, next := l.Compare(m)
	assert.Empty(t, drifts, "it is another rule's")
	assert.Equal(t, l.Encode(), next.Encode())
	m.Doc = model.Text{EN: "P is another protocol.", ZH: "协议。"}
	drifts, _ = next.Compare(m)
	assert.Equal(t, []string{"protocol p English"}, keys(drifts), "and taking it away for a while confirms nothing")
}

func TestRenamesAreMoves(t *testing.T) {
	l := confirmed(protocol())
	// Tools rename the word that opens the comment too.
	m := protocol()
	m.Methods[0].Var, m.Methods[0].Doc.EN = "Perform", "Perform does it."
	drifts, next := l.Compare(m)
	assert.Empty(t, drifts)
	assert.Equal(t, l.Encode(), next.Encode(), "a variable's name is in no key and in no hash")

	m.Types[0].Name, m.Types[0].Doc.EN = "Arguments", "Arguments say what."
	drifts, next = l.Compare(m)
	assert.Empty(t, drifts)
	assert.Len(t, next.Pairs, 4)
	assert.Contains(t, next.Pairs, "member Arguments.what")
	assert.NotContains(t, next.Pairs, "member Params.what")

	// A move does not confirm what has drifted.
	m.Types[0].Doc.EN = "Arguments say what else."
	drifts, _ = l.Compare(m)
	require.Equal(t, []string{"type Arguments English"}, keys(drifts))
	assert.Equal(t, "type Params", drifts[0].Was)
}

func TestFormIsNoChange(t *testing.T) {
	l := confirmed(protocol())
	m := protocol()
	m.Doc.EN = "P  is a\n`protocol`."
	drifts, _ := l.Compare(m)
	assert.Empty(t, drifts)
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	l := confirmed(protocol())
	require.NoError(t, os.WriteFile(filepath.Join(dir, translation.LockName), l.Encode(), 0o644))
	again, err := translation.Read(dir)
	require.NoError(t, err)
	assert.Equal(t, l, again)
	text := string(l.Encode())
	assert.Equal(t, 4+5, strings.Count(text, "\n"), "a line a pair, so that branches merge: %s", text)
	assert.Contains(t, text, "    \"method do/it\": \"")
}
