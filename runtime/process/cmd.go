// SPDX-License-Identifier: Apache-2.0

package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"
)

// DefaultStderr is how many bytes of a child's stderr are kept.
const DefaultStderr = 64 << 10

// Cmd says how to start a child. The zero values of all fields but Args are
// useful defaults. A Cmd may be started many times.
type Cmd struct {
	// Args is the program and its arguments. A program without a slash is
	// looked up in PATH.
	Args []string
	// Env holds "name=value" entries that are added to this process's
	// environment; the last entry of a name counts.
	Env []string
	// Clean leaves this process's environment out: Env is all there is.
	Clean bool
	// Dir is the child's working directory; empty means this process's.
	Dir string
	// Stderr, if set, also gets what the child writes to stderr, as it comes.
	// It is called from one goroutine; a slow writer slows the child down. One
	// that panics is not called again, and one that never returns is left behind
	// at the child's end; the error of Process.Stop says so.
	Stderr io.Writer
	// StderrBytes is how many of the last bytes of stderr are kept; 0 means
	// DefaultStderr.
	StderrBytes int
	// Ladder bounds the steps by which Stop ends the child.
	Ladder Ladder
}

// Ladder holds the bound of each rung of Process.Stop. Zero means the default.
type Ladder struct {
	Shutdown time.Duration // for the protocol's own shutdown call; default 3 s
	EOF      time.Duration // after stdin was closed; default 2 s
	Term     time.Duration // after SIGTERM to the group; default 2 s
	Kill     time.Duration // after SIGKILL to the group; default 2 s
}

func (l Ladder) or(def Ladder) Ladder {
	pick := func(d, def time.Duration) time.Duration {
		if d == 0 {
			return def
		}
		return d
	}
	return Ladder{
		Shutdown: pick(l.Shutdown, def.Shutdown),
		EOF:      pick(l.EOF, def.EOF),
		Term:     pick(l.Term, def.Term),
		Kill:     pick(l.Kill, def.Kill),
	}
}

var defaultLadder = Ladder{Shutdown: 3 * time.Second, EOF: 2 * time.Second, Term: 2 * time.Second, Kill: 2 * time.Second}

// Command returns a Cmd for a program and its arguments.
func Command(name string, args ...string) *Cmd {
	return &Cmd{Args: append([]string{name}, args...)}
}

// WithEnv returns a copy of c with more "name=value" entries.
func (c *Cmd) WithEnv(entries ...string) *Cmd {
	out := *c
	out.Env = append(slices.Clip(c.Env), entries...)
	return &out
}

// WithDir returns a copy of c with another working directory.
func (c *Cmd) WithDir(dir string) *Cmd {
	out := *c
	out.Dir = dir
	return &out
}

// Start starts the child. The caller owns it from then on and must call Stop
// or Kill, and Wait, in the end.
func (c *Cmd) Start() (*Process, error) {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return nil, errors.New("process: no program to start: Cmd.Args is empty")
	}
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Dir = c.Dir
	if c.Clean {
		cmd.Env = append([]string{}, c.Env...)
	} else if len(c.Env) > 0 {
		cmd.Env = append(os.Environ(), c.Env...)
	}
	group(cmd)

	// The pipes are ours, not exec's: exec would close our ends as soon as the
	// child is gone, with unread output in them, or wait for grandchildren.
	var pipes pipes
	if err := pipes.open(); err != nil {
		return nil, fmt.Errorf("process: start %q: %w", c.Args[0], err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pipes.childIn, pipes.childOut, pipes.childErr
	err := cmd.Start()
	pipes.closeChildEnds()
	if err != nil {
		pipes.closeOurEnds()
		return nil, fmt.Errorf("process: start %q: %w", c.Args[0], err)
	}

	size := c.StderrBytes
	if size <= 0 {
		size = DefaultStderr
	}
	p := &Process{
		cmd:    cmd,
		args:   append([]string(nil), c.Args...),
		stdin:  pipes.in,
		stdout: newOutput(pipes.out),
		stderr: newOutput(pipes.err),
		tail:   newRing(size),
		also:   c.Stderr,
		ladder: c.Ladder.or(defaultLadder),
		exited: make(chan struct{}),
		done:   make(chan struct{}),
	}
	p.work.Add(2)
	go p.drain()
	go p.reap()
	return p, nil
}

type pipes struct {
	in, out, err                *os.File // ours
	childIn, childOut, childErr *os.File
}

func (p *pipes) open() (err error) {
	if p.childIn, p.in, err = os.Pipe(); err != nil {
		return err
	}
	if p.out, p.childOut, err = os.Pipe(); err != nil {
		p.closeChildEnds()
		p.closeOurEnds()
		return err
	}
	if p.err, p.childErr, err = os.Pipe(); err != nil {
		p.closeChildEnds()
		p.closeOurEnds()
		return err
	}
	return nil
}

func (p *pipes) closeChildEnds() { closeAll(p.childIn, p.childOut, p.childErr) }
func (p *pipes) closeOurEnds()   { closeAll(p.in, p.out, p.err) }

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}
