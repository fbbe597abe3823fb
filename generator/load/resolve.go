// SPDX-License-Identifier: Apache-2.0

package load

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// found is what syntax has at a place.
type found struct {
	pos   model.Pos
	doc   *ast.CommentGroup
	trail *ast.CommentGroup
	group *ast.CommentGroup
}

// resolve looks up a spec.Place.
func (s *source) resolve(place string) found {
	kind, rest, _ := strings.Cut(place, " ")
	switch kind {
	case "var":
		return s.resolveVariable(rest)
	case "type":
		path, name, _ := strings.Cut(rest, " ")
		if t := s.typeSpec(path, name); t != nil {
			return found{pos: s.at(t.spec.Name), doc: t.doc, group: t.group}
		}
	case "field":
		part := strings.Split(rest, " ")
		if len(part) != 3 {
			break
		}
		if t := s.typeSpec(part[0], part[1]); t != nil {
			if name, doc, trail := t.field(part[2]); name != nil {
				return found{pos: s.at(name), doc: doc, trail: trail}
			}
			return found{pos: s.at(t.spec.Name)}
		}
	case "const": // the loader's own
		path, name, _ := strings.Cut(rest, " ")
		v := s.index.values[name]
		if path != s.pkg.PkgPath {
			if obj := s.object(path, name); obj != nil {
				s.index.addFile(path, s.index.fset.Position(obj.Pos()).Filename)
			}
			v = s.index.others[rest]
		}
		if v != nil {
			return found{pos: s.at(v.name), doc: v.doc, trail: v.trail}
		}
	case "line":
		number, file, _ := strings.Cut(rest, " ")
		if n, err := strconv.Atoi(number); err == nil {
			return found{pos: s.rel(s.index.lineStart(file, n))}
		}
	}
	if v := s.index.values[s.protocol]; v != nil { // the least that is known
		return found{pos: s.at(v.name)}
	}
	return found{}
}

func (s *source) at(n ast.Node) model.Pos { return s.rel(s.index.fset.Position(n.Pos())) }

// resolveVariable walks from a variable's literal along a path of fields and
// elements, as far as syntax goes; what a helper or a loop made has the place
// of what called it.
func (s *source) resolveVariable(path string) found {
	name, steps := splitPath(path)
	v := s.index.values[name]
	if v == nil {
		return found{}
	}
	if len(steps) == 0 {
		return found{pos: s.at(v.name), doc: v.doc, trail: v.trail}
	}
	here, node := ast.Node(v.name), v.literal
	for _, step := range steps {
		next, value := s.step(node, step)
		if next == nil {
			return found{pos: s.at(here)}
		}
		here, node = next, value
	}
	return found{pos: s.at(here), doc: s.index.commentAbove(here)}
}

// step goes one field or element down: to where it begins, and to its value.
func (s *source) step(e ast.Expr, step string) (ast.Node, ast.Expr) {
	e = s.unwrapped(e)
	index, err := strconv.Atoi(step)
	isIndex := err == nil
	switch e := e.(type) {
	case *ast.CompositeLit:
		if isIndex {
			if index < len(e.Elts) {
				return e.Elts[index], e.Elts[index]
			}
			return nil, nil
		}
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				if k, ok := kv.Key.(*ast.Ident); ok && k.Name == step {
					return kv, kv.Value
				}
			}
		}
	case *ast.CallExpr:
		if isIndex && index < len(e.Args) {
			return e.Args[index], e.Args[index]
		}
	}
	return nil, nil
}

// unwrapped takes off &, parentheses and names of the package's variables.
func (s *source) unwrapped(e ast.Expr) ast.Expr {
	for range 8 {
		switch x := e.(type) {
		case *ast.UnaryExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.Ident:
			v := s.index.values[x.Name]
			if v == nil || v.literal == nil {
				return e
			}
			e = v.literal
		default:
			return e
		}
	}
	return e
}

// splitPath takes "Move.Settles[1].Key" apart.
func splitPath(path string) (name string, steps []string) {
	part := strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
	if len(part) == 0 {
		return "", nil
	}
	return part[0], part[1:]
}

// typeSpec finds a type's declaration, in another package by reading the file
// that its object names.
func (s *source) typeSpec(path, name string) *typed {
	if t := s.index.types[path][name]; t != nil {
		return t
	}
	if obj := s.object(path, name); obj != nil && path != s.pkg.PkgPath {
		s.index.addFile(path, s.index.fset.Position(obj.Pos()).Filename)
	}
	return s.index.types[path][name]
}

// object finds a package-level object in the spec package or what it imports.
func (s *source) object(path, name string) types.Object {
	if path == s.pkg.PkgPath {
		return s.pkg.Types.Scope().Lookup(name)
	}
	seen := map[*types.Package]bool{}
	var search func(p *types.Package) types.Object
	search = func(p *types.Package) types.Object {
		if seen[p] {
			return nil
		}
		seen[p] = true
		if p.Path() == path {
			return p.Scope().Lookup(name)
		}
		for _, i := range p.Imports() {
			if o := search(i); o != nil {
				return o
			}
		}
		return nil
	}
	return search(s.pkg.Types)
}
