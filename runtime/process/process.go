// SPDX-License-Identifier: Apache-2.0

package process

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Process is a started child.
type Process struct {
	cmd    *exec.Cmd
	args   []string
	stdin  *os.File
	stdout *output
	stderr *output
	tail   *ring
	also   io.Writer
	ladder Ladder

	exited chan struct{} // closed when the child is gone; exit is set before
	done   chan struct{} // closed when the child is gone and stderr is drained
	exit   Exit
	failed error          // of the writer of Cmd.Stderr; set before done is closed
	work   sync.WaitGroup // reap and drain

	closeIn sync.Once
	stop    sync.Once
	stopped struct { // set by the one run of the ladder
		rung Rung
		err  error
	}
}

// Exit is how a child ended.
type Exit struct {
	// Code is the exit code, or 128 plus the signal's number if a signal ended
	// the child, as a shell reports it.
	Code int
	// Signal is the name of the signal that ended the child, or empty.
	Signal string
}

// String is "exit code 1" or "signal: killed (exit code 137)".
func (e Exit) String() string {
	if e.Signal != "" {
		return fmt.Sprintf("signal: %s (exit code %d)", e.Signal, e.Code)
	}
	return fmt.Sprintf("exit code %d", e.Code)
}

// Rung is the step of the ladder at which a child ended.
type Rung int

// The rungs, gentlest first.
const (
	BySelf     Rung = iota // it was already gone
	ByShutdown             // after the protocol's shutdown, before stdin was closed
	ByEOF                  // after stdin was closed
	ByTerm                 // after SIGTERM
	ByKill                 // after SIGKILL
)

// String names the rung in an error's text.
func (r Rung) String() string {
	return [...]string{"by itself", "shutdown", "end of stdin", "SIGTERM", "SIGKILL"}[r]
}

// PID is the child's process id, which on Unix is also its group's id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Args is the program and its arguments.
func (p *Process) Args() []string { return p.args }

// Stdin is the child's stdin. Closing it twice is harmless.
func (p *Process) Stdin() io.WriteCloser { return input{p} }

// Stdout is the child's stdout. It ends (io.EOF) when the child has closed it,
// or soon after the child is gone even if a grandchild still holds it open;
// what was written by then is read first.
func (p *Process) Stdout() io.Reader { return p.stdout }

// Done is closed when the child is gone and its stderr has been read.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit returns how the child ended; ok is false while it runs.
func (p *Process) Exit() (e Exit, ok bool) {
	select {
	case <-p.exited:
		return p.exit, true
	default:
		return Exit{}, false
	}
}

// Tail returns up to n of the last lines that the child wrote to stderr, oldest
// first; an unfinished last line counts. n <= 0 means all that are kept.
func (p *Process) Tail(n int) []string { return p.tail.lines(n) }

// Wait waits until the child is gone, or for ctx.
func (p *Process) Wait(ctx context.Context) (Exit, error) {
	select {
	case <-p.done:
		p.work.Wait()
		return p.exit, nil
	case <-ctx.Done():
		return Exit{}, ctx.Err()
	}
}

// Stop ends the child by the ladder and waits until it is gone. shutdown, if
// not nil, asks the child to end by the protocol's own means; its context ends
// with its rung. When ctx ends, the rungs that are left are skipped but the
// last, SIGKILL, which has its bound always.
//
// Stop runs once: later and concurrent calls wait for the same procedure and
// get the same answer. The error is nil if the child is gone, however gently,
// and the writer of Cmd.Stderr neither panicked nor hangs.
func (p *Process) Stop(ctx context.Context, shutdown func(context.Context) error) (Rung, error) {
	p.stop.Do(func() {
		p.stopped.rung, p.stopped.err = p.climb(ctx, shutdown)
		if p.stopped.err == nil {
			p.stopped.err = p.finish()
		}
	})
	return p.stopped.rung, p.stopped.err
}

func (p *Process) climb(ctx context.Context, shutdown func(context.Context) error) (Rung, error) {
	if p.gone(ctx, 0) {
		return BySelf, nil
	}
	if shutdown != nil {
		bounded, cancel := context.WithTimeout(ctx, p.ladder.Shutdown)
		_ = shutdown(bounded) // the next rung follows, whatever came of it
		cancel()
		if p.gone(ctx, 0) {
			return ByShutdown, nil
		}
	}
	p.closeStdin()
	if p.gone(ctx, p.ladder.EOF) {
		return ByEOF, nil
	}
	terminate(p.cmd.Process)
	if p.gone(ctx, p.ladder.Term) {
		return ByTerm, nil
	}
	kill(p.cmd.Process)
	if p.gone(context.WithoutCancel(ctx), p.ladder.Kill) {
		return ByKill, nil
	}
	return ByKill, fmt.Errorf("process: %q (pid %d) is still there %v after SIGKILL; look for a process in uninterruptible sleep",
		p.args[0], p.PID(), p.ladder.Kill)
}

// gone waits up to d for the child's end.
func (p *Process) gone(ctx context.Context, d time.Duration) bool {
	select {
	case <-p.exited:
		return true
	default:
	}
	if d <= 0 {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// finish waits for the goroutines of a child that is gone. Their waits have
// bounds of their own, but for the writer that the user gave.
func (p *Process) finish() error {
	p.closeStdin()
	late := time.NewTimer(held + p.ladder.Kill)
	defer late.Stop()
	select {
	case <-p.done:
		p.work.Wait()
		return p.failed
	case <-late.C:
		return fmt.Errorf("process: %q has ended, but the writer given as Cmd.Stderr has not returned for %v: it must not block", p.args[0], held+p.ladder.Kill)
	}
}

// Kill sends SIGKILL to the child's group at once. It waits for nothing, and
// does nothing to a child that is gone.
func (p *Process) Kill() {
	if _, gone := p.Exit(); !gone {
		kill(p.cmd.Process)
	}
}

func (p *Process) closeStdin() { p.closeIn.Do(func() { _ = p.stdin.Close() }) }

// reap waits for the child's end. Before the child's id may be reused, what is
// left of its group is killed: a runtime's own children end with it, unless
// they left the group on purpose.
func (p *Process) reap() {
	defer p.work.Done()
	awaitExit(p.cmd.Process.Pid)
	sweep(p.cmd.Process)
	_ = p.cmd.Wait() // the state says more than the error
	p.exit = exitOf(p.cmd.ProcessState)
	p.stdout.end()
	p.stderr.end()
	close(p.exited)
}

// drain reads stderr to its end.
func (p *Process) drain() {
	defer p.work.Done()
	defer close(p.done)
	buf := make([]byte, 4096)
	for {
		n, err := p.stderr.Read(buf)
		if n > 0 {
			p.tail.write(buf[:n])
			p.tee(buf[:n])
		}
		if err != nil {
			break
		}
	}
	_ = p.stderr.Close()
	<-p.exited
}

// tee gives what the child wrote to the user's writer, which is not called again
// once it has panicked.
func (p *Process) tee(b []byte) {
	if p.also == nil {
		return
	}
	defer func() {
		if v := recover(); v != nil {
			p.also = nil
			p.failed = fmt.Errorf("process: the writer given as Cmd.Stderr of %q panicked: %v", p.args[0], v)
		}
	}()
	_, _ = p.also.Write(b)
}

type input struct{ p *Process }

func (i input) Write(b []byte) (int, error) { return i.p.stdin.Write(b) }

// SyscallConn lets a writer see that the pipe does not block.
func (i input) SyscallConn() (syscall.RawConn, error) { return i.p.stdin.SyscallConn() }

func (i input) Close() error {
	i.p.closeStdin()
	return nil
}

// Describe is one line about a child that ended, and what it said last: for
// the texts of errors.
func (p *Process) Describe(lines int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (pid %d)", p.args[0], p.PID())
	if e, ok := p.Exit(); ok {
		fmt.Fprintf(&b, " ended with %s", e)
	}
	if tail := p.Tail(lines); len(tail) > 0 {
		fmt.Fprintf(&b, "; stderr ends with:\n%s", strings.Join(tail, "\n"))
	}
	return b.String()
}
