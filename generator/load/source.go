// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

// specPath is the import path of the language.
const specPath = "github.com/accordkit/accord/spec"

// source is a spec package as text and types.
type source struct {
	dir       string
	pkg       *packages.Package
	inCache   bool     // in the module cache, where no overlay reaches
	protocol  string   // the variable that holds it
	variables []string // that hold declarations, sorted
	index     *index
	reached   map[string]bool // types that the joined model stands on
	misplaced []model.Pos     // parts whose text is elsewhere, which is reported
	consts    map[*types.Package]map[*types.TypeName][]*types.Const
	problems  problem.List
}

// ErrNoSpec is the error of Open for a name that is no package's.
var ErrNoSpec = errors.New("there is no spec package")

// source reads a package without running it. What is wrong with the package
// itself is in the source's problems.
func (g *goCommand) source(ctx context.Context) (*source, error) {
	fset := token.NewFileSet()
	pkgs, err := g.packages(ctx, fset, packages.NeedName|packages.NeedFiles|packages.NeedImports|packages.NeedModule, g.pattern)
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrNoSpec, g.name, plainly(err))
	}
	if len(pkgs) != 1 {
		return nil, fmt.Errorf("%w %s: name the folder of a spec package, or its import path", ErrNoSpec, g.name)
	}
	pkg := pkgs[0]
	if len(pkg.GoFiles) == 0 {
		err := errors.New("no Go files")
		if len(pkg.Errors) > 0 {
			err = pkg.Errors[0]
		}
		return nil, fmt.Errorf("%w %s: %w", ErrNoSpec, g.name, plainly(err))
	}
	src := &source{
		dir: filepath.Dir(pkg.GoFiles[0]), pkg: pkg, index: newIndex(fset),
		consts: map[*types.Package]map[*types.TypeName][]*types.Const{},
	}
	src.inCache = pkg.Module != nil && !pkg.Module.Main && pkg.Module.Replace == nil && pkg.Module.Version != ""
	if err := g.check(ctx, pkg, fset); err != nil {
		return nil, fmt.Errorf("cannot look up what %s imports: %w", g.name, plainly(err))
	}
	src.packageErrors(pkg.Errors)
	if src.problems.Errors() > 0 {
		return src, nil
	}
	for _, f := range pkg.Syntax {
		src.index.add(pkg.PkgPath, f)
	}
	src.find()
	return src, nil
}

// refusals are what the go command says of a package that it does not find, in
// words that fit its own arguments, and what that means for the caller's.
var refusals = []struct{ part, means string }{
	{"build constraints exclude all", "build constraints exclude all of its Go files"},
	{"no Go files", "it has no Go files"},
	{"go.mod file not found", noModule},
	{"does not contain main module", noModule},
	{"go.work", noWorkspace},
	{"no modules were found in the current workspace", noWorkspace},
	{"no required module provides", noPackage},
	{"cannot find module providing", noPackage},
	{"is not in std", noPackage},
}

const (
	noModule    = "the folder is in no module: `go mod init` begins one"
	noWorkspace = "its module is not in the workspace: `go work use` adds it, and GOWORK=off leaves the workspace out"
	noPackage   = "no folder has this name, and no module that is required here has such a package"
)

// plainly says what the go command's text means. An error of the context stays
// what it is.
func plainly(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	text := err.Error()
	for _, r := range refusals {
		if strings.Contains(text, r.part) {
			return errors.New(r.means)
		}
	}
	if _, said, ok := strings.Cut(text, ": stderr: "); ok {
		text = said
	}
	return fmt.Errorf("the go command says %q", strings.TrimSpace(text))
}

// find looks for the variables that hold declarations.
func (s *source) find() {
	if s.pkg.Name == "main" {
		s.problems.Add(s.rel(s.index.fset.Position(s.pkg.Syntax[0].Name.Pos())), "a spec package cannot be called main: nothing can import it")
		return
	}
	scope := s.pkg.Types.Scope()
	var protocols []*types.Var
	var copies []string                  // the types of declarations that are no pointers
	for _, name := range scope.Names() { // sorted
		v, ok := scope.Lookup(name).(*types.Var)
		if !ok {
			continue
		}
		t := types.Unalias(v.Type())
		pointer, isPointer := t.(*types.Pointer)
		if isPointer {
			t = types.Unalias(pointer.Elem())
		}
		named, ok := t.(*types.Named)
		if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != specPath {
			continue
		}
		switch other := s.copied(name); {
		case other != "":
			s.problems.Add(s.rel(s.index.fset.Position(v.Pos())), "%s is a second name of %s: a declaration has one variable", name, other)
		case isPointer:
			s.variables = append(s.variables, name)
			if named.Obj().Name() == "Protocol" {
				protocols = append(protocols, v)
			}
		case declared(named.Obj().Name()):
			s.problems.Add(s.rel(s.index.fset.Position(v.Pos())),
				"%s is a copy: a declaration is a pointer, so write var %s = &spec.%s…", name, name, named.Obj().Name())
			s.problems[len(s.problems)-1].Fix = [][]string{{"address"}}
			copies = append(copies, named.Obj().Name())
		}
	}
	switch len(protocols) {
	case 1:
		s.protocol = protocols[0].Name()
	case 0:
		if slices.Contains(copies, "Protocol") {
			return // which is reported
		}
		s.problems.Add(s.rel(s.index.fset.Position(s.pkg.Syntax[0].Name.Pos())),
			"package %s declares no protocol: it needs a variable of type *spec.Protocol", s.pkg.Name)
	default:
		for _, p := range protocols[1:] {
			s.problems.Add(s.rel(s.index.fset.Position(p.Pos())), "%s is a second protocol beside %s: a spec package declares one", p.Name(), protocols[0].Name())
		}
	}
}

// copied is the variable that another is set to, if its value is one.
func (s *source) copied(name string) string {
	v := s.index.values[name]
	if v == nil || v.literal == nil {
		return ""
	}
	if id, ok := v.literal.(*ast.Ident); ok && s.index.values[id.Name] != nil {
		return id.Name
	}
	return ""
}

// declared reports whether a type of the language is a declaration.
func declared(name string) bool {
	switch name {
	case "Protocol", "Error", "Scope", "Notification", "Link", "Activity", "Method", "Machine", "Capability",
		"Generation", "Negotiation", "Outcome", "Step", "Differs", "Limit", "Rule", "Allow", "Queue":
		return true
	}
	return false
}

// rel is a place as models and problems have it.
func (s *source) rel(p token.Position) model.Pos {
	if p.Filename == "" {
		return model.Pos{}
	}
	file := p.Filename
	if r, err := filepath.Rel(s.dir, file); err == nil {
		file = r
	}
	return model.Pos{File: filepath.ToSlash(file), Line: p.Line, Col: p.Column}
}

var errorPlace = regexp.MustCompile(`^(.+?):(\d+)(?::(\d+))?$`)

// place reads "file:line:col".
func (s *source) place(text string) model.Pos {
	m := errorPlace.FindStringSubmatch(text)
	if m == nil {
		return model.Pos{}
	}
	file := m[1]
	if !filepath.IsAbs(file) {
		file = filepath.Join(s.dir, file)
	}
	line, _ := strconv.Atoi(m[2])
	col, _ := strconv.Atoi(m[3])
	return s.rel(token.Position{Filename: file, Line: line, Column: col})
}

// layers is what to do about Go's initialisation cycles.
const layers = "declarations stand in layers, and the later names the earlier: types, then errors, scopes and capabilities, " +
	"then notifications and links, then activities, then methods, then machines, then the protocol"

// packageErrors takes over what listing and type checking found. The go
// command's own copy of compile errors comes as one lump and is left out; so is
// what follows from a syntax error.
func (s *source) packageErrors(errs []packages.Error) {
	best := packages.UnknownError
	for _, e := range errs {
		if e.Kind == packages.ParseError || e.Kind == packages.TypeError && best != packages.ParseError {
			best = e.Kind
		}
	}
	for _, e := range errs {
		switch {
		case best != packages.UnknownError && e.Kind != best:
		case strings.HasPrefix(e.Msg, "\t") && len(s.problems) > 0:
			last := &s.problems[len(s.problems)-1]
			last.Text.EN += "; " + strings.TrimSpace(e.Msg)
		default:
			pos := s.place(e.Pos)
			if n := len(s.problems); best == packages.ParseError && n > 0 && s.problems[n-1].Pos.File == pos.File {
				continue // the parser lost its place: what it says after that is no mistake of the author's
			}
			s.problems.Add(pos, "%s", strings.TrimSpace(e.Msg))
		}
	}
	for i := range s.problems {
		s.problems[i].Text.EN = advise(s.problems[i].Text.EN)
	}
}

func advise(message string) string {
	switch {
	case strings.Contains(message, "initialization cycle"):
		return message + " (" + layers + ")"
	case strings.Contains(message, "updates to go.mod needed"):
		return message + " (run `go mod tidy` in the module)"
	}
	return message
}

// compilerProblems reads what a failed build printed.
func (s *source) compilerProblems(text string) problem.List {
	var out problem.List
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		place, message, ok := strings.Cut(line, ": ")
		switch pos := s.place(place); {
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" || strings.HasPrefix(line, "too many errors"):
		case strings.HasPrefix(line, "\t") && len(out) > 0:
			out[len(out)-1].Text.EN += "; " + strings.TrimSpace(line)
		case ok && pos.File != "":
			out.Add(pos, "%s", advise(message))
		default:
			out.Add(model.Pos{}, "%s", advise(line))
		}
	}
	if len(out) == 0 {
		out.Add(model.Pos{}, "the spec program does not build: %s", strings.TrimSpace(text))
	}
	return out
}
