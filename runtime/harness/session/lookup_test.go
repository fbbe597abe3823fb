// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"context"
	"errors"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/accordkit/accord/runtime/harness/session"
	"github.com/accordkit/accord/runtime/store"
	"github.com/accordkit/accord/runtime/store/memory"
)

// unread is a store whose logs are read as read says.
type unread struct {
	*memory.Store
	read func(ctx context.Context) error
}

func (u *unread) Read(ctx context.Context, id string, from int64) iter.Seq2[store.Record, error] {
	if u.read == nil {
		return u.Store.Read(ctx, id, from)
	}
	return func(yield func(store.Record, error) bool) {
		yield(store.Record{}, u.read(ctx))
	}
}

// lookups returns the requests that only the log can answer.
func lookups(first string) map[string]string {
	prompt := `{"sessionId":"s","idempotencyKey":"k","contentBlocks":[{"type":"text","text":"say one"}]}`
	return map[string]string{
		"session/prompt " + prompt: "completed",
		`session/cancel {"sessionId":"s","messageId":"` + first + `","turn":1}`:                      `"stale"`,
		`session/cancel {"sessionId":"s","messageId":"` + first + `","turn":2}`:                      `invalid-params`,
		`session/cancel {"sessionId":"s","messageId":"never","turn":2}`:                              `"stale"`,
		`session/cancel {"sessionId":"s","messageId":"never","idempotencyKey":"k"}`:                  `"stale"`,
		`session/cancel {"sessionId":"s","messageId":"` + first + `","idempotencyKey":"k"}`:          `invalid-params`,
		`session/cancel {"sessionId":"s","messageId":"` + first + `","idempotencyKey":"k","turn":2}`: `invalid-params`,
	}
}

func (c *wire) sendCall(call string) string {
	var method, params string
	for i, r := range call {
		if r == ' ' {
			method, params = call[:i], call[i+1:]
			break
		}
	}
	return c.send(method, params)
}

// A request that only the log can answer reads it outside of the mailbox: while
// the store is slow the session answers others and its turn continues. An error
// of the store is the answer, and no zero takes its place.
func TestLookups(t *testing.T) {
	for name, tt := range map[string]struct {
		read func(ctx context.Context) error
		want string // empty: as the log has it
	}{
		"reads":   {nil, ""},
		"fails":   {func(context.Context) error { return errors.New("the disk is gone") }, "store-failed"},
		"missing": {func(context.Context) error { return &store.NotFoundError{ID: "s"} }, "session-not-found"},
		"hangs":   {func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, "store-failed"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &unread{Store: new(memory.Store)}
				c := dial(t, newEngine(t, func(o *session.Options) { o.Store = s }))
				first := c.prompted("s", "say zero")
				c.prompted("s", "say one", withKey)
				c.prompted("s", "sleep 5s\nsay done")
				s.read = tt.read
				asked := map[string]string{}
				for call := range lookups(first) {
					asked[call] = c.sendCall(call)
				}
				assert.Equal(t, "running", c.ok("session/status", `{"sessionId":"s"}`)["state"])
				assert.Equal(t, "stopping", c.ok("session/cancel", `{"sessionId":"s"}`)["effect"])
				time.Sleep(time.Minute)
				for call, want := range lookups(first) {
					if tt.want != "" {
						want = tt.want
					}
					f := c.answer(asked[call])
					if assert.NotNil(t, f, call) {
						assert.Contains(t, f.Line, want, call)
					}
				}
				c.hangUp()
			})
		})
	}
}

// hungAppend is a hungStore whose listings do not hang.
type hungAppend struct{ hungStore }

func (s hungAppend) List(ctx context.Context, q store.Query) (store.Page, error) {
	return s.Store.List(ctx, q)
}

// A store that hangs in one session delays that session alone: the others, and
// the listing, which says what the hung one was doing, are answered at once, on
// its own connection too.
func TestAStoreThatHangsDelaysOneSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hungAppend{hungStore{new(memory.Store), make(chan struct{})}}
		c := dial(t, newEngine(t, func(o *session.Options) { o.Store = s }))
		c.prompted("idle", "say hi")
		hung := c.send("session/prompt", `{"sessionId":"hung","contentBlocks":[{"type":"text","text":"say hi"}]}`)
		synctest.Wait()
		status, cancel := c.send("session/status", `{"sessionId":"hung"}`), c.send("session/cancel", `{"sessionId":"hung"}`)
		assert.Equal(t, "idle", c.ok("session/status", `{"sessionId":"idle"}`)["state"])
		assert.Equal(t, "idle", c.ok("session/cancel", `{"sessionId":"idle"}`)["effect"])
		assert.Equal(t, "unknown", c.ok("session/cancel", `{"sessionId":"never"}`)["effect"])
		assert.Equal(t, true, c.ok("session/wait", `{"sessionId":"idle"}`)["idle"])
		assert.Len(t, c.ok("session/list", `{}`)["sessions"], 2)
		c.prompted("other", "say hi")
		assert.Nil(t, c.answer(status), "it is behind the prompt")
		close(s.hang)
		for _, id := range []string{hung, status, cancel} {
			assert.NotNil(t, c.answer(id))
		}
		c.hangUp()
	})
}
