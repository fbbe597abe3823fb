// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/accordkit/accord/generator/scaffold"
)

func initCommand() *cobra.Command {
	var o scaffold.Options
	var force bool
	c := &cobra.Command{
		Use: "init DIR", Short: "Begin a protocol in a module of its own", Args: takes(1, 1),
		Long: `Begin a protocol in a module of its own: a declaration with one example of
each kind of message, a server and a client that use what is generated from it,
pages in both languages, and checks.

The module requires the released version of this command. A command that was
built from a checkout has none: the module then stands on that checkout, by a
replace in its go.mod, until you remove it.`,
		Example: `  accord init notes
  accord init wire --module example.com/team/wire --name jobs`,
		RunE: func(_ *cobra.Command, args []string) error {
			dir := args[0]
			if o.Module == "" {
				abs, err := filepath.Abs(dir)
				if err != nil {
					return err
				}
				o.Module = "example.org/" + filepath.Base(abs)
			}
			if o.Replace != "" {
				abs, err := kitAt(o.Replace)
				if err != nil {
					return wrongUse{err}
				}
				o.Replace, o.Version = abs, anyVersion
			} else if err := kit(&o); err != nil {
				return err
			}
			files, err := scaffold.Files(o)
			if err != nil {
				return wrongUse{err}
			}
			if err := free(dir, force); err != nil {
				return err
			}
			if err := writeAll(dir, files); err != nil {
				return err
			}
			return sayBegun(dir, o, files)
		},
	}
	c.Flags().StringVar(&o.Module, "module", "", "the new module's `PATH` (default example.org/ and the folder's name)")
	c.Flags().StringVar(&o.Name, "name", "", "the protocol's `NAME` (default: the last element of the module's path)")
	c.Flags().StringVar(&o.Replace, "replace", "", "stand on the checkout of the kit in `FOLDER`, not on a released version")
	c.Flags().BoolVar(&force, "force", false, "write into a folder that is not empty, over files of the same names")
	return c
}

// anyVersion is what is required where a replace says what is used.
const anyVersion = "v0.0.0"

// kit says what a new module stands on: the release that this command is of, or
// the checkout that it was built from.
func kit(o *scaffold.Options) error {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path == scaffold.KitPath {
		if v := info.Main.Version; semver.IsValid(v) && semver.Build(v) == "" && !module.IsPseudoVersion(v) {
			o.Version = v
			return nil
		}
	}
	_, file, _, _ := runtime.Caller(0)
	dir, err := kitAt(filepath.Join(filepath.Dir(file), "..", ".."))
	if err != nil {
		return errors.New("this command is of no released version, and the checkout that it was built from is not here any more: say with --replace where one is")
	}
	o.Version, o.Replace = anyVersion, dir
	return nil
}

// kitAt is the absolute path of a checkout of the kit.
func kitAt(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(filepath.Join(abs, "go.mod"))
	if err != nil || modfile.ModulePath(data) != scaffold.KitPath {
		return "", fmt.Errorf("%s is no checkout of %s: it has no go.mod of that module", dir, scaffold.KitPath)
	}
	return filepath.ToSlash(abs), nil
}

// free refuses a folder that is in use.
func free(dir string, force bool) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return wrongUse{fmt.Errorf("%s is a file: name a folder, which is made if it is not there", dir)}
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) > 0 && !force:
		return wrongUse{fmt.Errorf("%s is not empty: name another folder, or write over files of the same names with --force", dir)}
	}
	return nil
}

func writeAll(dir string, files []scaffold.File) error {
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if f.Executable {
			mode = 0o755
		}
		if err := os.WriteFile(path, f.Content, mode); err != nil {
			return err
		}
	}
	return nil
}

func sayBegun(dir string, o scaffold.Options, files []scaffold.File) error {
	var b strings.Builder
	fmt.Fprintf(&b, "wrote %d files into %s: module %s\n", len(files), dir, o.Module)
	steps := []string{"cd " + dir}
	if o.Replace != "" {
		fmt.Fprintf(&b, "its go.mod stands on the checkout %s, since this command is of no released version: remove the replace once there is one\n", o.Replace)
	} else {
		fmt.Fprintf(&b, "its go.mod requires %s %s\n", scaffold.KitPath, o.Version)
		steps = append(steps, "go mod download")
	}
	steps = append(steps, "accord gen", "go test ./...")
	fmt.Fprintf(&b, "next:\n\t%s\n", strings.Join(steps, "\n\t"))
	_, err := fmt.Fprint(os.Stderr, b.String())
	return err
}
