package replay

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
	Expect *Expectation
}

// Name is the folder, with the variant behind a slash.
func (c *Case) Name() string {
	if c.Variant == "" {
		return c.Folder
	}
	return c.Folder + "/" + c.Variant
}

// scriptName is a runtime written by hand, for what a player cannot do.
const scriptName = "fake-runtime.sh"

// Discover reads the cases of a folder, or of the folders in it. Folders
// without a script (log cases and other kinds) yield none; they are returned
// in others, so that nothing is passed over in silence.
func Discover(dir string) (cases []*Case, others []string, err error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w; give a case folder or a folder of them", dir, unwrapPath(err))
	}
	if !info.IsDir() {
		return nil, nil, fmt.Errorf("%s: not a folder; give a case folder or a folder of them", dir)
	}
	found, err := load(dir)
	if err != nil || len(found) > 0 {
		return found, nil, err
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
		found, err := load(sub)
		if err != nil {
			return nil, nil, err
		}
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

func load(dir string) ([]*Case, error) {
	scripts, err := filepath.Glob(filepath.Join(dir, "wire*.jsonl"))
	if err != nil {
		return nil, err
	}
	sort.Strings(scripts)
	runtime := filepath.Join(dir, scriptName)
	if _, err := os.Stat(runtime); err != nil {
		runtime = ""
	}
	if len(scripts) == 0 && runtime == "" {
		return nil, nil
	}
	expectFile := filepath.Join(dir, "expect.json")
	data, err := os.ReadFile(expectFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; a case needs its expectations beside it", expectFile, unwrapPath(err))
	}
	tree, err := parseExpect(expectFile, data)
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	var variants []string
	for _, s := range scripts {
		variants = append(variants, variantOf(s))
	}
	var cases []*Case
	for i, file := range scripts {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		steps, err := ParseSteps(file, data)
		if err != nil {
			return nil, err
		}
		c := &Case{Folder: filepath.Base(abs), Dir: abs, Variant: variants[i], File: file, Steps: steps, Script: runtime}
		if runtime != "" {
			for _, s := range steps {
				if s.Kind == kindC2S || s.Kind == kindS2C || s.Kind == kindProc {
					return nil, &SyntaxError{File: file, Line: s.Line, Why: "a " + s.Kind + " step needs the player, but " + scriptName + " is launched instead of it"}
				}
			}
		}
		c.Expect = tree.forVariant(variants, c.Variant)
		cases = append(cases, c)
	}
	if len(scripts) == 0 {
		c := &Case{Folder: filepath.Base(abs), Dir: abs, File: runtime, Script: runtime}
		c.Expect = tree.forVariant(nil, "")
		c.Steps = c.Expect.defaultSteps()
		cases = append(cases, c)
	}
	return cases, nil
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
