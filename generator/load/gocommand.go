// SPDX-License-Identifier: Apache-2.0

package load

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// goCommand runs the go command the same way each time: one list of flags for
// listing and building, or they would see two specs.
type goCommand struct {
	dir     string // where it runs: the spec package's, if the caller named a folder
	pattern string // what it looks up there
	name    string // the spec package as the caller named it
	env     []string
	mod     string // the main module's go.mod, or a workspace's go.work

	arch, version string // of the go command
}

// goEnv is the output of `go env -json`.
type goEnv struct {
	GOMOD, GOWORK, GOFLAGS, GOHOSTOS, GOHOSTARCH, GOVERSION string
}

func newGoCommand(ctx context.Context, name string, o Options) (*goCommand, error) {
	dir, pattern, err := locate(o.Dir, name)
	if err != nil {
		return nil, err
	}
	base := o.Env
	if base == nil {
		base = os.Environ()
	}
	g := &goCommand{dir: dir, pattern: pattern, name: name, env: base}
	out, stderr, err := g.output(ctx, dir, "env", "-json", "GOMOD", "GOWORK", "GOFLAGS", "GOHOSTOS", "GOHOSTARCH", "GOVERSION")
	if err != nil {
		return nil, fmt.Errorf("the go command does not work: %w%s", err, below(stderr))
	}
	var e goEnv
	if err := json.Unmarshal(out, &e); err != nil {
		return nil, fmt.Errorf("`go env -json` does not answer JSON: %w", err)
	}
	g.mod, g.arch, g.version = e.GOMOD, e.GOHOSTARCH, e.GOVERSION
	if e.GOWORK != "" && e.GOWORK != "off" {
		g.mod = e.GOWORK
	}
	// The spec program runs here, whatever the author builds for, and builds
	// with what the build cache has: of the author's flags only those stay
	// that choose sources.
	g.env = append(base[:len(base):len(base)],
		"GOFLAGS="+strings.Join(g.flags(e.GOFLAGS), " "), "GOOS="+e.GOHOSTOS, "GOARCH="+e.GOHOSTARCH)
	return g, nil
}

func (g *goCommand) flags(users string) []string {
	flags := []string{"-buildvcs=false"} // never empty: that would mean what `go env -w` says
	vendored := g.mod != "" && exists(filepath.Join(filepath.Dir(g.mod), "vendor", "modules.txt"))
	if !vendored {
		flags = append(flags, "-mod=readonly")
	}
	for _, f := range strings.Fields(users) {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if name == "tags" || name == "modfile" {
			flags = append(flags, f)
		}
	}
	return flags
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// locate returns where the go command looks up a spec package, and by which
// pattern. In a folder that the caller names it runs in that folder itself, so
// that the module is the one that the folder belongs to.
func locate(base, name string) (dir, pattern string, err error) {
	if base, err = filepath.Abs(base); err != nil {
		return "", "", err
	}
	path := name
	if !filepath.IsAbs(name) {
		path = filepath.Join(base, name)
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return path, ".", nil
	case err == nil:
		return "", "", misnamed(name + " is a file: name the folder of a spec package, or its import path")
	case strings.Contains(name, "..."):
		return "", "", misnamed(name + " is a pattern: name one spec package")
	case path == name || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../"):
		return "", "", misnamed("there is no folder " + name)
	}
	return base, name, nil
}

// misnamed is an ErrNoSpec whose text stands alone.
type misnamed string

func (m misnamed) Error() string { return string(m) }

// Is reports whether the target is ErrNoSpec.
func (misnamed) Is(target error) bool { return target == ErrNoSpec }

func (g *goCommand) output(ctx context.Context, dir string, args ...string) (stdout, stderr []byte, err error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	// The go command takes its working directory's name from PWD. A directory
	// behind a symbolic link has two, and an overlay fits one of them alone.
	cmd.Dir, cmd.Env = dir, append(g.env[:len(g.env):len(g.env)], "PWD="+dir)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.Bytes(), errs.Bytes(), err
}

// build makes the spec program. A text is what the compiler has against it.
func (g *goCommand) build(ctx context.Context, src *source, temp, binary string) (text string, err error) {
	o, err := src.overlay(temp, g.dir)
	if err != nil {
		return "", err
	}
	_, stderr, err := g.output(ctx, o.dir, "build", "-overlay", o.file, "-ldflags=-w", "-o", binary, o.target)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "", nil
	case errors.As(err, &exit):
		return string(stderr), nil
	}
	return "", fmt.Errorf("the go command does not run: %w", err)
}

// sourceKey identifies all source that a spec package is made of, itself and
// what it imports, and the toolchain. It is empty if there is something wrong,
// which loading will find. Nothing is compiled for it: the go command's own build
// ids would cost a compilation that nothing else needs.
func (g *goCommand) sourceKey(ctx context.Context) (key, dir string) {
	const files = "{{range .%s}}\t{{.}}{{end}}"
	format := "{{if not .Standard}}{{.DepOnly}}\t{{.ImportPath}}\t{{.Dir}}"
	for _, kind := range []string{"GoFiles", "CgoFiles", "CFiles", "HFiles", "SFiles", "SysoFiles", "EmbedFiles"} {
		format += fmt.Sprintf(files, kind)
	}
	out, _, err := g.output(ctx, g.dir, "list", "-deps", "-f", format+"{{end}}", "--", g.pattern)
	if err != nil {
		return "", ""
	}
	h := sha256.New()
	fmt.Fprintln(h, g.version, g.arch)
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(part) < 3 {
			continue
		}
		if part[0] == "false" {
			if dir != "" {
				return "", "" // several packages
			}
			dir = part[2]
		}
		fmt.Fprintln(h, part[0], part[1])
		for _, name := range part[3:] {
			data, err := os.ReadFile(filepath.Join(part[2], name))
			if err != nil {
				return "", ""
			}
			fmt.Fprintf(h, "%s %x\n", name, sha256.Sum256(data))
		}
	}
	if dir == "" {
		return "", ""
	}
	return hex.EncodeToString(h.Sum(nil)), dir
}

func below(stderr []byte) string {
	text := strings.TrimSpace(string(stderr))
	if text == "" {
		return ""
	}
	return "\n" + text
}
