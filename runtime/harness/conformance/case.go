// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// Case is one script of one folder, with what is expected of it.
type Case struct {
	Folder  string // the folder's base name
	Dir     string
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
func (c *Case) Name() string {
	if c.Variant == "" {
		return c.Folder
	}
	return c.Folder + "/" + c.Variant
}

// stepsAfter are the steps behind a line of the script.
func (c *Case) stepsAfter(line int) []Step {
	for i, s := range c.Steps {
		if s.Line > line {
			return c.Steps[i:]
		}
	}
	return nil
}

// scriptName is a runtime written by hand, for what a player cannot do.
const scriptName = "fake-runtime.sh"

// Discover reads the cases of a folder, or of the folders in it. A case that
// cannot be read has its Err. Folders without a script (log cases and other
// kinds) yield none; they are returned in others, so that nothing is passed
// over in silence. The error is for a folder in which there is nothing to play.
func Discover(dir string) (cases []*Case, others []string, err error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w; give a case folder or a folder of them", dir, unwrapPath(err))
	}
	if !info.IsDir() {
		return nil, nil, fmt.Errorf("%s: not a folder; give a case folder or a folder of them", dir)
	}
	if found := load(dir); len(found) > 0 {
		return found, nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
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
func load(dir string) []*Case {
	// A pattern without meta characters of its own cannot be bad.
	scripts, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "wire*.jsonl"))
	sort.Strings(scripts)
	runtime := filepath.Join(dir, scriptName)
	if _, err := os.Stat(runtime); err != nil {
		runtime = ""
	}
	if len(scripts) == 0 && runtime == "" {
		return nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	if runtime != "" {
		runtime = filepath.Join(abs, scriptName)
	}
	expect, expectErr := readExpect(filepath.Join(dir, "expect.json"))
	var variants []string
	for _, s := range scripts {
		variants = append(variants, variantOf(s))
	}
	info, err := os.Stat(filepath.Join(dir, "home"))
	home := err == nil && info.IsDir()
	var cases []*Case
	for i, file := range scripts {
		c := &Case{Home: home, Folder: filepath.Base(abs), Dir: abs, Variant: variants[i], File: file, Script: runtime, Err: expectErr}
		cases = append(cases, c)
		if c.Err != nil {
			continue
		}
		c.Expect = expect.forVariant(variants, c.Variant)
		c.Steps, c.Err = readSteps(file, runtime != "")
	}
	if len(scripts) == 0 {
		c := &Case{Folder: filepath.Base(abs), Dir: abs, File: runtime, Script: runtime, Err: expectErr}
		cases = append(cases, c)
		if c.Err == nil {
			c.Expect = expect.forVariant(nil, "")
			c.Steps = c.Expect.defaultSteps()
		}
	}
	return cases
}

func readExpect(file string) (*Expectation, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; a case needs its expectations beside it", file, unwrapPath(err))
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

// escapeGlob makes a folder's name mean itself in a pattern.
func escapeGlob(dir string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(dir)
}

// variantOf is NAME of wire.NAME.jsonl (or wire-NAME.jsonl).
func variantOf(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
	return strings.TrimLeft(strings.TrimPrefix(name, "wire"), ".-_")
}

// unwrapPath drops the path of a file system error, which the caller says.
func unwrapPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
