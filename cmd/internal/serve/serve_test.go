// SPDX-License-Identifier: Apache-2.0

//go:build unix

package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/cmd/internal/interrupt"
)

// TestMain is also the runtime: the test binary starts itself with options.
func TestMain(m *testing.M) {
	if text := os.Getenv("SERVE_TEST_OPTIONS"); text != "" {
		o := Options{Agent: "demo", Store: "memory", Durability: "strict", Listen: "stdio", Deltas: "always", Hold: true}
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			panic(err)
		}
		o.Stderr = os.Stderr
		ctx, stop := interrupt.Watch(context.Background())
		defer stop()
		code, err := Run(ctx, o)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// runtime is a started one.
type runtime struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func start(t *testing.T, options string) *runtime {
	t.Helper()
	r := &runtime{t: t, cmd: exec.Command(os.Args[0])}
	r.cmd.Env = append(os.Environ(), "SERVE_TEST_OPTIONS="+options)
	r.cmd.Stderr = os.Stderr
	var err error
	r.in, err = r.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := r.cmd.StdoutPipe()
	require.NoError(t, err)
	r.out = bufio.NewReader(out)
	require.NoError(t, r.cmd.Start())
	t.Cleanup(func() { _ = r.cmd.Process.Kill() })
	return r
}

func (r *runtime) say(line string) {
	r.t.Helper()
	_, err := io.WriteString(r.in, line+"\n")
	require.NoError(r.t, err)
}

// until reads lines until one has a text.
func until(t *testing.T, lines *bufio.Reader, text string) string {
	t.Helper()
	for {
		line, err := lines.ReadString('\n')
		require.NoError(t, err, "%s never came", text)
		if strings.Contains(line, text) {
			return line
		}
	}
}

func (r *runtime) begin() {
	r.t.Helper()
	r.say(initialize)
	until(r.t, r.out, `"id":"i"`)
}

// exit waits for the end, and gives the exit code and what was still written.
func (r *runtime) exit() (int, string) {
	r.t.Helper()
	rest, err := io.ReadAll(r.out)
	require.NoError(r.t, err)
	err = r.cmd.Wait()
	if err != nil {
		require.IsType(r.t, &exec.ExitError{}, err)
	}
	return r.cmd.ProcessState.ExitCode(), string(rest)
}

const initialize = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"cwd":"/","provider":"demo","model":"demo","protocolVersion":2}}`

func prompt(id, text string) string {
	return `{"jsonrpc":"2.0","id":"` + id + `","method":"session/prompt","params":{"sessionId":"s","contentBlocks":[{"type":"text","text":"` + text + `"}]}}`
}

func TestTheEndOfInputIsAnOrderlyEnd(t *testing.T) {
	r := start(t, `{}`)
	r.begin()
	r.say(prompt("p", "sleep 1m"))
	until(t, r.out, `"id":"p"`)
	require.NoError(t, r.in.Close())
	code, rest := r.exit()
	assert.Zero(t, code)
	assert.Contains(t, rest, `"type":"turn/end"`)
	assert.Contains(t, rest, `"method":"session.closed"`)
}

func TestSignals(t *testing.T) {
	for signal, code := range map[syscall.Signal]int{syscall.SIGTERM: 0, syscall.SIGHUP: 0, syscall.SIGINT: 130} {
		r := start(t, `{}`)
		r.begin()
		r.say(prompt("p", "sleep 1m"))
		until(t, r.out, `"id":"p"`)
		require.NoError(t, r.cmd.Process.Signal(signal))
		got, rest := r.exit()
		assert.Equal(t, code, got, "%v", signal)
		assert.Contains(t, rest, `"type":"turn/end"`, "%v", signal)
	}
}

// A runtime whose output is not read ends all the same.
func TestASignalEndsARuntimeThatIsNotRead(t *testing.T) {
	r := start(t, `{}`)
	r.begin()
	r.say(prompt("p", "flood 200000"))
	until(t, r.out, `"id":"p"`)
	require.NoError(t, r.cmd.Process.Signal(syscall.SIGTERM))
	ended := make(chan error, 1)
	go func() { ended <- r.cmd.Wait() }()
	select {
	case err := <-ended:
		assert.NoError(t, err)
	case <-time.After(10 * time.Second):
		t.Fatal("it did not end")
	}
}

func TestASecondSignalEndsAtOnce(t *testing.T) {
	r := start(t, `{}`)
	r.begin()
	r.say(prompt("p", "stubborn 1m"))
	until(t, r.out, `"id":"p"`)
	require.NoError(t, r.cmd.Process.Signal(syscall.SIGINT))
	require.NoError(t, r.cmd.Process.Signal(syscall.SIGINT))
	code, _ := r.exit()
	assert.Equal(t, 130, code)
}

// A connection that is lost stops nothing; the next one finds the session.
func TestALostSocketStopsNothing(t *testing.T) {
	dir, err := os.MkdirTemp("", "s") // a socket's path must be short
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	r := start(t, `{"Listen":"unix:`+path+`"}`)
	dial := func() net.Conn {
		var c net.Conn
		require.Eventually(t, func() bool { c, err = net.Dial("unix", path); return err == nil }, 10*time.Second, 5*time.Millisecond)
		_, err := io.WriteString(c, initialize+"\n")
		require.NoError(t, err)
		return c
	}
	one := dial()
	_, err = io.WriteString(one, prompt("p", "say before\\nsleep 300ms\\nsay after")+"\n")
	require.NoError(t, err)
	until(t, bufio.NewReader(one), `"id":"p"`)
	require.NoError(t, one.Close())

	two := dial()
	_, err = io.WriteString(two, `{"jsonrpc":"2.0","id":"l","method":"session/load","params":{"sessionId":"s"}}`+"\n")
	require.NoError(t, err)
	lines := bufio.NewReader(two)
	until(t, lines, `"id":"l"`)
	until(t, lines, `"text":"before\nafter"`)
	until(t, lines, `"type":"turn/end"`)
	require.NoError(t, r.cmd.Process.Signal(syscall.SIGTERM))
	until(t, lines, `"method":"session.closed"`)
	code, rest := r.exit()
	assert.Zero(t, code)
	assert.Empty(t, rest)
	assert.NoFileExists(t, path)
}

// A shutdown ends the process, whichever connection it comes on.
func TestAShutdownOverASocketEndsTheProcess(t *testing.T) {
	dir, err := os.MkdirTemp("", "s") // a socket's path must be short
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	r := start(t, `{"Listen":"unix:`+path+`"}`)
	dial := func() (net.Conn, *bufio.Reader) {
		var c net.Conn
		require.Eventually(t, func() bool { c, err = net.Dial("unix", path); return err == nil }, 10*time.Second, 5*time.Millisecond)
		t.Cleanup(func() { _ = c.Close() })
		_, err := io.WriteString(c, initialize+"\n")
		require.NoError(t, err)
		return c, bufio.NewReader(c)
	}
	busy, told := dial()
	_, err = io.WriteString(busy, prompt("p", "sleep 1h")+"\n")
	require.NoError(t, err)
	until(t, told, `"id":"p"`)
	other, lines := dial()
	_, err = io.WriteString(other, `{"jsonrpc":"2.0","id":"down","method":"shutdown"}`+"\n")
	require.NoError(t, err)
	until(t, lines, `"id":"down","result":{}`)
	until(t, told, `"method":"session.closed"`)
	code, rest := r.exit()
	assert.Zero(t, code)
	assert.Empty(t, rest)
	assert.NoFileExists(t, path)
}

func TestWrongOptions(t *testing.T) {
	right := Options{Agent: "demo", Store: "memory", Durability: "strict", Listen: "stdio", Deltas: "always"}
	for _, change := range []func(*Options){
		func(o *Options) { o.Agent = "x" },
		func(o *Options) { o.Durability = "x" },
		func(o *Options) { o.Deltas = "x" },
		func(o *Options) { o.Listen = "x" },
	} {
		o := right
		change(&o)
		code, err := Run(t.Context(), o)
		require.ErrorIs(t, err, ErrUsage)
		assert.NotZero(t, code)
	}
}
