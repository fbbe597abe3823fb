// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"fmt"
	"go/build"
	"io"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

// File is one generated file.
type File struct {
	Name string // without folder
	Data []byte
}

// A protocol becomes three packages, each rendered by a function of its own: the
// payloads, which both sides share, the server and the client. What cannot be
// rendered is an error that lists every problem with its place.

// Payloads renders what both sides share: payload types and their codecs, split
// as the author split them, typed errors, options of calls and names of methods.
func Payloads(p *model.Protocol) ([]File, error) {
	g := newGen(p, payloadsPath, "")
	g.emitDoc()
	for _, theme := range g.themes() {
		g.emitTypes(theme)
		g.emitCodecs(theme)
	}
	g.emitErrors()
	g.emitOptions()
	g.emitMethodNames()
	return g.finish()
}

// payloadsPath stands for the import path of the payloads in their own package,
// which does not import itself.
const payloadsPath = "payloads"

// ref is a name of the package with the payloads.
func (g *gen) ref(name string) *jen.Statement { return jen.Qual(g.payloads, name) }

// gen is one run.
type gen struct {
	p        *model.Protocol
	types    map[string]*model.Type
	variants map[string]*variant        // by struct type
	firm     map[string]map[string]bool // members of results that a client cannot do without
	results  map[string]bool            // types that are results
	shaped   map[string]bool            // declared types that are variants of unions by shape
	names    *names
	problems problem.List
	sources  []*source
	payloads string // import path of the package with the payloads
	own      string // import path of the package that is rendered
	asked    bool   // the helper of requests to the client is written

	// Of a client alone:
	overrides  map[string]string // ClientOptions.Names
	overridden map[string]bool   // those that were used
}

// variant is what a struct type is in the one union that it belongs to.
type variant struct {
	union *model.Type
	v     *model.Variant
}

// newGen begins a package: that of the payloads, or a side of the protocol.
func newGen(p *model.Protocol, payloads, side string) *gen {
	g := &gen{p: p, payloads: payloads, own: payloads + side, types: map[string]*model.Type{}, variants: map[string]*variant{}, firm: firmMembers(p), results: map[string]bool{}, shaped: map[string]bool{}}
	for _, t := range p.Types {
		g.types[t.Name] = t
	}
	for _, t := range p.Types {
		g.checkType(t)
	}
	for _, m := range p.Methods {
		g.results[m.Result] = true
	}
	g.names = g.newNames()
	g.names.pkg += side
	return g
}

// checkType reports what the emitters cannot render.
func (g *gen) checkType(t *model.Type) {
	if t.Kind == model.KindUnion {
		if t.Union.Content == "" && len(t.Fields) > 0 {
			g.problems.Add(t.Pos, "union %s has common members besides those of its variants: give it a content member, or put them into each variant", t.Name)
		}
		for _, v := range t.Union.Variants {
			if byShape(t) {
				g.checkRef(v.Pos, t.Name+"."+v.Name, v.Of)
				if v.Of != nil && v.Of.Kind == model.RefNamed {
					g.shaped[v.Of.Name] = true
				}
				continue
			}
			s := g.types[v.Type]
			switch other := g.variants[v.Type]; {
			case s == nil || s.Kind != model.KindStruct:
				g.problems.Add(v.Pos, "variant %s of %s is a %s, which is no struct of the protocol", v.Name, t.Name, v.Type)
			case other != nil:
				g.problems.Add(v.Pos, "%s is a variant of %s already: give %s of %s a struct type of its own", v.Type, other.union.Name, v.Name, t.Name)
			default:
				g.variants[v.Type] = &variant{union: t, v: v}
			}
		}
	}
	if n := len(t.Fields); n > maxMembers {
		g.problems.Add(t.Pos, "%s has %d members, and a reader counts at most %d: group some of them", t.Name, n, maxMembers)
	}
	for _, f := range t.Fields {
		g.checkField(t.Name, f)
	}
	if t.Kind == model.KindNamed {
		g.checkRef(t.Pos, t.Name, t.Of)
	}
}

// maxMembers leaves room for a tag and a content member in a table of 64.
const maxMembers = 62

func (g *gen) checkField(owner string, f *model.Field) {
	at := owner + "." + f.Name
	g.checkRef(f.Pos, at, f.Type)
	if f.Pattern != "" {
		if _, err := regexp.Compile(f.Pattern); err != nil {
			g.problems.Add(f.Pos, "the pattern of %s is no regular expression: %v", at, err)
		}
	}
	if f.Presence == model.OmitZero && g.kind(f.Type) == structKind {
		g.problems.Add(f.Pos, "%s is a struct with omitzero, whose zero cannot be distinguished from a value: make it a pointer", at)
	}
}

func (g *gen) checkRef(pos model.Pos, at string, r *model.Ref) {
	switch {
	case r == nil:
		g.problems.Add(pos, "%s has no type", at)
	case r.Kind == model.RefNamed && g.types[r.Name] == nil:
		g.problems.Add(pos, "%s refers to %s, which is no type of the protocol", at, r.Name)
	case r.Kind == model.RefList || r.Kind == model.RefMap:
		g.checkRef(pos, at, r.Elem)
	}
}

// refKind is how the use of a type is rendered.
type refKind int

const (
	scalarKind    refKind = iota // string, bool, numbers
	enumKind                     // a defined string or integer with known values
	rawKind                      // codec.Raw
	bytesKind                    // []byte
	listKind                     // a slice
	mapKind                      // a map
	structKind                   // a struct with methods, or a union that is one
	interfaceKind                // a union that is an interface
)

// kind looks through defined types to what they are made of.
func (g *gen) kind(r *model.Ref) refKind {
	r = g.under(r)
	switch r.Kind {
	case model.RefRaw:
		return rawKind
	case model.RefBytes:
		return bytesKind
	case model.RefList:
		return listKind
	case model.RefMap:
		return mapKind
	case model.RefNamed:
		t := g.types[r.Name]
		switch {
		case t == nil || t.Kind == model.KindStruct:
			return structKind
		case t.Kind == model.KindEnum:
			return enumKind
		case isInterface(t):
			return interfaceKind
		}
		return structKind
	}
	return scalarKind
}

// integral reports whether a type is an enum whose values are integers.
func (g *gen) integral(r *model.Ref) bool {
	r = g.under(r)
	t := g.types[r.Name]
	return r.Kind == model.RefNamed && t != nil && t.Kind == model.KindEnum && t.Enum.Integer
}

// under resolves defined scalars and lists; enums, structs and unions stay.
func (g *gen) under(r *model.Ref) *model.Ref {
	for r != nil && r.Kind == model.RefNamed {
		t := g.types[r.Name]
		if t == nil || t.Kind != model.KindNamed || t.Of == nil {
			break
		}
		r = t.Of
	}
	if r == nil {
		return &model.Ref{Kind: model.RefRaw}
	}
	return r
}

// isInterface reports whether a union is rendered as an interface: one whose
// variants' members are next to the tag. A union with content is a struct.
func isInterface(t *model.Type) bool {
	return t.Kind == model.KindUnion && t.Union.Content == ""
}

// keeps reports whether unknown members are kept.
func (g *gen) keeps() bool { return g.p.UnknownMembers == model.Kept }

// theme is the types of one file of the author's.
type theme struct {
	name  string // base of the file names: "types_job"
	codec string // base of the codecs' file name: "codec_job"
	types []*model.Type
}

// ours are the first words of the names of files with other content.
var ours = []string{"doc", "errors", "options", "server", "dispatch", "client", "methods", "codec"}

// themes groups the types by the file in which they were declared, in order of
// appearance.
func (g *gen) themes() []*theme {
	var list []*theme
	names, byName := map[string]string{}, map[string]*theme{}
	for _, t := range g.p.Types {
		base := strings.TrimSuffix(path.Base(t.Pos.File), ".go")
		if t.Pos.File == "" {
			base = "types"
		}
		if first, _, _ := strings.Cut(base, "_"); slices.Contains(ours, first) {
			base = "types_" + base
		}
		name, ok := names[base]
		if !ok {
			name = everywhere(base)
			names[base] = name
		}
		th := byName[name]
		if th == nil {
			codec := "codec"
			if base != "types" {
				codec += "_" + strings.TrimPrefix(base, "types_")
			}
			th = &theme{name: name, codec: everywhere(codec)}
			byName[name] = th
			list = append(list, th)
		}
		th.types = append(th.types, t)
	}
	return list
}

// everywhere makes a file's name one that the go command takes on every system:
// not codec_js, which would be for one alone.
func everywhere(base string) string {
	nowhere := build.Default
	nowhere.GOOS, nowhere.GOARCH = "none", "none"
	nowhere.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("package p\n")), nil }
	if ok, err := nowhere.MatchFile("", base+".go"); err == nil && !ok {
		return base + "_payloads"
	}
	return base
}

// finish renders all files, or says why it cannot.
func (g *gen) finish() ([]File, error) {
	if g.problems.Errors() > 0 {
		g.problems.Sort()
		return nil, &problem.Failure{Problems: g.problems}
	}
	var sources []*source
	written := map[string]bool{}
	for _, s := range g.sources {
		if s.empty() {
			continue
		}
		if written[s.name] {
			return nil, fmt.Errorf("two files of the output are called %s: rename a file of the spec", s.name)
		}
		written[s.name] = true
		sources = append(sources, s)
	}
	return renderAll(sources)
}

// renderAll renders files side by side, since formatting is most of the work.
func renderAll(sources []*source) ([]File, error) {
	files, failed := make([]File, len(sources)), make([]error, len(sources))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(sources)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(sources); i = int(next.Add(1)) - 1 {
				files[i].Name = sources[i].name
				files[i].Data, failed[i] = sources[i].render()
				sources[i].file = nil // it is large, and done with
			}
		})
	}
	wg.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
