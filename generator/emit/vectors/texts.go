// SPDX-License-Identifier: Apache-2.0

package vectors

import (
	"strings"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/spec/model"
)

// text adds what is true of texts, whatever they say, to the first type of a
// message that has a string.
func (w *world) text(c *Codecs) {
	for i := range c.Types {
		t := w.types[c.Types[i].Type]
		if t.Kind != model.KindStruct || !w.sent(t.Name) {
			continue
		}
		for _, f := range t.Fields {
			if w.under(f.Type).Kind == model.RefString && f.Presence == model.Required && f.Pattern == "" {
				w.texts(&c.Types[i], shape{t: t, own: t.Fields}, f)
				return
			}
		}
	}
}

// sent reports whether a type is that of a message.
func (w *world) sent(name string) bool {
	for _, m := range w.p.Methods {
		if m.Params == name {
			return true
		}
	}
	for _, n := range w.p.Notifications {
		if n.Params == name {
			return true
		}
	}
	return false
}

// notJSON are values that are none.
var notJSON = []struct{ name, text string }{
	{"nothing", ""},
	{"a word", "tru"},
	{"a word with a capital", "True"},
	{"an undefined number", "NaN"},
	{"a number with a leading zero", "01"},
	{"a number without an integer", ".5"},
	{"a number without a fraction", "1."},
	{"a number with a plus", "+1"},
	{"a number in hexadecimal", "0x10"},
	{"a minus alone", "-"},
	{"a comma after the last item", "[1,]"},
	{"two commas", "[1,,2]"},
	{"a comma after the last member", `{"a":1,}`},
	{"a name without quotes", "{a:1}"},
	{"a name that is no string", "{1:1}"},
	{"no colon", `{"a" 1}`},
	{"single quotes", "'a'"},
	{"a list without an end", "[1"},
	{"brackets that do not match", "[1}"},
	{"a control character in a string", "\"a\x01b\""},
	{"a line break in a string", "\"a\nb\""},
	{"an unknown escape", `"\q"`},
	{"an escape that is cut short", `"\u12"`},
	{"a comment", "/* a */1"},
}

func (w *world) texts(out *Type, s shape, f *model.Field) {
	least := w.object(s, false, nil, 0)
	refuse := func(name, text string, kind codec.Kind) {
		out.Refuses = append(out.Refuses, Refuse{Name: "text: " + name, Text: text, Kind: kind.String()})
	}
	path := func(name, text string, kind codec.Kind, path string) {
		out.Refuses = append(out.Refuses, Refuse{Name: "text: " + name, Text: text, Kind: kind.String(), Path: &path})
	}
	unknown := func(text string) string {
		return append(least[:len(least):len(least)], member{unknownName, text}).String()
	}
	for _, x := range notJSON {
		refuse(x.name, unknown(x.text), codec.Syntax)
	}
	refuse("more after the value", least.String()+" {}", codec.Syntax)
	refuse("no end", strings.TrimSuffix(least.String(), "}"), codec.Syntax)
	path("a name twice within a value that nobody knows", unknown(`[{"a":1,"b":2,"a":1}]`), codec.Duplicate, unknownName+"[0].a")
	path("a name twice, once escaped", unknown(`{"a":1,"\u0061":1}`), codec.Duplicate, unknownName+".a")
	path("half a surrogate pair", least.with(f.Wire, `"\ud83d"`).String(), codec.UTF8, pathOf("", f.Wire))
	path("the halves of a surrogate pair in the wrong order", least.with(f.Wire, `"\ude00\ud83d"`).String(), codec.UTF8, pathOf("", f.Wire))

	depth := w.depth()
	nested := func(n int) string { return strings.Repeat("[", n-1) + strings.Repeat("]", n-1) }
	path("too deep", unknown(nested(depth+1)), codec.Depth, unknownName+strings.Repeat("[0]", depth-1))
	deep := unknown(nested(depth))
	writes := deep
	if w.p.UnknownMembers != model.Kept {
		writes = least.String()
	}
	out.Reads = append(out.Reads, Read{Name: "text: as deep as may be", Text: deep, Writes: writes})

	for _, bad := range []struct{ name, text, read string }{
		{"a byte that is never in UTF-8", "a\xffb", "a\uFFFDb"},
		{"a character that is cut short", "a\xe6\xb1", "a\uFFFD\uFFFD"},
		{"a character that is longer than it need be", "\xc0\xaf", "\uFFFD\uFFFD"},
		{"half a surrogate pair, encoded", "\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},
	} {
		text := []byte(least.with(f.Wire, `"`+bad.text+`"`).String())
		at := pathOf("", f.Wire)
		out.Refuses = append(out.Refuses, Refuse{Name: "text: " + bad.name, Base64: text, Kind: codec.UTF8.String(), Path: &at})
		out.Reads = append(out.Reads, Read{
			Name: "text: " + bad.name, By: Lax, Base64: text, Writes: least.with(f.Wire, `"`+bad.read+`"`).String(),
		})
	}
	out.Reads = append(
		out.Reads,
		Read{Name: "text: half a surrogate pair", By: Lax, Text: least.with(f.Wire, `"\ud83d"`).String(), Writes: least.with(f.Wire, "\"\uFFFD\"").String()},
		Read{Name: "text: a name twice", By: Lax, Text: append(least[:len(least):len(least)], member{f.Wire, `"the last counts"`}).String(), Writes: least.with(f.Wire, `"the last counts"`).String()},
	)
}
