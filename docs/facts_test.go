// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/check"
	"github.com/accordkit/accord/generator/check/proof"
	"github.com/accordkit/accord/generator/emit/golang"
	"github.com/accordkit/accord/generator/emit/jsonschema"
	"github.com/accordkit/accord/generator/emit/markdown"
	"github.com/accordkit/accord/generator/emit/vectors"
	"github.com/accordkit/accord/spec/model"
)

var update = flag.Bool("update", false, "write what the pages of the language say that each word changes")

// effect is what a fact may change, by its letter in the pages.
type effect struct {
	letter string
	render []func(p *model.Protocol) string // the second is asked if the first says nothing
}

func effects() []effect {
	goFiles := func(files []golang.File, err error) string {
		var b strings.Builder
		for _, f := range files {
			b.Write(f.Data)
		}
		return b.String() + fmt.Sprint(err)
	}
	text := func(data []byte, err error) string { return string(data) + fmt.Sprint(err) }
	one := func(letter string, render ...func(p *model.Protocol) string) effect { return effect{letter, render} }
	return []effect{
		one("G", func(p *model.Protocol) string { return goFiles(golang.Payloads(p)) }, func(p *model.Protocol) string {
			return goFiles(golang.Server(p, "example.com/payloads"))
		}, func(p *model.Protocol) string {
			return goFiles(golang.Client(p, golang.ClientOptions{Payloads: "example.com/payloads"}))
		}),
		one("S", func(p *model.Protocol) string { return text(jsonschema.Emit(p)) }),
		one("D", func(p *model.Protocol) string { return markdown.Reference(p, markdown.English, "") }, func(p *model.Protocol) string { return markdown.Reference(p, markdown.Chinese, "") }),
		one("V", func(p *model.Protocol) string { return text(vectors.EmitCodecs(p)) }, func(p *model.Protocol) string { return text(vectors.Rows(p)) }),
		one("L", func(p *model.Protocol) string { return check.Run(p, check.Options{}).String() }),
		one("P", func(p *model.Protocol) string { return proof.Run(p).String() }),
	}
}

// guarded renders a model that says what no loaded one would: a panic is a
// difference too.
func guarded(render func(*model.Protocol) string, p *model.Protocol) (out string) {
	defer func() {
		if r := recover(); r != nil {
			out = "panic"
		}
	}()
	return render(p)
}

// structural are facts that are no author's: where things stand, what they are
// called in the source, and the model's own form.
var structural = map[string]bool{
	"Protocol.Format": true, "Protocol.Var": true, "Cell.Place": true, "Machine.Places": true, "Reading.Dim": true,
	"Activity.Var": true, "Capability.Var": true, "Generation.Var": true, "Link.Var": true, "Machine.Var": true, "Method.Var": true, "Scope.Var": true,
}

// checkedWhenLoaded are facts that only the loader looks at.
var checkedWhenLoaded = map[string]bool{"Allow.Reason": true}

// measure changes each fact of a model, one at a time, and says what then is
// otherwise, as letters.
func measure(t *testing.T, m *model.Protocol) map[string]string {
	t.Helper()
	data, err := json.Marshal(m)
	require.NoError(t, err)
	all := effects()
	var base [][]string
	for _, e := range all {
		var texts []string
		for _, render := range e.render {
			texts = append(texts, render(m))
		}
		base = append(base, texts)
	}
	out := map[string]string{}
	for name, places := range facts(m) {
		found := map[string]bool{}
		for _, at := range places {
			if len(found) == len(all) {
				break
			}
			var p model.Protocol
			require.NoError(t, json.Unmarshal(data, &p))
			if !change(at.in(&p)) {
				continue
			}
			for i, e := range all {
				for j, render := range e.render {
					if !found[e.letter] && guarded(render, &p) != base[i][j] {
						found[e.letter] = true
					}
				}
			}
		}
		letters := ""
		for _, e := range all {
			if found[e.letter] {
				letters += e.letter
			}
		}
		out[name] = letters
	}
	return out
}

// place is the way to one field of a model: fields, and indexes of lists.
type place []struct{ field, index int }

func (at place) in(p *model.Protocol) reflect.Value {
	v := reflect.ValueOf(p)
	for _, s := range at {
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v = v.Field(s.field); s.index >= 0 {
			v = v.Index(s.index)
		}
	}
	return v
}

// tries is how many places of one fact are changed.
const tries = 8

// facts are the fields of a model by type and name, each with some places where
// it says something; or where it says nothing, if it nowhere does.
func facts(m *model.Protocol) map[string][]place {
	said, unsaid := map[string][]place{}, map[string][]place{}
	var visit func(v reflect.Value, at place)
	visit = func(v reflect.Value, at place) {
		for v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return
		}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Type == reflect.TypeFor[model.Pos]() {
				continue
			}
			step := func(index int) place {
				return append(slices.Clone(at), struct{ field, index int }{i, index})
			}
			name := v.Type().Name() + "." + f.Name
			if v.Field(i).IsZero() {
				unsaid[name] = append(unsaid[name], step(-1))
			} else {
				said[name] = append(said[name], step(-1))
			}
			if f.Type.Kind() != reflect.Slice {
				visit(v.Field(i), step(-1))
				continue
			}
			for j := range v.Field(i).Len() {
				visit(v.Field(i).Index(j), step(j))
			}
		}
	}
	visit(reflect.ValueOf(m), nil)
	for name, places := range unsaid {
		if said[name] == nil {
			said[name] = places
		}
	}
	for name, places := range said {
		if n := len(places); n > tries { // spread over all
			some := make([]place, tries)
			for i := range some {
				some[i] = places[i*(n-1)/(tries-1)]
			}
			said[name] = some
		}
	}
	return said
}

// change makes a fact another: nothing if it says something, and the other way
// round.
func change(v reflect.Value) bool {
	if !v.IsZero() {
		v.SetZero()
		return true
	}
	switch v.Kind() {
	case reflect.Struct: // a text
		return change(v.Field(0))
	case reflect.String:
		v.SetString("another")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	default:
		return false
	}
	return true
}

// Each fact that can be declared changes something, and the pages of the
// language say what.
func TestEachFactChangesSomething(t *testing.T) {
	if testing.Short() {
		t.Skip("renders a protocol some hundred times")
	}
	measured := measure(t, loadKitchen(t))
	for _, name := range slices.Sorted(maps.Keys(measured)) {
		if !structural[name] && !checkedWhenLoaded[name] {
			assert.NotEmpty(t, measured[name], "%s changes nothing: use it, or remove it from the language", name)
		}
	}
	for _, page := range languagePages {
		checkLetters(t, page, measured)
	}
}

var (
	wordTable = regexp.MustCompile(`(?m)^<!-- words ?(\w*) -->\n\n(?:\|.*\n)+`)
	wordRow   = regexp.MustCompile("(?m)^\\| `(\\w+)` \\| (.*) \\| (\\S*) \\|$")
)

// checkLetters compares the last column of the tables of words, or writes it.
func checkLetters(t *testing.T, page string, measured map[string]string) {
	t.Helper()
	n := 0
	text := wordTable.ReplaceAllStringFunc(read(t, page), func(table string) string {
		owner := wordTable.FindStringSubmatch(table)[1]
		return wordRow.ReplaceAllStringFunc(table, func(row string) string {
			m := wordRow.FindStringSubmatch(row)
			if m[1] == owner {
				return row // the table's head
			}
			fact, ok := factOf(owner, m[1])
			if !ok {
				t.Errorf("%s: what fact does the word %s state? Say it in factsOfWords", page, m[1])
				return row
			}
			letters := "–"
			if fact != "" {
				l, known := measured[fact]
				assert.True(t, known, "%s: %s states %s, which the model does not have", page, m[1], fact)
				if l != "" {
					letters = l
				}
			}
			n++
			if !*update {
				assert.Equal(t, letters, m[3], "%s: what %s %s changes (run go test ./docs -run TestEachFact -update)", page, owner, m[1])
			}
			return "| `" + m[1] + "` | " + m[2] + " | " + letters + " |"
		})
	})
	require.Greater(t, n, 200, page)
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(text), 0o644))
	}
}

// factOf is the field of the model that a word states; none for words that only
// hold others.
func factOf(owner, word string) (fact string, ok bool) {
	if fact, ok := factsOfWords[strings.TrimPrefix(owner+"."+word, ".")]; ok {
		return fact, true
	}
	switch owner {
	case "", "members", "types", "unions":
		return "", false
	case "Keyed":
		owner = "Repeats"
	case "Marked":
		owner = "Mark"
	}
	return owner + "." + word, true
}

// factsOfWords are the words whose fact has another name.
var factsOfWords = map[string]string{
	"Protocol.Unknown": "Protocol.UnknownMembers", "Keep": "Protocol.UnknownMembers", "Drop": "Protocol.UnknownMembers", "Type": "Protocol.Types",
	"List": "", "Scopes": "", "Errors": "", "Notifications": "", "Links": "", "Activities": "", "Methods": "", "Machines": "",

	"members.json": "Field.Wire", "members.min": "Field.Min", "members.max": "Field.Max", "members.length": "Field.MaxLength",
	"members.pattern": "Field.Pattern", "members.default": "Field.Default", "members.since": "Field.Since", "members.sensitive": "Field.Sensitive", "members.intern": "Field.Intern",
	"Nullable": "Field.Presence", "Some": "Ex.Result", "Null": "Ex.Result", "Raw": "Ref.Kind", "Wide": "Ref.Wide", "None": "Method.Params", "types.Closed": "Enum.Closed",
	"unions.Union": "Type.Union", "unions.tag": "Union.Tag", "unions.content": "Union.Content", "unions.by": "Variant.Of", "unions.variant": "Variant.Wire",
	"unions.only": "Variant.Only", "unions.off": "Variant.OffWire", "unions.since": "Variant.Since",

	"Client": "Method.From", "Server": "Method.From", "In": "Within.Key",
	"Never": "Error.Retry", "SameKey": "Error.Retry", "After": "Error.Retry", "Reload": "Error.Retry",
	"ParseFault": "Error.Fault", "RequestFault": "Error.Fault", "MethodFault": "Error.Fault", "ParamsFault": "Error.Fault", "LimitFault": "Error.Fault",
	"OverloadFault": "Error.Fault", "CancelFault": "Error.Fault", "InternalFault": "Error.Fault", "ConnectionFault": "Error.Fault", "LagFault": "Error.Fault",
	"Notification.Examples": "Notification.Ex",
	"On":                    "Frame.Notification", "Variant": "Frame.Variant", "Key": "Frame.Key", "Where": "Frame.Where",
	"Is": "Is.Values", "True": "Is.Values", "Present": "Is.Member", "Absent": "Is.Absent",
	"Activity.Carries": "Notification.Carry", "Outcome.When": "Outcome.Is", "Bears": "Carry.Key",

	"Method.After": "Method.Order", "Method.AbsentAs": "Method.Absent",
	"Done": "Method.Accepts", "Admitted": "Method.Accepts", "Durable": "Method.Accepts", "Shared": "Method.Runs", "Serial": "Method.Runs", "Quick": "Method.Runs",
	"Cases": "Method.Settles", "When": "Case.If", "Otherwise": "Case.By",
	"AtResponse": "Way.How", "EndOf": "Way.Activity", "EndVia": "Way.Link", "EndTold": "Way.Key", "EndChosen": "Way.Chosen", "ByFrame": "Way.Frame", "ByCall": "Way.Method",
	"Ex": "Ex.Result", "Refused": "Ex.Error", "Shown": "Ex.Params",
	"Keyed.By": "Repeats.Key", "Keyed": "Repeats.How", "ReadOnly": "Repeats.How", "Idempotent": "Repeats.How", "Unsafe": "Repeats.How",
	"Fence.Stale": "Fence.Mismatch", "Agree": "Together.How", "Exclude": "Together.How", "Need": "Together.How", "Replays.Events": "Replays.Notification",

	"Machine.Values": "Dimension.Values", "Machine.Marked": "Machine.Mark", "Marked.By": "Mark.Method",
	"Of": "Dimension.Values", "While": "Track.Activity", "Heard": "Over.Frame", "Called": "Over.Method", "Call": "Move.Method", "Event": "Move.Event",
	"Says": "Cell.Says", "And": "Cell.Says", "Goes": "Cell.Next", "Fails": "Cell.Fails", "Waits": "Cell.Waits", "Impossible": "Machine.Cells", "Cuts": "Cell.Cuts",

	"Negotiation.Without": "Negotiation.Generation",
}
