// SPDX-License-Identifier: Apache-2.0

package load

import (
	"encoding/json"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

// overlaid is a program that exists for the go command alone.
type overlaid struct {
	dir    string // where to run go build
	target string // what to build
	file   string // the overlay's description
}

// overlay lays a main package beneath the spec package, and a file into it that
// hands out its variables, the unexported ones too. A spec in the module cache
// takes no overlay: there the main lies in the caller's module, and sees what
// is exported.
func (s *source) overlay(temp, caller string) (overlaid, error) {
	replace := map[string]string{}
	put := func(path, name, content string) error {
		real := filepath.Join(temp, name)
		replace[path] = real
		return os.WriteFile(real, []byte(content), 0o600)
	}
	base := s.dir
	getter := s.freeName("AccordVariables")
	variables := "decl." + getter + "()"
	protocol := "decl." + getter + "Protocol()"
	if s.inCache {
		base = caller
		variables, protocol = s.table("decl.", types.Object.Exported), "decl."+s.protocol
	} else {
		text := fmt.Sprintf("package %s\n\nfunc %s() map[string]any { return %s }\n\nfunc %sProtocol() any { return %s }\n",
			s.pkg.Name, getter, s.table("", func(types.Object) bool { return true }), getter, s.protocol)
		name := s.freeFile(s.dir, "accord_variables", ".go")
		if err := put(filepath.Join(s.dir, name), "variables.go", text); err != nil {
			return overlaid{}, err
		}
		protocol += ".(*spec.Protocol)"
	}
	main := fmt.Sprintf("package main\n\nimport (\n\t\"os\"\n\n\t\"%s\"\n\tdecl \"%s\"\n)\n\nfunc main() { spec.WriteModel(os.Args[1], %s, %s) }\n",
		specPath, s.pkg.PkgPath, protocol, variables)
	folder := s.freeFile(base, "accordprogram", "")
	if err := put(filepath.Join(base, folder, "main.go"), "main.go", main); err != nil {
		return overlaid{}, err
	}
	description, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return overlaid{}, err
	}
	o := overlaid{dir: base, target: "./" + folder, file: filepath.Join(temp, "overlay.json")}
	return o, os.WriteFile(o.file, description, 0o600)
}

// table is the literal of a map from names to variables.
func (s *source) table(qualifier string, want func(types.Object) bool) string {
	var b strings.Builder
	b.WriteString("map[string]any{")
	for _, name := range s.variables {
		if want(s.pkg.Types.Scope().Lookup(name)) {
			fmt.Fprintf(&b, "\n\t%q: %s%s,", name, qualifier, name)
		}
	}
	return b.String() + "\n}"
}

// freeName is an identifier that the package does not use.
func (s *source) freeName(name string) string {
	for taken := name; ; taken += "0" {
		if s.pkg.Types.Scope().Lookup(taken) == nil && s.pkg.Types.Scope().Lookup(taken+"Protocol") == nil {
			return taken
		}
	}
}

// freeFile is a name that the directory does not have.
func (s *source) freeFile(dir, name, ext string) string {
	for taken := name; ; taken += "0" {
		if !exists(filepath.Join(dir, taken+ext)) {
			return taken + ext
		}
	}
}
