// SPDX-License-Identifier: Apache-2.0

//go:build unix

package process

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// TestMain is also the child: the test binary starts itself with a role.
func TestMain(m *testing.M) {
	if role := os.Getenv("PROCESS_TEST_ROLE"); role != "" {
		child(role)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func child(role string) {
	if strings.HasPrefix(role, "stdio-") {
		stdioChild(role)
		return
	}
	switch role {
	case "cat": // ends at the end of stdin
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "asked": // ends when a line says so
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
		fmt.Print("bye " + line)
	case "stubborn": // ignores all but SIGKILL
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
		fmt.Println("ready")
		time.Sleep(time.Minute)
	case "terminable": // ignores the end of stdin
		fmt.Println("ready")
		time.Sleep(time.Minute)
	case "noisy": // says much on stderr, then fails
		for i := range 100000 {
			fmt.Fprintf(os.Stderr, "line %d\n", i)
		}
		fmt.Fprint(os.Stderr, "last words")
		os.Exit(134)
	case "parent", "deserter": // leaves a grandchild that holds the pipes
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "PROCESS_TEST_ROLE=sleeper")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		if role == "deserter" {
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		}
		if cmd.Start() != nil {
			os.Exit(3)
		}
		fmt.Println(cmd.Process.Pid)
		os.Exit(7)
	case "sleeper":
		time.Sleep(time.Minute)
	case "burst": // fills the pipe and is gone
		_, _ = os.Stdout.Write(bytes.Repeat([]byte("x"), 60000))
	case "env":
		dir, _ := os.Getwd()
		fmt.Println(os.Getenv("GIVEN"), dir)
	}
}

func start(t *testing.T, role string, change ...func(*Cmd)) *Process {
	t.Helper()
	c := Command(os.Args[0]).WithEnv("PROCESS_TEST_ROLE=" + role)
	c.Ladder = Ladder{Shutdown: 5 * time.Second, EOF: 5 * time.Second, Term: 5 * time.Second, Kill: 5 * time.Second}
	for _, f := range change {
		f(c)
	}
	p, err := c.Start()
	require.NoError(t, err)
	t.Cleanup(func() {
		p.Kill()
		_, err := p.Stop(context.Background(), nil)
		assert.NoError(t, err)
	})
	return p
}

func firstLine(t *testing.T, p *Process) string {
	t.Helper()
	line, err := bufio.NewReader(p.Stdout()).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(line)
}

func TestTheEndOfStdinEndsAPoliteChild(t *testing.T) {
	p := start(t, "cat")
	_, err := io.WriteString(p.Stdin(), "hello\n")
	require.NoError(t, err)
	assert.Equal(t, "hello", firstLine(t, p))
	_, running := p.Exit()
	assert.False(t, running)

	rung, err := p.Stop(context.Background(), nil)
	require.NoError(t, err)
	assert.Equal(t, ByEOF, rung)
	exit, ok := p.Exit()
	assert.True(t, ok)
	assert.Equal(t, Exit{}, exit)
	_, err = io.WriteString(p.Stdin(), "more")
	assert.Error(t, err)
	assert.NoError(t, p.Stdin().Close())
}

func TestShutdownIsAskedFirst(t *testing.T) {
	p := start(t, "asked")
	rung, err := p.Stop(context.Background(), func(ctx context.Context) error {
		_, err := io.WriteString(p.Stdin(), "please\n")
		require.NoError(t, err)
		_, err = p.Wait(ctx)
		return err
	})
	require.NoError(t, err)
	assert.Equal(t, ByShutdown, rung)
	out, err := io.ReadAll(p.Stdout())
	require.NoError(t, err)
	assert.Equal(t, "bye please\n", string(out), "what was written before the end is not lost")
}

func TestAShutdownThatHangsIsBounded(t *testing.T) {
	p := start(t, "cat", func(c *Cmd) { c.Ladder.Shutdown = 10 * time.Millisecond })
	rung, err := p.Stop(context.Background(), func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	})
	require.NoError(t, err)
	assert.Equal(t, ByEOF, rung)
}

// Rule S1.
func TestTermAndKillFollow(t *testing.T) {
	p := start(t, "terminable", func(c *Cmd) { c.Ladder.EOF = 10 * time.Millisecond })
	firstLine(t, p)
	rung, err := p.Stop(context.Background(), nil)
	require.NoError(t, err)
	assert.Equal(t, ByTerm, rung)

	p = start(t, "stubborn", func(c *Cmd) { c.Ladder.EOF, c.Ladder.Term = 10*time.Millisecond, 10*time.Millisecond })
	firstLine(t, p)
	rung, err = p.Stop(context.Background(), nil)
	require.NoError(t, err)
	assert.Equal(t, ByKill, rung)
	exit, _ := p.Exit()
	assert.Equal(t, Exit{Code: 137, Signal: "killed"}, exit)
	assert.Equal(t, "signal: killed (exit code 137)", exit.String())
}

func TestAContextThatEndsSkipsToTheLastRung(t *testing.T) {
	p := start(t, "stubborn", func(c *Cmd) { c.Ladder = Ladder{time.Hour, time.Hour, time.Hour, 5 * time.Second} })
	firstLine(t, p)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	rung, err := p.Stop(ctx, nil)
	require.NoError(t, err)
	assert.Equal(t, ByKill, rung)
}

func TestStopRunsOnce(t *testing.T) {
	p := start(t, "cat")
	var wg sync.WaitGroup
	calls := 0
	for range 4 {
		wg.Go(func() {
			rung, err := p.Stop(context.Background(), func(context.Context) error { calls++; return nil })
			assert.NoError(t, err)
			assert.Equal(t, ByEOF, rung)
		})
	}
	wg.Wait()
	assert.Equal(t, 1, calls)
}

func TestStderrIsDrainedAndItsEndKept(t *testing.T) {
	var also bytes.Buffer
	p := start(t, "noisy", func(c *Cmd) { c.Stderr = &also })
	exit, err := p.Wait(context.Background())
	require.NoError(t, err)
	assert.Equal(t, 134, exit.Code)
	assert.Equal(t, []string{"line 99999", "last words"}, p.Tail(2))
	assert.Equal(t, 100001, bytes.Count(append(also.Bytes(), '\n'), []byte("\n")))
	all := p.Tail(0)
	assert.Regexp(t, `^line \d+$`, all[0], "a line that is cut off is left out")
	assert.LessOrEqual(t, len(strings.Join(all, "\n")), DefaultStderr)
	assert.Contains(t, p.Describe(1), "ended with exit code 134; stderr ends with:\nlast words")
}

// A grandchild holds stdin, stdout and stderr open; no caller waits for it.
//
// Rule S1.
func TestAGrandchildIsNotWaitedFor(t *testing.T) {
	for _, role := range []string{"parent", "deserter"} {
		t.Run(role, func(t *testing.T) {
			p := start(t, role)
			out, err := io.ReadAll(p.Stdout())
			require.NoError(t, err, "stdout ends though it is still held")
			pid, err := strconv.Atoi(strings.TrimSpace(string(out)))
			require.NoError(t, err)
			t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
			exit, err := p.Wait(context.Background())
			require.NoError(t, err)
			assert.Equal(t, 7, exit.Code)
			if role == "parent" && canAwait {
				require.Eventually(t, func() bool { return !runs(pid) }, 5*time.Second, time.Millisecond,
					"what is left of the group ends with its leader")
			}
			if role == "deserter" {
				assert.True(t, runs(pid), "who left the group lives")
			}
		})
	}
}

// runs reports whether a process is there and no zombie.
func runs(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !bytes.Contains(stat, []byte(") Z "))
}

func TestOutputOfADeadChildIsReadHoweverLate(t *testing.T) {
	p := start(t, "burst")
	_, err := p.Wait(context.Background())
	require.NoError(t, err)
	time.Sleep(2 * held) // past the deadline of the pipe: reading is not a race
	out, err := io.ReadAll(p.Stdout())
	require.NoError(t, err)
	assert.Len(t, out, 60000)
}

func TestEnvironmentAndDirectory(t *testing.T) {
	dir := t.TempDir()
	p := start(t, "env", func(c *Cmd) { *c = *c.WithEnv("GIVEN=first", "GIVEN=this").WithDir(dir) })
	assert.Equal(t, "this "+dir, firstLine(t, p))
	p = start(t, "env", func(c *Cmd) { c.Clean = true })
	assert.NotEmpty(t, firstLine(t, p))
}

func TestWhatCannotStartSaysWhy(t *testing.T) {
	_, err := Command("/does/not/exist").Start()
	require.ErrorIs(t, err, os.ErrNotExist)
	assert.ErrorContains(t, err, `process: start "/does/not/exist"`)
	_, err = (&Cmd{}).Start()
	assert.ErrorContains(t, err, "no program to start")
}

func TestWaitEndsWithItsContext(t *testing.T) {
	p := start(t, "cat")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := p.Wait(ctx)
	assert.True(t, errors.Is(err, context.Canceled))
}

func TestRing(t *testing.T) {
	r := newRing(10)
	assert.Empty(t, r.lines(0))
	r.write([]byte("ab\r\ncd"))
	assert.Equal(t, []string{"ab", "cd"}, r.lines(0))
	r.write([]byte("ef\ng\xffh\n"))
	assert.Equal(t, []string{"cdef", "g\uFFFDh"}, r.lines(0), "ab is overwritten")
	r.write([]byte("i"))
	assert.Equal(t, []string{"g\uFFFDh", "i"}, r.lines(0), "cdef lost its beginning")
	r.write([]byte("0123456789abcdefghijk\n"))
	assert.Equal(t, []string{"cdefghijk"}, r.lines(0), "one line longer than the ring keeps its end")
	r.write([]byte("xyz"))
	assert.Equal(t, []string{"xyz"}, r.lines(0))
}

// A Cmd is a value that several may start from: what one adds the others do not
// get.
func TestWithReturnsCopies(t *testing.T) {
	base := Command("x").WithEnv("A=1")
	one, two := base.WithEnv("B=1").WithDir("/one"), base.WithEnv("B=2")
	assert.Equal(t, []string{"A=1"}, base.Env)
	assert.Empty(t, base.Dir)
	assert.Equal(t, []string{"A=1", "B=1"}, one.Env)
	assert.Equal(t, []string{"A=1", "B=2"}, two.Env)
	assert.Empty(t, two.Dir)
}

type writer func(b []byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

// What is wrong with the user's writer ends neither the host nor the wait for the
// child: it is said.
func TestAStderrWriterThatPanicsOrHangs(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	for want, w := range map[string]writer{
		"panicked: no room": func([]byte) (int, error) { panic("no room") },
		"must not block":    func(b []byte) (int, error) { <-release; return len(b), nil },
	} {
		c := Command("sh", "-c", "echo one >&2; read x; echo two >&2")
		c.Stderr = w
		c.Ladder.Kill = 10 * time.Millisecond
		p, err := c.Start()
		require.NoError(t, err)
		require.Eventually(t, func() bool { return len(p.Tail(0)) > 0 }, 10*time.Second, time.Millisecond)
		rung, err := p.Stop(t.Context(), nil)
		require.ErrorContains(t, err, want)
		assert.Equal(t, ByEOF, rung)
	}
}
