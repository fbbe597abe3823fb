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
