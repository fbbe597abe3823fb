// SPDX-License-Identifier: Apache-2.0

package harnessclient_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/process"
)

// runtimeProcess is a small runtime of dsh-0.1 on stdio.
func runtimeProcess(role string) {
	if role == "mute" {
		fmt.Fprintln(os.Stderr, "no such profile")
		os.Exit(1)
	}
	say := func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var f frame
		if json.Unmarshal(in.Bytes(), &f) != nil {
			os.Exit(9)
		}
		switch f.Method {
		case "initialize":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"serverInfo":{"name":"fake","version":"0"}}}`, f.ID)
		case "session/prompt":
			say(`{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"a","event":{"type":"agent/inbox/spliced","seq":0,"time":1,"data":{"target":"next-turn","start":0,"inserted":[%s]}}}}`, message("m-1", "x"))
			say(`{"jsonrpc":"2.0","id":%s,"result":{"messageId":"m-1"}}`, f.ID)
			say(`{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"a","event":{"type":"turn/start","seq":1,"time":1,"data":{"turn":1}}}}`)
			say(`{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"a","event":{"type":"agent/inbox/spliced","seq":2,"time":1,"data":{"target":"next-turn","start":0,"removedCount":1,"inserted":[]}}}}`)
			if role == "dies" || role == "dies, but is held" {
				fmt.Fprintln(os.Stderr, "FATAL ERROR: heap limit\nlast words")
				fmt.Print(`{"jsonrpc":"2.0","method":"session.ev`)
				if role == "dies, but is held" {
					hold := exec.Command("sleep", "30")
					hold.Stdout, hold.Stderr = os.Stdout, os.Stderr
					_ = hold.Start()
				}
				os.Exit(134)
			}
			say(`{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"a","event":{"type":"turn/end","seq":3,"time":1,"data":{"turn":1,"reason":{"kind":"completed"}}}}}`)
		case "shutdown":
			say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, f.ID)
			if role != "lingers" {
				return
			}
		}
	}
	if role == "lingers" { // does not end with stdin either
		time.Sleep(time.Minute)
	}
}

func command(role string) *process.Cmd {
	c := process.Command(os.Args[0]).WithEnv("HARNESS_TEST_ROLE=" + role)
	c.Ladder = process.Ladder{EOF: 5 * time.Second, Term: 5 * time.Second}
	return c
}

func TestLaunchPromptClose(t *testing.T) {
	rt, err := harnessclient.Launch(t.Context(), command("well"), harnessclient.Options{Dir: "/w", Provider: "p", Model: "m"})
	require.NoError(t, err)
	assert.Equal(t, "fake", rt.Info().ServerInfo.Name)
	assert.Zero(t, rt.Version())
	turn, err := rt.Session("a").Prompt(t.Context(), harness.Text("x"), nil)
	require.NoError(t, err)
	end, err := turn.Settled(t.Context())
	require.NoError(t, err)
	assert.True(t, end.OK())
	closeRuntime(t, rt)
	exit, ok := rt.Process().Exit()
	require.True(t, ok)
	assert.Zero(t, exit.Code)
	_, err = rt.Session("a").Prompt(t.Context(), harness.Text("x"), nil)
	var lost *harness.ConnectionLostError
	require.ErrorAs(t, err, &lost)
}

func TestARuntimeThatDiesMidTurn(t *testing.T) {
	for _, role := range []string{"dies", "dies, but is held"} {
		rt, err := harnessclient.Launch(t.Context(), command(role), harnessclient.Options{})
		require.NoError(t, err)
		turn, err := rt.Session("a").Prompt(t.Context(), harness.Text("x"), nil)
		require.NoError(t, err)
		end, err := turn.Settled(t.Context())
		var lost *harness.ConnectionLostError
		require.ErrorAs(t, err, &lost)
		assert.Equal(t, harnessclient.OutcomeConnectionLost, end.Outcome)
		require.NotNil(t, lost.ExitCode)
		assert.EqualValues(t, 134, *lost.ExitCode)
		assert.Equal(t, "FATAL ERROR: heap limit\nlast words", lost.Stderr)
		assert.ErrorContains(t, err, "exit code 134")
		closeRuntime(t, rt)
	}
}

func TestAFailedHandshakeIsReapedAndExplained(t *testing.T) {
	_, err := harnessclient.Launch(t.Context(), command("mute"), harnessclient.Options{})
	require.ErrorContains(t, err, "no such profile")
	require.ErrorContains(t, err, "exit code 1")
	assert.Equal(t, 1, strings.Count(err.Error(), "no such profile"), "%v", err)
}

func TestARuntimeThatStaysIsTerminated(t *testing.T) {
	cmd := command("lingers")
	cmd.Ladder.EOF = 10 * time.Millisecond
	rt, err := harnessclient.Launch(t.Context(), cmd, harnessclient.Options{})
	require.NoError(t, err)
	closeRuntime(t, rt)
	exit, _ := rt.Process().Exit()
	assert.Equal(t, "terminated", exit.Signal)
}

// A host that embeds the client compiles the standard library, the runtime
// packages below, and nothing else.
func TestDependencies(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	require.NoError(t, err)
	const root = "github.com/accordkit/accord/"
	for _, path := range strings.Fields(string(out)) {
		rest, ours := strings.CutPrefix(path, root)
		assert.True(t, ours, path)
		switch first := strings.Split(rest, "/"); {
		case rest == "clients/go/harnessclient":
		case first[0] == "runtime" && strings.Contains(" harness client server contract jsonrpc codec process ", " "+first[1]+" "):
		default:
			t.Errorf("the client depends on %s", path)
		}
	}
}
