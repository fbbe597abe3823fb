// SPDX-License-Identifier: Apache-2.0

package harnessclient_test

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// Handlers may close the connection, several at once and concurrently with its host: they
// wait for the others and not for each other.
func TestHandlersMayClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var rt *harnessclient.Runtime
		connected, closed := make(chan struct{}), make(chan error)
		p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: harnessclient.Handler{
			SessionStatus: func(ctx context.Context, _ *harness.SessionStatusParams) {
				<-connected
				closed <- rt.Close(ctx)
			},
		}})
		close(connected)
		for _, id := range []string{"a", "b"} {
			p.notify("session.status", `{"sessionId":"`+id+`","status":"running"}`)
		}
		synctest.Wait()
		go func() { closed <- rt.Close(t.Context()) }()
		for range 3 {
			assert.NoError(t, <-closed)
		}
		assert.Zero(t, time.Since(begun))
	})
}

// A function that must not block, and closes, gets an answer too.
func TestWhoHoldsUpTheReaderIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rt *harnessclient.Runtime
		closed := make(chan error, 1)
		p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: harnessclient.Handler{
			Unknown: func(string, codec.Raw) { closed <- rt.Close(t.Context()) },
		}})
		p.notify("x/y", `{}`)
		assert.ErrorContains(t, <-closed, "call Close from another goroutine")
	})
}

// panics are functions of a host's that panic, and the message that calls each.
var panics = map[string]struct {
	options harnessclient.Options
	message string
}{
	"a handler": {
		harnessclient.Options{Handler: harnessclient.Handler{SessionStatus: func(context.Context, *harness.SessionStatusParams) { panic("of a host") }}},
		`"method":"session.status","params":{"sessionId":"a","status":"running"}`,
	},
	"one on the reading goroutine": {
		harnessclient.Options{Handler: harnessclient.Handler{Unknown: func(string, codec.Raw) { panic("of a host") }}},
		`"method":"x/y","params":{}`,
	},
	"one that answers": {
		harnessclient.Options{Permissions: func(context.Context, *harness.RequestPermissionParams) (*harness.RequestPermissionResult, error) {
			panic("of a host")
		}},
		`"id":7,"method":"session/request_permission","params":{"sessionId":"a","turn":1,"toolCall":{"toolCallId":"t","title":"rm"},"options":[]}`,
	},
}

// A panic is reported to Diagnose, and everything continues.
func TestAPanicIsReported(t *testing.T) {
	for name, c := range panics {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var told []string
				o := c.options
				o.Diagnose = func(d jsonrpc.Diagnostic) {
					if d.Kind == jsonrpc.HandlerPanic {
						told = append(told, d.Err.Error())
					}
				}
				p, rt := connect(t, allCapabilities, o)
				for range 2 {
					p.say(`{"jsonrpc":"2.0",%s}`, c.message)
					synctest.Wait()
				}
				require.Len(t, told, 2)
				assert.Contains(t, told[0], "panicked: of a host")
				assert.Contains(t, told[0], "host_test.go", "with the stack")
				for range strings.Count(c.message, `"id":7`) * 2 {
					assert.Contains(t, string((<-p.got).Error), "internal error")
				}
				turn := begin(t, p, rt.Session("c"), "m-1", 1)
				p.turnEnd("c", 1, completed)
				end, err := turn.Settled(t.Context())
				require.NoError(t, err)
				assert.Equal(t, harnessclient.OutcomeCompleted, end.Outcome)
				closeRuntime(t, rt)
			})
		})
	}
}

// Without Diagnose it ends the process, with its stack, as any other does.
func TestAPanicThatNobodyIsToldOfEndsTheProcess(t *testing.T) {
	if name := os.Getenv("HARNESS_TEST_PANIC"); name != "" {
		p, _ := connect(t, allCapabilities, panics[name].options)
		p.say(`{"jsonrpc":"2.0",%s}`, panics[name].message)
		select {}
	}
	for name := range panics {
		t.Run(name, func(t *testing.T) {
			test, _, _ := strings.Cut(t.Name(), "/")
			cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$")
			cmd.Env = append(os.Environ(), "HARNESS_TEST_PANIC="+name)
			out, err := cmd.CombinedOutput()
			require.Error(t, err, "%s", out)
			assert.Contains(t, string(out), "of a host")
			assert.Contains(t, string(out), "host_test.go")
		})
	}
}

// A handler that ends its goroutine ends no more than that.
func TestAHandlerMayEndItsGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := 0
		p, rt := connect(t, allCapabilities, harnessclient.Options{Handler: harnessclient.Handler{
			SessionStatus: func(context.Context, *harness.SessionStatusParams) {
				seen++
				runtime.Goexit()
			},
		}})
		for range 3 {
			p.notify("session.status", `{"sessionId":"a","status":"running"}`)
		}
		synctest.Wait()
		assert.Equal(t, 3, seen)
		closeRuntime(t, rt)
	})
}
