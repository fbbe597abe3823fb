// SPDX-License-Identifier: Apache-2.0

package check

import (
	"bytes"
	"cmp"
	"errors"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

// Change is one piece of text that takes the place of another.
type Change struct {
	File       string // relative to the spec package's directory
	Start, End int    // bytes
	New        string

	list int // the end of the list that an element is taken out of: one at a time
}

// Source is the files of a spec package, read when they are first needed.
type Source struct {
	dir   string
	fset  *token.FileSet
	files map[string]*file
}

type file struct {
	name   string
	text   []byte
	syntax *ast.File
}

// OpenSource returns the package in a directory.
func OpenSource(dir string) *Source {
	return &Source{dir: dir, fset: token.NewFileSet(), files: map[string]*file{}}
}

// Changes are those that a problem asks for. There are none if it asks for
// nothing, or if the text is not what the problem was found in.
func (p *Source) Changes(found problem.Problem) []Change {
	var out []Change
	for _, step := range found.Fix {
		changes, ok := p.step(found.Pos, step)
		if !ok {
			return nil
		}
		out = append(out, changes...)
	}
	return out
}

// Apply makes the changes that problems ask for, in memory: it returns those of the
// problems whose changes were made, and the new text of each changed file by its
// name. A change that is in the way of another has to wait. Files that were
// formatted stay so; if one would not be Go, nothing is returned but the error.
func (p *Source) Apply(found problem.List) (problem.List, map[string][]byte, error) {
	var done problem.List
	byFile := map[string][]Change{}
	for _, one := range found {
		changes := p.Changes(one)
		if len(changes) == 0 || slices.ContainsFunc(changes, func(c Change) bool { return overlaps(c, byFile[c.File]) }) {
			continue
		}
		for _, c := range changes {
			byFile[c.File] = append(byFile[c.File], c)
		}
		done = append(done, one)
	}
	texts := map[string][]byte{}
	for name, changes := range byFile {
		old := p.file(name).text
		text := apply(old, changes)
		if same, err := format.Source(old); err == nil && bytes.Equal(same, old) {
			if text, err = format.Source(text); err != nil {
				return nil, nil, errors.New("the changes to " + name + " would not be Go: make them by hand")
			}
		}
		texts[name] = text
	}
	return done, texts, nil
}

// overlaps reports whether a change touches what another does. Two may insert
// at one place.
func overlaps(c Change, others []Change) bool {
	return slices.ContainsFunc(others, func(o Change) bool {
		return c.Start < o.End && o.Start < c.End || c.list != 0 && c.list == o.list
	})
}

func apply(text []byte, changes []Change) []byte {
	changes = slices.Clone(changes)
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(a.Start, b.Start) })
	var out []byte
	at := 0
	for _, c := range changes {
		out = append(append(out, text[at:c.Start]...), c.New...)
		at = c.End
	}
	return append(out, text[at:]...)
}

// file reads and parses one of the package's own files; nil if it is none.
func (p *Source) file(name string) *file {
	if f, ok := p.files[name]; ok {
		return f
	}
	p.files[name] = nil
	if name == "" || strings.ContainsAny(name, "/\\") {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		return nil
	}
	syntax, err := parser.ParseFile(p.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	p.files[name] = &file{name, text, syntax}
	return p.files[name]
}

// all reads every file of the package.
func (p *Source) all() []*file {
	paths, _ := filepath.Glob(filepath.Join(p.dir, "*.go"))
	var out []*file
	for _, path := range paths {
		if f := p.file(filepath.Base(path)); f != nil && !strings.HasSuffix(path, "_test.go") {
			out = append(out, f)
		}
	}
	return out
}

// offset is where a position lies in a file's text.
func (p *Source) offset(f *file, at model.Pos) (int, bool) {
	lines := p.fset.File(f.syntax.FileStart).Lines()
	if at.Line < 1 || at.Line > len(lines) || at.Col < 1 {
		return 0, false
	}
	n := lines[at.Line-1] + at.Col - 1
	return n, n <= len(f.text)
}

func (p *Source) offsetOf(pos token.Pos) int { return p.fset.Position(pos).Offset }

// change replaces what lies between two positions.
func (p *Source) change(f *file, from, to token.Pos, text string) Change {
	return Change{File: f.name, Start: p.offsetOf(from), End: p.offsetOf(to), New: text}
}
