// SPDX-License-Identifier: Apache-2.0

package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

// index finds declarations in syntax by name.
type index struct {
	fset   *token.FileSet
	values map[string]*value            // variables and constants of the spec package
	others map[string]*value            // of other packages, by "path name"
	types  map[string]map[string]*typed // by package path and name
	above  map[string]map[int]*ast.CommentGroup
	read   map[string]bool // files of other packages
}

// value is one variable or constant.
type value struct {
	name    *ast.Ident
	literal ast.Expr // nil if there is none of its own
	doc     *ast.CommentGroup
	trail   *ast.CommentGroup
}

// typed is one type declaration.
type typed struct {
	spec *ast.TypeSpec
	doc  *ast.CommentGroup
	// group is the text above a group of several, which belongs to none of them.
	group *ast.CommentGroup
}

func newIndex(fset *token.FileSet) *index {
	return &index{
		fset: fset, values: map[string]*value{}, others: map[string]*value{}, types: map[string]map[string]*typed{},
		above: map[string]map[int]*ast.CommentGroup{}, read: map[string]bool{},
	}
}

// add indexes a file of a package.
func (x *index) add(pkgPath string, f *ast.File) {
	if x.types[pkgPath] == nil {
		x.types[pkgPath] = map[string]*typed{}
	}
	above := map[int]*ast.CommentGroup{}
	for _, g := range f.Comments {
		above[x.fset.Position(g.End()).Line] = g
	}
	x.above[x.fset.Position(f.Pos()).Filename] = above
	for _, d := range f.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				t := &typed{spec: s, doc: s.Doc}
				if !d.Lparen.IsValid() {
					t.doc = d.Doc
				} else if t.doc == nil {
					t.group = d.Doc
				}
				x.types[pkgPath][s.Name.Name] = t
			case *ast.ValueSpec:
				doc := s.Doc
				if !d.Lparen.IsValid() {
					doc = d.Doc
				}
				for i, name := range s.Names {
					v := &value{name: name, doc: doc, trail: s.Comment}
					if i < len(s.Values) {
						v.literal = s.Values[i]
					}
					x.values[name.Name] = v
				}
			}
		}
	}
}

// addFile indexes a file of another package, once.
func (x *index) addFile(pkgPath, path string) {
	if x.read[path] || path == "" {
		return
	}
	x.read[path] = true
	f, err := parser.ParseFile(x.fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return
	}
	ours := x.values
	x.values = map[string]*value{}
	x.add(pkgPath, f)
	for name, v := range x.values {
		x.others[pkgPath+" "+name] = v
	}
	x.values = ours
}

// field finds a field of a struct type: its name, the comment above it and the
// one behind it.
func (t *typed) field(name string) (ident *ast.Ident, doc, trail *ast.CommentGroup) {
	s, ok := t.spec.Type.(*ast.StructType)
	if !ok {
		return nil, nil, nil
	}
	for _, f := range s.Fields.List {
		for _, n := range f.Names {
			if n.Name == name {
				return n, f.Doc, f.Comment
			}
		}
		if len(f.Names) == 0 {
			if n := embeddedName(f.Type); n != nil && n.Name == name {
				return n, f.Doc, f.Comment
			}
		}
	}
	return nil, nil, nil
}

func embeddedName(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.StarExpr:
		return embeddedName(e.X)
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return embeddedName(e.X)
	case *ast.IndexListExpr:
		return embeddedName(e.X)
	}
	return nil
}

// commentAbove is the comment that ends on the line before a node, as authors
// write it above an element of a list.
func (x *index) commentAbove(n ast.Node) *ast.CommentGroup {
	p := x.fset.Position(n.Pos())
	g := x.above[p.Filename][p.Line-1]
	if g == nil || x.fset.Position(g.Pos()).Column > p.Column {
		return nil // the end of the line above
	}
	return g
}

// lineStart is where the text of a line begins.
func (x *index) lineStart(path string, line int) token.Position {
	data, err := os.ReadFile(path)
	if err != nil {
		return token.Position{}
	}
	n := 0
	for text := range bytes.Lines(data) {
		if n++; n == line {
			return token.Position{Filename: path, Line: line, Column: 1 + len(text) - len(bytes.TrimLeft(text, "\t "))}
		}
	}
	return token.Position{}
}
