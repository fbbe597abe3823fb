// SPDX-License-Identifier: Apache-2.0

package load

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

var (
	posType  = reflect.TypeFor[model.Pos]()
	textType = reflect.TypeFor[model.Text]()
)

// join replaces the places in a model by positions, fills in the texts, makes
// enums of the strings and integers that have constants, and puts types into source order.
func (s *source) join(m *model.Protocol, problems *problem.List) {
	wide := map[string]bool{} // enums of integers
	for _, t := range m.Types {
		s.renamed(t, problems)
		s.enum(t, problems)
		wide[t.Name] = t.Enum != nil && t.Enum.Integer
	}
	for _, t := range m.Types {
		s.unbound(t.Fields, wide)
	}
	for _, e := range m.Errors {
		s.unbound(e.Data, wide)
	}
	reader := textReader{source: s, problems: problems, seen: map[model.Pos]bool{}, reached: map[string]bool{}}
	reader.walk(reflect.ValueOf(m))
	for _, name := range s.variables { // those too that no list has
		if at := s.resolve("var " + name); !reader.seen[at.pos] {
			_, wrong := readText(at.doc)
			reader.report(wrong)
		}
	}
	s.reached = reader.reached
	slices.SortStableFunc(m.Types, func(a, b *model.Type) int {
		return cmp.Or(cmp.Compare(outside(a.Pos), outside(b.Pos)), cmp.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Name, b.Name))
	})
}

// outside sorts types of other packages behind the spec's own.
func outside(p model.Pos) int {
	if strings.HasPrefix(p.File, "../") || strings.HasPrefix(p.File, "/") {
		return 1
	}
	return 0
}

// textReader gives each part of a model its position and text.
type textReader struct {
	source   *source
	problems *problem.List
	seen     map[model.Pos]bool // one text may stand at several parts: report once
	reached  map[string]bool    // the spec package's types that the model stands on
}

func (r *textReader) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			r.walk(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			r.walk(v.Index(i))
		}
	case reflect.Struct:
		if pos := v.FieldByName("Pos"); pos.IsValid() && pos.Type() == posType {
			r.fill(v, pos)
		}
		for i := range v.NumField() {
			if t := v.Field(i).Type(); t != posType && t != textType {
				r.walk(v.Field(i))
			}
		}
	}
}

func (r *textReader) fill(v, pos reflect.Value) {
	place := pos.Interface().(model.Pos).File
	if place == "" || pos.Interface().(model.Pos).Line > 0 {
		return
	}
	if part := strings.Split(place, " "); len(part) >= 3 && part[1] == r.source.pkg.PkgPath {
		r.reached[part[2]] = true
	}
	at := r.source.resolve(place)
	pos.Set(reflect.ValueOf(at.pos))
	doc := v.FieldByName("Doc")
	if !doc.IsValid() || doc.Type() != textType {
		return
	}
	text, wrong := readText(at.doc)
	doc.Set(reflect.ValueOf(text))
	if r.seen[at.pos] {
		return
	}
	r.seen[at.pos] = true
	r.report(wrong)
	if t := at.trail; t != nil && hasText(t) {
		r.misplaced(text, at.pos)
		r.problems.Warn(r.source.rel(r.source.index.fset.Position(t.Pos())),
			"a comment at the end of the line is not read: put the text above, English first, then zh:")
	}
	if g := at.group; g != nil {
		r.misplaced(text, at.pos)
		r.problems.Warn(r.source.rel(r.source.index.fset.Position(g.Pos())),
			"this text stands above a group of several types and belongs to none: put it above its own, with a blank line before the next")
	}
}

func (r *textReader) report(wrong []wrong) {
	for _, w := range wrong {
		r.problems.Add(r.source.rel(r.source.index.fset.Position(w.pos)), "%s", w.text)
		if w.fix != nil {
			(*r.problems)[len(*r.problems)-1].Fix = [][]string{w.fix}
		}
	}
}

// misplaced notes a part whose text is in the wrong place, where it is
// reported.
func (r *textReader) misplaced(text model.Text, at model.Pos) {
	if text == (model.Text{}) {
		r.source.misplaced = append(r.source.misplaced, at)
	}
}

// unreached warns of payload structs that no message has.
func (s *source) unreached(problems *problem.List) {
	for name, t := range s.index.types[s.pkg.PkgPath] {
		st, ok := t.spec.Type.(*ast.StructType)
		if !ok || s.reached[name] {
			continue
		}
		for _, f := range st.Fields.List {
			if f.Tag != nil && (strings.Contains(f.Tag.Value, `json:"`) || strings.Contains(f.Tag.Value, `variant:"`)) {
				problems.Warn(s.at(t.spec.Name), "no message reaches %s: list it in the protocol's Types, or remove it", name)
				break
			}
		}
	}
}

// maxExact is the greatest integer that every reader of JSON keeps exact.
const maxExact = 1<<53 - 1

// unbound takes from members that are enums of integers the bounds of the Go type
// that their author chose: constants are what an enum's values are, and others may
// come.
func (s *source) unbound(fields []*model.Field, enums map[string]bool) {
	for _, f := range fields {
		if f.Type == nil || f.Type.Kind != model.RefNamed || !enums[f.Type.Name] {
			continue
		}
		tag := s.tagOf(f.Pos.File)
		if _, said := tag.Lookup("min"); !said {
			f.Min = nil
		}
		if _, said := tag.Lookup("max"); !said {
			f.Max = nil
		}
	}
}

// tagOf is the tag of the member at a place, as its author wrote it.
func (s *source) tagOf(place string) reflect.StructTag {
	part := strings.Split(place, " ") // "field", the package, the type, the member
	if len(part) != 4 {
		return ""
	}
	declared := s.index.types[part[1]][part[2]]
	if declared == nil {
		return ""
	}
	st, ok := declared.spec.Type.(*ast.StructType)
	if !ok {
		return ""
	}
	for _, f := range st.Fields.List {
		if f.Tag == nil || !slices.ContainsFunc(f.Names, func(n *ast.Ident) bool { return n.Name == part[3] }) {
			continue
		}
		tag, err := strconv.Unquote(f.Tag.Value)
		if err == nil {
			return reflect.StructTag(tag)
		}
	}
	return ""
}

// renamed reports a type that is defined as one of the language's: what that
// means would be lost, because values do not show it.
func (s *source) renamed(t *model.Type, problems *problem.List) {
	path, name, _ := strings.Cut(strings.TrimPrefix(t.Pos.File, "type "), " ")
	declared := s.index.types[path][name]
	if path != s.pkg.PkgPath || declared == nil {
		return
	}
	of, ok := types.Unalias(s.pkg.TypesInfo.TypeOf(declared.spec.Type)).(*types.Named)
	if ok && of.Obj().Pkg() != nil && of.Obj().Pkg().Path() == specPath {
		problems.Add(s.at(declared.spec.Name), "%s is spec.%s by another name, under which it means nothing: use spec.%[2]s itself", name, of.Obj().Name())
	}
}

// enum turns a defined string or integer that has constants into an enum, with its
// values in source order.
func (s *source) enum(t *model.Type, problems *problem.List) {
	if t.Kind != model.KindNamed || t.Of == nil || t.Of.Kind != model.RefString && t.Of.Kind != model.RefInt {
		return
	}
	path, name, _ := strings.Cut(strings.TrimPrefix(t.Pos.File, "type "), " ")
	obj := s.object(path, name)
	if obj == nil {
		return
	}
	named, ok := types.Unalias(obj.Type()).(*types.Named)
	if !ok {
		return
	}
	closed := false
	for i := range named.NumMethods() {
		closed = closed || named.Method(i).Name() == "Closed"
	}
	values := s.constants(obj.Pkg(), named)
	if len(values) == 0 {
		if closed {
			problems.Add(s.rel(s.index.fset.Position(obj.Pos())), "%s is closed, but has no constants", name)
		}
		return
	}
	integer := t.Of.Kind == model.RefInt
	t.Kind, t.Of = model.KindEnum, nil
	t.Enum = &model.Enum{Closed: closed, Integer: integer}
	byWire := map[string]string{}
	for _, c := range values {
		p := s.index.fset.Position(c.Pos())
		wire := ""
		if integer {
			n, exact := constant.Int64Val(c.Val())
			if !exact || n > maxExact || n < -maxExact {
				problems.Add(s.rel(p), "%s is past 2^53-1, where integers are not exact in every language", c.Name())
				continue
			}
			wire = strconv.FormatInt(n, 10)
		} else {
			wire = constant.StringVal(c.Val())
		}
		if other, ok := byWire[wire]; ok {
			problems.Add(s.rel(p), "%s and %s have the same value %q", other, c.Name(), wire)
			continue
		}
		byWire[wire] = c.Name()
		t.Enum.Values = append(t.Enum.Values, &model.EnumValue{
			Name: c.Name(), Wire: wire, Pos: model.Pos{File: "const " + path + " " + c.Name()},
		})
	}
}

// constants are the exported constants of a package by their type, in the order
// of the source.
func (s *source) constants(pkg *types.Package, named *types.Named) []*types.Const {
	if list, ok := s.consts[pkg]; ok {
		return list[named.Obj()]
	}
	byType := map[*types.TypeName][]*types.Const{}
	for _, name := range pkg.Scope().Names() {
		c, ok := pkg.Scope().Lookup(name).(*types.Const)
		if !ok || !c.Exported() {
			continue
		}
		if t, ok := types.Unalias(c.Type()).(*types.Named); ok && t.TypeArgs().Len() == 0 {
			byType[t.Obj()] = append(byType[t.Obj()], c)
		}
	}
	for _, list := range byType {
		slices.SortFunc(list, func(a, b *types.Const) int {
			p, q := s.index.fset.Position(a.Pos()), s.index.fset.Position(b.Pos())
			return cmp.Or(cmp.Compare(p.Filename, q.Filename), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
		})
	}
	s.consts[pkg] = byType
	return byType[named.Obj()]
}
