// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/accordkit/accord/generator"
	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/generator/problem"
)

// specArg is the spec package that a command works on: its argument, or the
// one that specsHere finds.
func specArg(args []string) (string, error) {
	if len(args) > 0 {
		return args[0], isSpec(args[0])
	}
	found, err := specsHere()
	if err == nil && len(found) > 1 {
		err = wrongUse{fmt.Errorf("several specs have an %s here: name one of %s", generator.ConfigName, strings.Join(found, ", "))}
	}
	if err != nil {
		return "", err
	}
	return found[0], nil
}

// isSpec refuses what can be no spec package, before the go command does in its
// own words. An import path is looked up by that.
func isSpec(name string) error {
	info, err := os.Stat(name)
	first, _, _ := strings.Cut(filepath.ToSlash(name), "/")
	switch {
	case err == nil && info.IsDir():
		files, _ := filepath.Glob(filepath.Join(name, "*.go"))
		if len(files) == 0 {
			return wrongUse{fmt.Errorf("%s has no Go files: name the folder of a spec package", name)}
		}
		return nil
	case err == nil:
		return wrongUse{fmt.Errorf("%s is a file: name the folder of a spec package", name)}
	case strings.HasPrefix(name, ".") || filepath.IsAbs(name) || !strings.Contains(first, "."):
		return wrongUse{fmt.Errorf("there is no folder %s: name the folder of a spec package, or its import path", name)}
	}
	return nil
}

// specsHere are the working directory if it has settings, or else the
// directories below it that have. Without any it is the working directory, if
// that is a Go package.
func specsHere() ([]string, error) {
	if _, err := os.Stat(generator.ConfigName); err == nil {
		return []string{"."}, nil
	}
	var found []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch name := ""; {
		case err != nil:
			return nil
		case d.IsDir():
			name = d.Name()
			if path != "." && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor" || name == "node_modules") {
				return fs.SkipDir
			}
		case d.Name() == generator.ConfigName:
			found = append(found, "./"+filepath.ToSlash(filepath.Dir(path)))
		}
		return nil
	})
	if err != nil || len(found) > 0 {
		return found, err
	}
	if files, _ := filepath.Glob("*.go"); len(files) == 0 {
		return nil, wrongUse{fmt.Errorf("there is no spec here: neither this folder nor one below it has an %s; name a spec package, or begin a protocol with `accord init DIR`", generator.ConfigName)}
	}
	return []string{"."}, nil
}

// openSpec loads a spec package and prints its problems. With errors among
// them the answer is no.
func openSpec(ctx context.Context, args []string) (*load.Spec, error) {
	pattern, err := specArg(args)
	if err != nil {
		return nil, err
	}
	s, err := load.Open(ctx, pattern, load.Options{})
	if err != nil {
		return nil, err
	}
	return s, say(s.Dir, s.Problems)
}

// say prints problems on standard error; errNo if there are errors among them.
func say(dir string, problems problem.List) error {
	f := &findings{out: os.Stderr, excerpt: isTerminal(os.Stderr), colour: colours(os.Stderr)}
	f.print(dir, problems)
	if n := problems.Errors(); n > 0 {
		return errNo
	}
	return nil
}

// shown is a problem as people and editors read it: its file relative to the
// working directory, its text in the language of the environment.
func shown(dir string, p problem.Problem) string {
	place := ""
	if p.Pos.File != "" {
		place = fmt.Sprintf("%s:%d:%d: ", shownPath(dir, p.Pos.File), p.Pos.Line, p.Pos.Col)
	}
	return place + p.Message(language())
}

// placed is an error about pages with their paths as shownPath has them.
func placed(dir string, err error) error {
	var page *generator.PageError
	if !errors.As(err, &page) {
		return err
	}
	switch e := err.(type) {
	case *generator.PageError:
		return fmt.Errorf("%s: %w", shownPath(dir, e.Path), e.Err)
	case interface{ Unwrap() []error }:
		var out []error
		for _, one := range e.Unwrap() {
			out = append(out, placed(dir, one))
		}
		return errors.Join(out...)
	}
	return err
}

func shownPath(dir, file string) string {
	full := filepath.FromSlash(file)
	if !filepath.IsAbs(full) {
		full = filepath.Join(dir, full)
	}
	if cwd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(cwd, full); err == nil && !strings.HasPrefix(rel, ".."+string(filepath.Separator)+"..") {
			return rel
		}
	}
	return full
}

// language is "zh" if the environment says Chinese, else "en".
func language() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := os.Getenv(name); v != "" {
			if strings.HasPrefix(v, "zh") {
				return "zh"
			}
			return "en"
		}
	}
	return "en"
}
