// SPDX-License-Identifier: Apache-2.0

//go:build unix

package process

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stdioChild is the child's part of the tests below.
func stdioChild(role string) {
	s, err := TakeStdio()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	switch role {
	case "stdio-stray": // prints in every way there is
		fmt.Println("a stray print")
		println("a stray println")
		grandchild := exec.Command("sh", "-c", "echo a stray child")
		grandchild.Stdout = os.Stdout
		_ = grandchild.Run()
		fmt.Fprintln(s.Out, "frame")
	case "stdio-release": // closes what it reads
		released := make(chan error, 1)
		go func() {
			_, err := s.In.Read(make([]byte, 1))
			released <- err
		}()
		fmt.Fprintln(s.Out, "reading")
		time.AfterFunc(20*time.Millisecond, func() { _ = s.In.Close() })
		fmt.Fprintln(s.Out, "released:", <-released != nil)
	case "stdio-echo":
		_, _ = io.Copy(s.Out, s.In)
	}
	_ = s.In.Close()
	_ = s.Out.Close()
}

// Rule F6.
func TestStdoutCarriesFramesAlone(t *testing.T) {
	p := start(t, "stdio-stray")
	out, err := io.ReadAll(p.Stdout())
	require.NoError(t, err)
	stop(t, p)
	assert.Equal(t, "frame\n", string(out))
	for _, line := range []string{"a stray print", "a stray println", "a stray child"} {
		assert.Contains(t, p.Tail(0), line)
	}
}

func TestCloseReleasesARead(t *testing.T) {
	p := start(t, "stdio-release")
	out, err := io.ReadAll(p.Stdout())
	require.NoError(t, err)
	stop(t, p)
	assert.Equal(t, "reading\nreleased: true\n", string(out))
}

// A shell's other commands share the open file; they must not find it
// non-blocking.
func TestStdioLeavesItsModeBehind(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	cmd := exec.Command("sh", "-c", `echo in | "$0" >/dev/null; "$0" </dev/null; echo end`, os.Args[0])
	cmd.Env = append(os.Environ(), "PROCESS_TEST_ROLE=stdio-echo")
	cmd.Stdout = w
	fd := int(w.Fd()) // which also makes it blocking, as a shell's pipe is
	require.NoError(t, cmd.Run())
	flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFL, 0)
	require.Zero(t, errno)
	assert.Zero(t, flags&syscall.O_NONBLOCK)
	require.NoError(t, w.Close())
	out, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, "end\n", string(out))
}

func TestStdioFromAFile(t *testing.T) {
	name := t.TempDir() + "/in"
	require.NoError(t, os.WriteFile(name, []byte("one\ntwo\n"), 0o600))
	in, err := os.Open(name)
	require.NoError(t, err)
	defer in.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PROCESS_TEST_ROLE=stdio-echo")
	cmd.Stdin = in
	out, err := cmd.Output()
	require.NoError(t, err)
	assert.Equal(t, "one\ntwo\n", string(out))
}

func TestStdioEchoesThroughSockets(t *testing.T) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	ours, theirs := os.NewFile(uintptr(fds[0]), "ours"), os.NewFile(uintptr(fds[1]), "theirs")
	defer ours.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PROCESS_TEST_ROLE=stdio-echo")
	cmd.Stdin, cmd.Stdout = theirs, theirs
	require.NoError(t, cmd.Start())
	require.NoError(t, theirs.Close())
	_, err = io.WriteString(ours, "hello\n")
	require.NoError(t, err)
	line, err := bufio.NewReader(ours).ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, "hello", strings.TrimSpace(line))
	require.NoError(t, syscall.Shutdown(fds[0], syscall.SHUT_WR))
	require.NoError(t, cmd.Wait())
}

func stop(t *testing.T, p *Process) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err := p.Stop(ctx, nil)
	require.NoError(t, err)
}
