// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// launch is how an official client started the process.
type launch struct {
	profile string   // of `--profile`; nothing depends on it
	patches []string // files of `--patch`, which are not read
	state   string   // folder for what outlives the process, absolute
}

// errUsage is a wrong command line.
var errUsage = errors.New("used wrongly")

// parse reads how we were started. Clients of 0.2 say
//
//	accord-dsh --profile NAME [--patch FILE]…   with DSH_HOME
//
// and those of 0.1 say nothing, with DSH_SESSION_ROOT. (Their DSH_CWD says what
// initialize says too.) dir is the process's working directory.
func parse(args []string, env func(string) string, dir string) (launch, error) {
	var l launch
	for len(args) > 0 {
		name, value, joined := strings.Cut(args[0], "=")
		args = args[1:]
		if name != "--profile" && name != "--patch" {
			return l, fmt.Errorf("%w: %q is not known here: accord-dsh takes --profile NAME and --patch FILE, as dsh does", errUsage, name)
		}
		if !joined {
			if len(args) == 0 {
				return l, fmt.Errorf("%w: %s needs a value", errUsage, name)
			}
			value, args = args[0], args[1:]
		}
		if value == "" {
			return l, fmt.Errorf("%w: the value of %s is empty", errUsage, name)
		}
		if name == "--profile" {
			l.profile = value
		} else {
			l.patches = append(l.patches, value)
		}
	}
	switch home, root := env("DSH_HOME"), env("DSH_SESSION_ROOT"); {
	case home != "" && (l.profile != "" || root == ""):
		l.state = under(dir, home)
	case root != "":
		l.state = under(dir, root)
	default:
		l.state = under(dir, ".sessions")
	}
	return l, nil
}

func under(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
