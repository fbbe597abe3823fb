// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

// Options are the options of a load; the zero value is valid.
type Options struct {
	Dir      string        // where patterns start; empty: the working directory
	Timeout  time.Duration // how long the spec program may run; 0: 10 s
	NoCache  bool          // neither read nor write the cache
	CacheDir string        // empty: accord below the user's cache directory
	Env      []string      // of the go command; nil: this process's
}

// Problems is all that is wrong with a spec package.
type Problems = problem.List

// Spec is a loaded spec package.
type Spec struct {
	Model    *model.Protocol // nil if there are problems that left none, incomplete if there are errors
	Dir      string          // the package's directory, absolute
	Problems Problems        // sorted; files are relative to Dir
	Cached   bool            // nothing was built or run

	// Misplaced are the places of parts whose text stands where it is not read:
	// a problem says so, and that they lack a text is nothing new.
	Misplaced []model.Pos
}

// Load gives the model of the spec package that a directory or import path
// names. Problems are the author's to solve; with errors among them the model
// may be nil or incomplete. The error is for all else: no such package, no go
// command, the context's end.
func Load(ctx context.Context, pattern string, o Options) (*model.Protocol, Problems, error) {
	s, err := Open(ctx, pattern, o)
	if err != nil {
		return nil, nil, err
	}
	return s.Model, s.Problems, nil
}

// Open is Load with the place of the package.
func Open(ctx context.Context, pattern string, o Options) (*Spec, error) {
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	g, err := newGoCommand(ctx, pattern, o)
	if err != nil {
		return nil, err
	}
	cache := openCache(o)
	key, dir := "", ""
	if cache != nil {
		if key, dir = g.sourceKey(ctx); key != "" {
			if s := cache.read(key, dir); s != nil {
				return s, nil
			}
		}
	}
	s, complete, err := g.load(ctx, o)
	if err != nil {
		return nil, err
	}
	s.Problems.Sort()
	if cache != nil && complete && key != "" {
		// An edit meanwhile would put a model under another text's key.
		if again, _ := g.sourceKey(ctx); again == key {
			cache.write(key, s)
		}
	}
	return s, nil
}

// load does the work; complete reports whether the same source gives the same
// result for ever.
func (g *goCommand) load(ctx context.Context, o Options) (s *Spec, complete bool, err error) {
	src, err := g.source(ctx)
	if err != nil {
		return nil, false, err
	}
	s = &Spec{Dir: src.dir, Problems: src.problems}
	if src.problems.Errors() > 0 {
		return s, false, nil
	}
	temp, err := os.MkdirTemp("", "accord-load-")
	if err != nil {
		return nil, false, fmt.Errorf("no place for the spec program: %w", err)
	}
	defer os.RemoveAll(temp)
	binary := filepath.Join(temp, "spec-program")
	if text, err := g.build(ctx, src, temp, binary); err != nil {
		return nil, false, err
	} else if text != "" {
		s.Problems = append(s.Problems, src.compilerProblems(text)...)
		return s, false, nil
	}
	description, err := src.run(ctx, binary, temp, o.Timeout, &s.Problems)
	if err != nil || description == nil {
		return s, false, err
	}
	s.Model = description.Model
	s.Model.Package = src.pkg.PkgPath
	src.join(s.Model, &s.Problems)
	s.Misplaced = src.misplaced
	if len(description.Problems) == 0 {
		src.unreached(&s.Problems)
	}
	for _, p := range description.Problems {
		at := src.resolve(string(p.Place))
		s.Problems.Add(at.pos, "%s", p.Text)
		if path, ok := strings.CutPrefix(string(p.Place), "var "); ok {
			s.Problems[len(s.Problems)-1].At, _ = splitPath(path)
		}
		s.Problems[len(s.Problems)-1].Fix = p.Fix
	}
	return s, true, nil
}
