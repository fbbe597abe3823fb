// SPDX-License-Identifier: Apache-2.0

package check

import (
	"bytes"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/accordkit/accord/generator/internal/editdistance"
	"github.com/accordkit/accord/spec/model"
)

// step turns one word of problem.Problem.Fix into changes.
func (p *Source) step(at model.Pos, step []string) ([]Change, bool) {
	f := p.file(at.File)
	if f == nil || len(step) == 0 {
		return nil, false
	}
	offset, ok := p.offset(f, at)
	if !ok {
		return nil, false
	}
	args := step[1:]
	switch step[0] {
	case "replace": // OLD NEW: the text at the place
		if len(args) == 2 && bytes.HasPrefix(f.text[offset:], []byte(args[0])) {
			return []Change{{File: f.name, Start: offset, End: offset + len(args[0]), New: args[1]}}, true
		}
	case "paragraph": // the comment's line begins one
		line := bytes.LastIndexByte(f.text[:offset], '\n') + 1
		text := bytes.TrimLeft(f.text[line:], "\t ")
		if bytes.HasPrefix(text, []byte("//")) {
			indent := f.text[line : len(f.text)-len(text)]
			return []Change{{File: f.name, Start: line, End: line, New: string(indent) + "//\n"}}, true
		}
	case "tag": // KEY VALUE: of the member
		if len(args) == 2 {
			return p.tag(f, offset, func(t []pair) []pair { return set(t, args[0], args[1]) })
		}
	case "retag": // KEY KNOWN…: of the member, misspelt
		if len(args) > 1 {
			if right, ok := nearest(args[0], args[1:]); ok {
				return p.tag(f, offset, func(t []pair) []pair { return rename(t, args[0], right) })
			}
		}
	case "default": // VALUE KNOWN…: in the member's tag, misspelt
		if len(args) > 1 {
			if right, ok := nearest(args[0], args[1:]); ok {
				return p.tag(f, offset, func(t []pair) []pair { return within(t, "default", args[0], right) })
			}
		}
	case "value": // VALUE KNOWN…: a literal in the expression at the place, misspelt
		if len(args) > 1 {
			if right, ok := nearest(args[0], args[1:]); ok {
				return p.literal(f, offset, args[0], right)
			}
		}
	case "list": // VARIABLE FIELD NAME: add a name to a list
		if len(args) == 3 {
			return p.list(args[0], args[1], args[2])
		}
	case "address": // of the variable's literal, not of the variable
		if v := p.variable(f, offset); v != nil && v.Type == nil && len(v.Values) == 1 {
			return p.address(f, v)
		}
	case "remove": // the element of a list
		return p.remove(f, offset)
	}
	return nil, false
}

// pair is one key of a struct tag.
type pair struct{ key, value string }

func set(tag []pair, key, value string) []pair {
	for i := range tag {
		if tag[i].key == key {
			tag[i].value = value
			return tag
		}
	}
	return append(tag, pair{key, value})
}

func rename(tag []pair, key, to string) []pair {
	if slices.ContainsFunc(tag, func(t pair) bool { return t.key == to }) {
		return nil
	}
	for i := range tag {
		if tag[i].key == key {
			tag[i].key = to
			return tag
		}
	}
	return nil
}

// within replaces a word of a value.
func within(tag []pair, key, old, now string) []pair {
	word := regexp.MustCompile(`(^|[:;]\s*)` + regexp.QuoteMeta(old) + `(\s*(?:;|$))`)
	for i := range tag {
		if tag[i].key == key && len(word.FindAllString(tag[i].value, -1)) == 1 {
			tag[i].value = word.ReplaceAllString(tag[i].value, "${1}"+strings.ReplaceAll(now, "$", "$$")+"${2}")
			return tag
		}
	}
	return nil
}

// tag changes the struct tag of the field whose name is at an offset. A change
// that gives nothing is none.
func (p *Source) tag(f *file, offset int, change func([]pair) []pair) ([]Change, bool) {
	var field *ast.Field
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if x, ok := n.(*ast.Field); ok && len(x.Names) == 1 && p.offsetOf(x.Names[0].Pos()) == offset {
			field = x
		}
		return field == nil
	})
	if field == nil {
		return nil, false
	}
	var tag []pair
	if field.Tag != nil {
		text, err := strconv.Unquote(field.Tag.Value)
		if err != nil {
			return nil, false
		}
		for rest := strings.TrimSpace(text); rest != ""; {
			key, after, _ := strings.Cut(rest, ":")
			quoted, err := strconv.QuotedPrefix(after)
			if err != nil {
				return nil, false
			}
			value, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, false
			}
			tag = append(tag, pair{key, value})
			rest = strings.TrimSpace(after[len(quoted):])
		}
	}
	if tag = change(tag); len(tag) == 0 {
		return nil, false
	}
	var parts []string
	for _, t := range tag {
		parts = append(parts, t.key+":"+strconv.Quote(t.value))
	}
	text := strings.Join(parts, " ")
	if strings.Contains(text, "`") {
		return nil, false
	}
	if field.Tag == nil {
		return []Change{p.change(f, field.Type.End(), field.Type.End(), " `"+text+"`")}, true
	}
	return []Change{p.change(f, field.Tag.Pos(), field.Tag.End(), "`"+text+"`")}, true
}

// literal replaces a string in the expression that begins at an offset, if it
// stands there once.
func (p *Source) literal(f *file, offset int, old, now string) ([]Change, bool) {
	var found []*ast.BasicLit
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && p.offsetOf(e.Pos()) == offset {
			ast.Inspect(e, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if text, err := strconv.Unquote(lit.Value); err == nil && text == old {
						found = append(found, lit)
					}
				}
				return true
			})
			return false
		}
		return true
	})
	if len(found) != 1 {
		return nil, false
	}
	return []Change{p.change(f, found[0].Pos(), found[0].End(), strconv.Quote(now))}, true
}

// variable is the declaration whose name is at an offset.
func (p *Source) variable(f *file, offset int) *ast.ValueSpec {
	for _, d := range f.syntax.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			if v, ok := s.(*ast.ValueSpec); ok && len(v.Names) == 1 && p.offsetOf(v.Names[0].Pos()) == offset {
				return v
			}
		}
	}
	return nil
}

// address makes a variable a pointer to its literal, and takes the & off where the
// variable is used.
func (p *Source) address(f *file, v *ast.ValueSpec) ([]Change, bool) {
	if _, ok := v.Values[0].(*ast.CompositeLit); !ok {
		return nil, false
	}
	out := []Change{p.change(f, v.Values[0].Pos(), v.Values[0].Pos(), "&")}
	uses := 0
	for _, other := range p.all() {
		ast.Inspect(other.syntax, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.UnaryExpr:
				if id, ok := x.X.(*ast.Ident); ok && x.Op == token.AND && id.Name == v.Names[0].Name {
					out = append(out, p.change(other, x.Pos(), x.X.Pos(), ""))
					return false
				}
			case *ast.Ident:
				if x.Name == v.Names[0].Name && x != v.Names[0] {
					uses++ // of the value
				}
			}
			return true
		})
	}
	return out, uses == 0
}

// constructors are the functions that make lists, by the field that takes them.
var constructors = map[string]string{
	"Errors": "Errors", "Scopes": "Scopes", "Capabilities": "List", "Notifications": "Notifications", "Links": "Links",
	"Activities": "Activities", "Methods": "Methods", "Machines": "Machines", "Generations": "List", "Limits": "List",
	"Rules": "List", "Allows": "List", "Lacks": "Methods",
}

// list adds a name at the end of a list in a variable's literal.
func (p *Source) list(variable, field, name string) ([]Change, bool) {
	for _, f := range p.all() {
		for _, d := range f.syntax.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				v, ok := s.(*ast.ValueSpec)
				if !ok || len(v.Names) != 1 || v.Names[0].Name != variable || len(v.Values) != 1 {
					continue
				}
				if lit := literalOf(v.Values[0]); lit != nil {
					return p.listIn(f, lit, field, name)
				}
			}
		}
	}
	return nil, false
}

func literalOf(e ast.Expr) *ast.CompositeLit {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	lit, _ := e.(*ast.CompositeLit)
	return lit
}

func (p *Source) listIn(f *file, lit *ast.CompositeLit, field, name string) ([]Change, bool) {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil, false
		}
		if key, ok := kv.Key.(*ast.Ident); !ok || key.Name != field {
			continue
		}
		switch x := kv.Value.(type) {
		case *ast.CallExpr:
			if constructor, ok := x.Fun.(*ast.SelectorExpr); ok && !x.Ellipsis.IsValid() && slices.Contains([]string{constructors[field], "List"}, constructor.Sel.Name) {
				return p.append(f, x.Args, x.Lparen+1, x.Rparen, name), true
			}
		case *ast.CompositeLit:
			return p.append(f, x.Elts, x.Lbrace+1, x.Rbrace, name), true
		}
		return nil, false
	}
	sel, ok := lit.Type.(*ast.SelectorExpr) // spec.Protocol
	if !ok || constructors[field] == "" || len(lit.Elts) == 0 {
		return nil, false
	}
	pkg, ok := sel.X.(*ast.Ident)
	if !ok {
		return nil, false
	}
	return p.append(f, lit.Elts, lit.Lbrace+1, lit.Rbrace, field+": "+pkg.Name+"."+constructors[field]+"("+name+")"), true
}

// append adds an item behind the last, on a line of its own if the closing
// bracket has one.
func (p *Source) append(f *file, items []ast.Expr, begin, end token.Pos, item string) []Change {
	if len(items) == 0 {
		return []Change{p.change(f, begin, end, item)}
	}
	last := items[len(items)-1].End()
	if p.fset.Position(last).Line == p.fset.Position(end).Line {
		return []Change{p.change(f, last, last, ", "+item)}
	}
	// Behind the comma and what follows it on its line.
	at := p.offsetOf(last)
	line := at + bytes.IndexByte(f.text[at:], '\n')
	return []Change{{File: f.name, Start: line, End: line, New: "\n" + item + ","}}
}

// remove takes out the element of a list that begins at an offset, or a variable
// and its name in lists.
func (p *Source) remove(f *file, offset int) ([]Change, bool) {
	if v := p.variable(f, offset); v != nil {
		return p.removeVariable(f, v)
	}
	var out []Change
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if items, end := itemsOf(n); out == nil {
			for i, item := range items {
				if p.offsetOf(item.Pos()) == offset {
					out = []Change{p.without(f, items, i, end)}
					return false
				}
			}
		}
		return out == nil
	})
	return out, out != nil
}

func (p *Source) removeVariable(f *file, v *ast.ValueSpec) ([]Change, bool) {
	var out []Change
	for _, d := range f.syntax.Decls {
		if g, ok := d.(*ast.GenDecl); ok && len(g.Specs) == 1 && g.Specs[0] == v {
			from := g.Pos()
			if g.Doc != nil {
				from = g.Doc.Pos()
			}
			c := p.change(f, from, g.End(), "")
			for c.End < len(f.text) && f.text[c.End] == '\n' { // and the lines that part it from the next
				c.End++
			}
			out = append(out, c)
		}
	}
	if out == nil {
		return nil, false // one of a group
	}
	for _, other := range p.all() {
		uses, listed := 0, []Change(nil)
		ast.Inspect(other.syntax, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name == v.Names[0].Name && id != v.Names[0] {
				uses++
			}
			items, end := itemsOf(n)
			for i, item := range items {
				if id, ok := item.(*ast.Ident); ok && id.Name == v.Names[0].Name {
					listed = append(listed, p.without(other, items, i, end))
				}
			}
			return true
		})
		if uses != len(listed) {
			return nil, false // something else needs it
		}
		out = append(out, listed...)
	}
	return out, true
}

// itemsOf are the elements of a list: a call's arguments, a literal's.
func itemsOf(n ast.Node) ([]ast.Expr, token.Pos) {
	switch x := n.(type) {
	case *ast.CallExpr:
		return x.Args, x.Rparen
	case *ast.CompositeLit:
		return x.Elts, x.Rbrace
	}
	return nil, token.NoPos
}

// without takes out an element, its comma and, of the last on a line, the line's
// rest and the comment above it. Of the only one it takes out the list, if that is
// a field of a literal.
func (p *Source) without(f *file, items []ast.Expr, i int, end token.Pos) Change {
	if len(items) == 1 {
		var field *Change
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			for j := 0; ok && j < len(lit.Elts); j++ {
				if kv, ok := lit.Elts[j].(*ast.KeyValueExpr); ok && kv.End() == end+1 && len(lit.Elts) > 1 {
					c := p.without(f, lit.Elts, j, lit.Rbrace)
					field = &c
				}
			}
			return field == nil
		})
		if field != nil {
			return *field
		}
	}
	c := p.change(f, items[i].Pos(), items[i].End(), "")
	c.list = p.offsetOf(end)
	switch {
	case i+1 < len(items) && p.fset.Position(items[i+1].Pos()).Line == p.fset.Position(items[i].End()).Line:
		c.End = p.offsetOf(items[i+1].Pos())
		return c
	case i > 0 && p.fset.Position(items[i-1].End()).Line == p.fset.Position(items[i].Pos()).Line:
		c.Start = p.offsetOf(items[i-1].End())
		return c
	}
	rest := f.text[c.End:p.offsetOf(end)]
	if trimmed := bytes.TrimLeft(rest, ", \t"); len(trimmed) > 0 && trimmed[0] == '\n' {
		c.End += len(rest) - len(trimmed)
		c.Start = bytes.LastIndexByte(f.text[:c.Start], '\n')
		for _, g := range f.syntax.Comments {
			begin := bytes.LastIndexByte(f.text[:p.offsetOf(g.Pos())], '\n')
			alone := len(bytes.TrimSpace(f.text[begin+1:p.offsetOf(g.Pos())])) == 0
			if alone && p.fset.Position(g.End()).Line == p.fset.Position(items[i].Pos()).Line-1 {
				c.Start = begin
			}
		}
	}
	return c
}

// nearest is the one of several words that another is a slip of: at most two
// letters away, and no other as near.
func nearest(word string, known []string) (string, bool) {
	best, least, several := "", 3, false
	for _, k := range known {
		switch d := editdistance.Distance(word, k); {
		case d < least:
			best, least, several = k, d, false
		case d == least:
			several = true
		}
	}
	return best, least <= 2 && least < utf8.RuneCountInString(word) && !several
}
