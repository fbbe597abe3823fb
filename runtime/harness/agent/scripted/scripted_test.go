// SPDX-License-Identifier: Apache-2.0

package scripted

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
)

// said keeps what a step says.
type said struct{ text string }

func (s *said) Text(d string) error      { s.text += d; return nil }
func (s *said) Reasoning(d string) error { s.text += "<" + d + ">"; return nil }
func (s *said) Call(id harness.ToolCallID, name string) error {
	s.text += string(id) + ":" + name
	return nil
}
func (s *said) Arguments(d string) error { s.text += d; return nil }
func (s *said) Break() error             { return nil }

func (s *said) Retry(context.Context, agent.Retry) error { return nil }

func TestItSaysWhatItIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := new(Agent)
		a.Text("s", "early ")
		out := new(said)
		r := &agent.Request{Session: agent.Session{ID: "s"}}
		type ended struct {
			r   agent.Result
			err error
		}
		end := make(chan ended, 1)
		go func() {
			got, err := a.Step(t.Context(), r, out)
			end <- ended{got, err}
		}()
		synctest.Wait()
		assert.Equal(t, "early ", out.text, "it waits for more")
		a.Text("other", "not here")
		a.Reasoning("s", "hm")
		a.Call("s", "c1", "bash", "{}")
		a.End("s", agent.Result{Stop: agent.ToolCalls})
		e := <-end
		require.NoError(t, e.err)
		assert.Equal(t, agent.ToolCalls, e.r.Stop)
		assert.Equal(t, "early <hm>c1:bash{}", out.text)

		a.Return("s", agent.TextOutput("hi"))
		o, err := a.Tool(t.Context(), &agent.Call{Session: agent.Session{ID: "s"}}, nil)
		require.NoError(t, err)
		assert.Len(t, o.Content, 1)

		a.Fail("s", harness.Failure{Message: "no luck"})
		_, err = a.Step(t.Context(), r, out)
		var f *agent.Failure
		require.ErrorAs(t, err, &f)
	})
}

func TestItEndsWithItsContext(t *testing.T) {
	a := new(Agent)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a.Text("s", "never")
	_, err := a.Step(ctx, &agent.Request{Session: agent.Session{ID: "s"}}, new(said))
	require.ErrorIs(t, err, context.Canceled)
	a.Forget("s")
	_, err = a.Tool(ctx, &agent.Call{Session: agent.Session{ID: "s"}}, nil)
	require.ErrorIs(t, err, context.Canceled)
}

func TestItLingersUntilItIsReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &Agent{Linger: time.Second}
		r := &agent.Request{Session: agent.Session{ID: "s"}}
		step := func() (returned func() bool, cancel func()) {
			ctx, stop := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				_, _ = a.Step(ctx, r, new(said))
				close(done)
			}()
			synctest.Wait()
			return func() bool {
				synctest.Wait()
				select {
				case <-done:
					return true
				default:
					return false
				}
			}, stop
		}
		returned, cancel := step()
		cancel()
		assert.False(t, returned())
		a.Release("s")
		assert.True(t, returned())

		returned, cancel = step()
		cancel()
		assert.False(t, returned(), "a release is for what ran then")
		time.Sleep(time.Second)
		assert.True(t, returned())
	})
}
