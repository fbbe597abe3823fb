// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/accordkit/accord/generator/problem"
	"github.com/accordkit/accord/spec"
	"github.com/accordkit/accord/spec/model"
)

// maxOutput bounds what is read back of a spec program's files.
const maxOutput = 256 << 20

// run runs the spec program in an empty folder, without input and with an empty
// environment, so that the same source always says the same. It ends all that
// the program started. A nil description means that the problems say why.
func (s *source) run(ctx context.Context, binary, temp string, limit time.Duration, problems *problem.List) (*spec.Description, error) {
	result := filepath.Join(temp, "model.json")
	cwd := filepath.Join(temp, "empty")
	if err := os.Mkdir(cwd, 0o700); err != nil {
		return nil, err
	}
	stdout, err := os.Create(filepath.Join(temp, "stdout"))
	if err != nil {
		return nil, err
	}
	defer stdout.Close()
	stderr, err := os.Create(filepath.Join(temp, "stderr"))
	if err != nil {
		return nil, err
	}
	defer stderr.Close()

	cmd := exec.Command(binary, result)
	cmd.Dir, cmd.Stdout, cmd.Stderr = cwd, stdout, stderr
	cmd.Env = []string{"GOTRACEBACK=all", "TZ=UTC", "LANG=C", "TMPDIR=" + cwd}
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("the spec program does not start: %w", err)
	}
	bound(cmd.Process.Pid)
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	late := false
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err = <-done:
	case <-ctx.Done():
		endGroup(cmd.Process.Pid)
		<-done
		return nil, ctx.Err()
	case <-timer.C:
		late = true
		quit(cmd.Process.Pid) // its stacks go to standard error
		select {
		case err = <-done:
		case <-time.After(2 * time.Second):
			endGroup(cmd.Process.Pid)
			err = <-done
		}
	}
	endGroup(cmd.Process.Pid) // what it left behind

	errors := head(stderr.Name(), 1<<20)
	for _, noise := range []struct{ name, text string }{{"standard output", head(stdout.Name(), 200)}, {"standard error", firstLines(errors)}} {
		if noise.text != "" && err == nil && !late {
			problems.Warn(s.only(prints), "the spec package prints to %s while it is loaded: %s", noise.name, strconv.Quote(noise.text))
		}
	}
	if late || err != nil {
		s.died(errors, err, late, limit, problems)
		return nil, nil
	}
	return s.description(result, problems)
}

func (s *source) description(path string, problems *problem.List) (*spec.Description, error) {
	info, err := os.Stat(path)
	if err != nil {
		problems.Add(s.only(exits), "the spec program finished, but wrote no model: does package %s end the process (os.Exit) while it is initialised?", s.pkg.Name)
		return nil, nil
	}
	if info.Size() > maxOutput {
		problems.Add(model.Pos{}, "the model has %d bytes, more than a protocol can have", info.Size())
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var d spec.Description
	if err := json.Unmarshal(data, &d); err != nil || d.Model == nil {
		problems.Add(model.Pos{}, "the spec program wrote no valid model (%v): is the package built with this version of %s?", err, specPath)
		return nil, nil
	}
	if d.Model.Format != model.Format {
		problems.Add(model.Pos{}, "the model has format %d, and this command reads %d: use the same version of accord and of %s", d.Model.Format, model.Format, specPath)
		return nil, nil
	}
	return &d, nil
}

// died says why a program gave no model, at the first frame in the author's
// code.
func (s *source) died(stderr string, err error, late bool, limit time.Duration, problems *problem.List) {
	pos := s.firstFrame(stderr)
	if pos == (model.Pos{}) {
		pos = s.only(exits)
	}
	var exit *exec.ExitError
	switch message := panicMessage(stderr); {
	case late:
		problems.Add(pos, "the spec package was not initialised within %v: it loops, sleeps or waits", limit)
	case strings.Contains(stderr, "out of memory") || strings.Contains(stderr, "cannot allocate memory"):
		problems.Add(pos, "the spec package needs too much memory to initialise")
	case message != "":
		problems.Add(pos, "initialising the spec package panics: %s", message)
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		problems.Add(pos, "the spec package ends the process with status %d while it is initialised%s", exit.ExitCode(), quoted(stderr))
	default:
		problems.Add(pos, "the spec program ended: %v%s", err, quoted(stderr))
	}
}

func quoted(stderr string) string {
	if text := firstLines(stderr); text != "" {
		return ": " + text
	}
	return ""
}

func panicMessage(stderr string) string {
	for line := range strings.Lines(stderr) {
		if m, ok := strings.CutPrefix(line, "panic: "); ok {
			return strings.TrimSpace(m)
		}
		if m, ok := strings.CutPrefix(line, "fatal error: "); ok {
			return strings.TrimSpace(m)
		}
	}
	return ""
}

var frameLine = regexp.MustCompile(`^\t(.+\.go):(\d+)(?: |$)`)

// firstFrame is the innermost frame of a stack dump that lies in the spec
// package, goroutine 1 before others.
func (s *source) firstFrame(stderr string) model.Pos {
	_, dump, ok := strings.Cut(stderr, "\ngoroutine 1 ")
	if !ok {
		dump = stderr
	}
	for line := range strings.Lines(dump) {
		m := frameLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil || filepath.Dir(m[1]) != s.dir {
			continue
		}
		n, _ := strconv.Atoi(m[2])
		if p := s.index.lineStart(m[1], n); p.Line > 0 {
			return s.rel(p)
		}
	}
	return model.Pos{}
}

// What a package calls that ends the process, or prints.
var (
	exits  = regexp.MustCompile(`^os\.Exit$|^log\.Fatal`)
	prints = regexp.MustCompile(`^(fmt|log)\.F?[pP]rint|^os\.Std(out|err)\.Write|^print(ln)?$`)
)

// only is where the package calls such a function, if it does so in one place:
// the process that ends or prints does not say.
func (s *source) only(called *regexp.Regexp) model.Pos {
	var found []ast.Expr
	for _, f := range s.pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && called.MatchString(types.ExprString(call.Fun)) {
				found = append(found, call.Fun)
			}
			return true
		})
	}
	if len(found) != 1 {
		return model.Pos{}
	}
	return s.at(found[0])
}

func head(path string, limit int) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	buf := make([]byte, limit)
	n, _ := f.Read(buf)
	return string(buf[:n])
}

func firstLines(text string) string {
	text = strings.TrimSpace(text)
	if lines := strings.SplitN(text, "\n", 4); len(lines) > 3 {
		text = strings.Join(lines[:3], "\n")
	}
	if len(text) > 300 {
		text = text[:300] + "…"
	}
	return text
}
