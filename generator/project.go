// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/accordkit/accord/generator/check"
	"github.com/accordkit/accord/generator/check/proof"
	"github.com/accordkit/accord/generator/check/translation"
	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec/model"
)

// Project is a loaded spec package with its settings. If loading found errors,
// there is nothing more to do with it than to show Problems: those, and what the
// checks find in the rest.
type Project struct {
	Dir      string          // the package's, absolute; problems' files are relative to it
	Model    *model.Protocol // nil, or incomplete, if Problems has errors of loading
	Settings *Config         // nil if it has no accord.json
	Problems problem.List    // of loading, lint and proofs, sorted
	Drifts   []translation.Drift

	broken   bool         // loading found errors
	refused  problem.List // by an emitter; Problems has them too
	lock     *translation.Lock
	nextLock *translation.Lock
}

// ErrBroken says that Problems stand in the way.
var ErrBroken = errors.New("the specification has errors")

// Open loads, lints and proves the spec package that a pattern names. Its error is not
// the spec's fault.
func Open(ctx context.Context, pattern string, o load.Options) (*Project, error) {
	s, err := load.Open(ctx, pattern, o)
	if err != nil {
		return nil, err
	}
	p := &Project{Dir: s.Dir, Model: s.Model, Problems: s.Problems, broken: s.Problems.Errors() > 0 || s.Model == nil}
	if p.Model == nil || p.Model.Var == "" {
		return p, nil
	}
	if p.Settings, err = ReadConfig(s.Dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if p.lock, err = translation.Read(s.Dir); err != nil {
		return nil, err
	}
	p.Drifts, p.nextLock = p.lock.Compare(p.Model)
	checks := check.Options{Drifts: p.Drifts, Broken: s.Problems, Misplaced: s.Misplaced}
	for _, r := range proof.Rules() {
		checks.Rules = append(checks.Rules, r.ID)
	}
	if provable(s.Problems) {
		checks.Found = proof.Run(p.Model)
	}
	p.Problems = append(p.Problems, check.Run(p.Model, checks)...)
	p.Problems.Sort()
	return p, nil
}

// provable reports whether machines, and what they are proven to keep, are
// whole: a payload may have problems, a declaration may not.
func provable(found problem.List) bool {
	return !slices.ContainsFunc(found, func(p problem.Problem) bool { return p.Severity == problem.Error && p.At != "" })
}

// Broken reports whether there is no usable model.
func (p *Project) Broken() bool { return p.broken }

// Files renders what the settings ask for.
func (p *Project) Files() ([]File, error) {
	if p.broken || len(check.Blocking(p.Problems)) > 0 {
		return nil, ErrBroken
	}
	if p.Settings == nil {
		return nil, fmt.Errorf("%s has no %s, which says what to generate: write one, for example\n"+
			"{\"emit\": [{\"target\": \"go\", \"dir\": \"../../runtime/%s\"}]}", p.Dir, ConfigName, p.Model.Name)
	}
	emitters, err := Emitters(p.Settings)
	if err != nil {
		return nil, err
	}
	files, err := Generate(p.Model, emitters...)
	if found, all := problem.In(err); all {
		p.refused = found
		p.Problems = append(p.Problems, found...)
		p.Problems.Sort()
		return nil, ErrBroken
	}
	return files, err
}

// Refused are the problems for which nothing is generated.
func (p *Project) Refused() problem.List {
	out := append(check.Blocking(p.Problems), p.refused...)
	for _, found := range p.Problems {
		if p.broken && found.Rule == "" {
			out = append(out, found)
		}
	}
	out.Sort()
	return out
}

// Fix changes the spec package as its problems ask, where a machine can, and
// gives the problems that are gone by that. The project is what it was before.
func (p *Project) Fix() (problem.List, error) {
	fixed, files, err := check.OpenSource(p.Dir).Apply(p.Problems)
	if err != nil {
		return nil, err
	}
	var b batch
	defer b.discard()
	for name, text := range files {
		path := filepath.Join(p.Dir, name)
		info, err := os.Stat(path)
		if err == nil {
			err = b.put(path, text, info.Mode().Perm())
		}
		if err != nil {
			return nil, err
		}
	}
	return fixed, b.commit()
}

// WriteOptions are the options of a write.
type WriteOptions struct {
	Force      bool     // overwrite what was edited by hand
	Confirm    []string // keys of drifted texts that say the same again
	ConfirmAll bool
}

// Write generates, and records new and confirmed pairs of texts. With the
// context's end nothing is written; once it writes, it writes all.
func (p *Project) Write(ctx context.Context, o WriteOptions) (*Report, error) {
	files, err := p.Files()
	if err != nil {
		return nil, err
	}
	if unknown := translation.Confirm(p.nextLock, p.Drifts, o.Confirm, o.ConfirmAll); len(unknown) > 0 {
		return nil, fmt.Errorf("no drifted text is called %s: `accord check` names those that are", strings.Join(unknown, ", "))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r, err := Write(p.Dir, files, o.Force, File{Path: translation.LockName, Content: p.nextLock.Encode()})
	if err == nil {
		p.Problems = slices.DeleteFunc(p.Problems, func(found problem.Problem) bool {
			return found.Rule == check.StalePair && (o.ConfirmAll || slices.Contains(o.Confirm, found.At))
		})
	}
	return r, err
}

// Compare returns what Write would change, the record of pairs included.
func (p *Project) Compare() ([]Difference, error) {
	files, err := p.Files()
	if err != nil {
		return nil, err
	}
	// The record is compared like a file, but an edit of it is not refused.
	return Check(p.Dir, files)
}

// LockIsOld reports whether the record of pairs lacks what `accord gen` would
// write.
func (p *Project) LockIsOld() bool {
	return !p.broken && p.Settings != nil && !maps.Equal(p.lock.Pairs, p.nextLock.Pairs)
}
