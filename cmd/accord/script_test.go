// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"accord": main})
}

func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var goCache string
	if out, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil {
		goCache = strings.TrimSpace(string(out))
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("GOCACHE", goCache)
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, ".cache"))
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, ".state"))
			e.Setenv("LANG", "C.UTF-8")
			e.Setenv("GOPROXY", "off")
			e.Setenv("KIT", root)
			// Each script is in a module that uses this kit.
			text := "module example.org/m\n\ngo 1.26.0\n\nrequire github.com/accordkit/accord v0.0.0\n\nreplace github.com/accordkit/accord => " + root + "\n"
			return os.WriteFile(filepath.Join(e.WorkDir, "go.mod"), []byte(text), 0o644)
		},
	})
}
