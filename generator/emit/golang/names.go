// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"go/token"
	"slices"
	"strings"
	"unicode"

	"github.com/accordkit/accord/spec/model"
)

// names are the identifiers of a generated package that no author wrote. They
// are made here and nowhere else.
type names struct {
	pkg    string
	unions map[string]*unionNames // by type
}

// unionNames are the identifiers around one union.
type unionNames struct {
	iface   string // the interface that the variants implement
	method  string // its method that gives the tag
	marker  string // its method that no other type can have
	unknown string // the struct of a variant that is not known
	tag     string // that struct's field with the tag
	content string // field of the struct that holds the interface; empty: the union is the interface
	create  string // function that makes the variant of a tag
	read    string // function that reads the interface
	write   string // function that writes it, of a union that is an interface
}

func (g *gen) newNames() *names {
	n := &names{pkg: packageName(g.p.Name), unions: map[string]*unionNames{}}
	taken := map[string]string{}
	take := func(pos model.Pos, name, what string) {
		if other, ok := taken[name]; ok {
			g.problems.Add(pos, "%s needs the Go name %s, which is taken by %s: rename one of them", what, name, other)
			return
		}
		taken[name] = what
	}
	for _, t := range g.p.Types {
		take(t.Pos, t.Name, "type "+t.Name)
		if t.Enum != nil {
			for _, v := range t.Enum.Values {
				take(v.Pos, v.Name, "value "+v.Name+" of "+t.Name)
			}
		}
	}
	for _, t := range g.p.Types {
		if t.Kind != model.KindUnion {
			continue
		}
		u := newUnionNames(t)
		n.unions[t.Name] = u
		what := "union " + t.Name
		if u.iface != t.Name {
			take(t.Pos, u.iface, what)
		}
		take(t.Pos, u.unknown, what)
		for _, v := range t.Union.Variants {
			if byShape(t) {
				if name, own := variantName(t, v); own {
					take(v.Pos, name, "variant "+v.Name+" of "+t.Name)
				}
				continue
			}
			take(v.Pos, u.constant(v), "variant "+v.Name+" of "+t.Name)
			g.checkMembers(g.types[v.Type], u.method)
		}
		if u.content != "" {
			g.checkMembers(t, u.tag, u.content)
		}
	}
	for _, t := range g.p.Types {
		g.checkMembers(t, "Extra", "AppendJSON", "DecodeJSON", "MarshalJSON", "UnmarshalJSON")
	}
	for _, e := range g.p.Errors {
		take(e.Pos, errorName(e), "error "+e.Kind)
		take(e.Pos, kindName(e), "error "+e.Kind)
	}
	for _, name := range []string{"DecodeError", "KindOf", "RetryOf"} {
		take(g.p.Pos, name, "what is asked of errors")
	}
	for _, k := range clientKinds {
		if k.fault == "" || g.errorFor(k.fault) == nil {
			take(g.p.Pos, k.name, "what a client finds by itself")
		}
	}
	for _, c := range retryClasses {
		take(g.p.Pos, "Retry"+c.name, "what may be done after an error")
	}
	if always, values := g.sensitive(); len(always)+len(values) > 0 {
		take(g.p.Pos, "Redact", "what is sensitive")
	}
	return n
}

// checkMembers reports members of a struct whose Go names generated code needs.
func (g *gen) checkMembers(t *model.Type, needed ...string) {
	if t == nil {
		return
	}
	for _, f := range t.Fields {
		if slices.Contains(needed, f.Name) {
			g.problems.Add(f.Pos, "the Go name of %s.%s is needed by generated code: rename it", t.Name, f.Name)
		}
	}
}

func newUnionNames(t *model.Type) *unionNames {
	if byShape(t) {
		return &unionNames{iface: t.Name, marker: "is" + t.Name, unknown: "Unknown" + t.Name, read: decodeFunc(t.Name), write: appendFunc(t.Name)}
	}
	tag := exported(t.Union.Tag)
	u := &unionNames{
		iface:   t.Name,
		method:  t.Name + tag,
		unknown: "Unknown" + t.Name,
		tag:     tag,
		read:    "Decode" + t.Name,
		write:   "Append" + t.Name,
	}
	if strings.HasSuffix(t.Name, tag) && t.Name != tag {
		u.method = t.Name
	}
	if t.Union.Content != "" {
		u.content = exported(t.Union.Content)
		u.iface = t.Name + u.content
		u.read, u.write = "decode"+u.iface, ""
	}
	u.marker, u.create = "is"+u.iface, "new"+u.iface
	return u
}

// constant names the tag value of a variant: EventTypeEnd.
func (u *unionNames) constant(v *model.Variant) string { return u.method + v.Name }

// errorName is the type of a domain error: JamError for a variable Jam, ErrJam or
// JamError.
func errorName(e *model.Error) string { return errorBase(e) + "Error" }

// kindName is the constant of an error's kind: KindJam.
func kindName(e *model.Error) string { return "Kind" + errorBase(e) }

func errorBase(e *model.Error) string {
	base := e.Var
	if rest := strings.TrimPrefix(base, "Err"); rest != "" && token.IsExported(rest) {
		base = rest
	}
	if rest := strings.TrimSuffix(base, "Error"); rest != "" {
		base = rest
	}
	return base
}

// members names the table of a struct's members.
func members(typeName string) string { return unexported(typeName) + "Members" }

// form names the compiled pattern of a member.
func form(typeName, fieldName string) string { return unexported(typeName) + fieldName + "Form" }

// decodeEnum names the function that reads an enum.
func decodeEnum(typeName string) string { return "decode" + typeName }

// packageName makes a package name of a protocol's name.
func packageName(protocol string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(protocol) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) && b.Len() > 0 {
			b.WriteRune(r)
		}
	}
	name := b.String()
	if name == "" || token.IsKeyword(name) {
		name += "protocol"
	}
	return name
}

// initialisms are words that Go writes in capitals.
var initialisms = map[string]bool{
	"api": true, "cpu": true, "cwd": true, "html": true, "http": true, "id": true, "ip": true, "json": true, "pid": true,
	"rpc": true, "sql": true, "ttl": true, "uid": true, "uri": true, "url": true, "utf8": true, "uuid": true, "xml": true,
}

// exported makes a Go name of a wire name: "retry-after" is RetryAfter,
// "sessionId" is SessionID.
func exported(wire string) string {
	var b strings.Builder
	for _, w := range words(wire) {
		if initialisms[strings.ToLower(w)] {
			b.WriteString(strings.ToUpper(w))
			continue
		}
		r := []rune(w)
		b.WriteString(string(unicode.ToUpper(r[0])) + string(r[1:]))
	}
	if name := b.String(); token.IsIdentifier(name) && token.IsExported(name) {
		return name
	}
	return "X" + b.String()
}

// words cuts a wire name at case changes and at what is neither letter nor
// digit.
func words(wire string) []string {
	var list []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			list = append(list, string(word))
		}
		word = nil
	}
	for _, r := range wire {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && len(word) > 0 && !unicode.IsUpper(word[len(word)-1]):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return list
}

// unexported lowers a Go name's first word: JobID is jobID, CWDParams is
// cwdParams.
func unexported(name string) string {
	r := []rune(name)
	for i := range r {
		if i > 0 && i+1 < len(r) && unicode.IsLower(r[i+1]) {
			break
		}
		if !unicode.IsUpper(r[i]) {
			break
		}
		r[i] = unicode.ToLower(r[i])
	}
	if name := string(r); !token.IsKeyword(name) {
		return name
	}
	return string(r) + "Value"
}

// plural is the name of several things of a name.
func plural(name string) string {
	switch {
	case strings.HasSuffix(name, "s"):
		return name
	case strings.HasSuffix(name, "y") && !strings.ContainsAny(name[max(len(name)-2, 0):len(name)-1], "aeiou"):
		return strings.TrimSuffix(name, "y") + "ies"
	case strings.HasSuffix(name, "x"), strings.HasSuffix(name, "ch"), strings.HasSuffix(name, "sh"):
		return name + "es"
	}
	return name + "s"
}

// docAs is a text that begins with the declaration's own name, as the text of
// another name.
func docAs(doc, from, to string) string {
	doc = strings.TrimSpace(doc)
	if rest, ok := strings.CutPrefix(doc, from+" "); ok {
		return to + " " + rest
	}
	return doc
}
