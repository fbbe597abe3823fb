// SPDX-License-Identifier: Apache-2.0

package scaffold

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template"
	"unicode"

	"golang.org/x/mod/module"
)

//go:embed all:template
var templates embed.FS

// KitPath is the module that a new protocol stands on.
const KitPath = "github.com/accordkit/accord"

// Options say what is made.
type Options struct {
	// Module is the new module's path: "example.org/notes".
	Module string
	// Name is the protocol's, lower case; empty: made of the last element of
	// Module. It names packages and pages.
	Name string
	// Version is the kit's that the module requires: "v1.2.3".
	Version string
	// Replace is the folder of a checkout that stands for that version; empty:
	// the version comes from the registry.
	Replace string
}

// File is one file of a new module.
type File struct {
	Path       string // relative to the module, with slashes
	Content    []byte
	Executable bool
}

// Files makes the files of a new module. What is generated is not among them.
func Files(o Options) ([]File, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	var out []File
	err := fs.WalkDir(templates, "template", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(templates, name)
		if err != nil {
			return err
		}
		f, err := o.file(strings.TrimPrefix(name, "template/"), string(text))
		out = append(out, f)
		return err
	})
	return out, err
}

// file renders one template. Its name is one too: "NAME" stands for the
// protocol's, and a leading "dot-" for a dot.
func (o *Options) file(name, text string) (File, error) {
	t, err := template.New(name).Delims("[[", "]]").Option("missingkey=error").Parse(text)
	if err != nil {
		return File{}, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, o); err != nil {
		return File{}, err
	}
	elements := strings.Split(strings.TrimSuffix(name, ".tmpl"), "/")
	for i, e := range elements {
		if rest, ok := strings.CutPrefix(e, "dot-"); ok {
			e = "." + rest
		}
		elements[i] = strings.ReplaceAll(e, "NAME", o.Name)
	}
	content := b.Bytes()
	if strings.HasSuffix(name, ".go.tmpl") {
		content, err = format.Source(content) // the order of imports depends on names
		if err != nil {
			return File{}, err
		}
	}
	return File{Path: path.Join(elements...), Content: content, Executable: bytes.HasPrefix(b.Bytes(), []byte("#!"))}, nil
}

// Title is the protocol's name as a Go name.
func (o *Options) Title() string { return strings.ToUpper(o.Name[:1]) + o.Name[1:] }

// complete fills in and checks the options.
func (o *Options) complete() error {
	if o.Module == "" || strings.ContainsAny(o.Module, " \t\n\"'`\\@:;,") || strings.HasPrefix(o.Module, "/") || path.Clean(o.Module) != o.Module {
		return fmt.Errorf("%q is no path of a module: it is like example.org/notes", o.Module)
	}
	if slices.Contains(strings.Split(o.Module, "/"), "vendor") {
		return fmt.Errorf("%q cannot be the path of a module: no package below a folder vendor can be imported", o.Module)
	}
	if o.Name == "" {
		o.Name = nameOf(o.Module)
	}
	if !token.IsIdentifier(o.Name) || o.Name != strings.ToLower(o.Name) || strings.Contains(o.Name, "_") || o.Name == "main" || !ascii(o.Name) {
		return fmt.Errorf("%q cannot name a protocol: a name is of lower-case letters and digits, begins with a letter and is no word of Go", o.Name)
	}
	if o.Name == "init" || types.Universe.Lookup(o.Name) != nil {
		return fmt.Errorf("%q cannot name a protocol: Go has that name itself, so its package could not be imported or would hide it; choose a name with --name", o.Name)
	}
	if err := module.CheckImportPath(path.Join(o.Module, o.Name)); err != nil {
		return fmt.Errorf("no package can be at %s/%s: %w", o.Module, o.Name, err)
	}
	if slices.Contains(folders, o.Name) {
		return fmt.Errorf("%q cannot name a protocol: a folder of that name has another meaning; choose a name with --name", o.Name)
	}
	return nil
}

// folders have a meaning for the go command, or other content in a new module.
var folders = []string{"internal", "vendor", "testdata", "spec", "server", "cmd", "docs"}

// Payloads is the name by which the new code imports the package with the payloads:
// the protocol's, unless the code has that name for something else.
func (o *Options) Payloads() string {
	if slices.Contains(names, o.Name) {
		return o.Name + "wire"
	}
	return o.Name
}

// Rename is what precedes the import of that package.
func (o *Options) Rename() string {
	if o.Payloads() == o.Name {
		return ""
	}
	return o.Payloads() + " "
}

// names are those that the templates have for packages, functions, types and
// variables.
var names = strings.Fields("context errors fmt io jsonrpc os process signal slices sync testing add book c conn connect demo main " +
	"added again answer arg asked b call cancel content ctx e end err export first got i id key lane last left limit n none o ok old p params r refused result s self stop t text texts used w want x")

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

// nameOf makes a name of the last element of a module's path, a version left
// out: "example.org/my-notes/v2" is mynotes.
func nameOf(module string) string {
	base := path.Base(module)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" && path.Dir(module) != "." {
		base = path.Base(path.Dir(module))
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return unicode.ToLower(r)
		}
		return -1
	}, base)
}
