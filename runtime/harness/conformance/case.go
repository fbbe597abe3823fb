// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Case is one script of one folder, with what is expected of it.
type Case struct {
	Folder  string // the folder's base name
	Variant string // NAME of wire.NAME.jsonl; empty for wire.jsonl
	File    string // the script, or fake-runtime.sh when there is none
	Steps   []Step
	// Script is fake-runtime.sh, launched instead of a player; empty when a
	// player takes the runtime's side.
	Script string
	// Home is set when the case begins with stored logs, in home/.
	Home   bool
	Expect *Expectation
	// Err is why the case cannot be played at all: a file that cannot be read.
	// The other fields name the case only.
	Err error
}

// Name is the folder, with the variant behind a slash.
func (c *Case) Name() string { return strings.TrimSuffix(c.Folder+"/"+c.Variant, "/") }

// scriptName is a runtime written by hand, for what a player cannot do.
const scriptName = "fake-runtime.sh"

// Discover reads the cases of a folder, or of the folders in it. A case that
// cannot be read has its Err. Folders without a script (log cases and other
// kinds) yield none; they are returned in others, so that nothing is passed
// over in silence. The error is for a folder in which there is nothing to play.
func Discover(dir string) (cases []*Case, others []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w; give a case folder or a folder of them", dir, errors.Unwrap(err))
	}
	if found := load(dir); len(found) > 0 {
		return found, nil, nil
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		sub := filepath.Join(dir, e.Name())
		found := load(sub)
		if len(found) == 0 {
			others = append(others, sub)
		}
		cases = append(cases, found...)
	}
	if len(cases) == 0 {
		return nil, nil, fmt.Errorf("%s: no wire*.jsonl and no %s in it or in its folders", dir, scriptName)
	}
	return cases, others, nil
}

// load reads the cases of one folder.
func load(dir string) (cases []*Case) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return []*Case{{Folder: filepath.Base(dir), Err: err}}
	}
	is := func(name string, folder bool) bool {
		info, err := os.Stat(filepath.Join(abs, name))
		return err == nil && info.IsDir() == folder
	}
	// The pattern is good, and so is the folder's listing: Discover has read it.
	scripts, _ := fs.Glob(os.DirFS(abs), "wire*.jsonl")
	runtime := ""
	if is(scriptName, false) {
		runtime = filepath.Join(abs, scriptName)
	}
	var variants []string
	for _, s := range scripts {
		// NAME of wire.NAME.jsonl (or wire-NAME.jsonl)
		variants = append(variants, strings.TrimLeft(strings.TrimSuffix(strings.TrimPrefix(s, "wire"), ".jsonl"), ".-_"))
	}
	if len(scripts) == 0 && runtime != "" {
		scripts, variants = []string{scriptName}, []string{""}
	}
	expect, expectErr := readExpect(filepath.Join(abs, "expect.json"))
	for i, s := range scripts {
		c := &Case{
			Home: is("home", true), Folder: filepath.Base(abs), Variant: variants[i],
			File: filepath.Join(abs, s), Script: runtime, Err: expectErr,
		}
		cases = append(cases, c)
		if c.Err != nil {
			continue
		}
		c.Expect = expect.forVariant(variants, c.Variant)
		if s == scriptName {
			c.Steps = c.Expect.defaultSteps()
		} else {
			c.Steps, c.Err = readSteps(c.File, runtime != "")
		}
	}
	return cases
}

func readExpect(file string) (*Expectation, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; a case needs its expectations", file, errors.Unwrap(err))
	}
	return parseExpect(file, data)
}

// readSteps reads a script. With a runtime of its own it can only say what the
// host does.
func readSteps(file string, hostOnly bool) ([]Step, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	steps, err := ParseSteps(file, data)
	if err != nil || !hostOnly {
		return steps, err
	}
	for _, s := range steps {
		if s.Kind == kindC2S || s.Kind == kindS2C || s.Kind == kindProc {
			return nil, &SyntaxError{File: file, Line: s.Line, Why: "a " + s.Kind + " step needs the player, but " + scriptName + " is launched instead of it"}
		}
	}
	return steps, nil
}
