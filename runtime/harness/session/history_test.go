// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"context"
	"iter"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/accordkit/accord/runtime/harness/session"
	"github.com/accordkit/accord/runtime/store"
	"github.com/accordkit/accord/runtime/store/memory"
)

// counted counts the records that are read from its logs.
type counted struct {
	*memory.Store
	read atomic.Int64
}

func (s *counted) Create(ctx context.Context, h store.Header) (store.Log, error) {
	l, err := s.Store.Create(ctx, h)
	return &countedLog{l, &s.read}, err
}

type countedLog struct {
	store.Log
	read *atomic.Int64
}

func (l *countedLog) Read(ctx context.Context, from int64) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		for r, err := range l.Log.Read(ctx, from) {
			if l.read.Add(1); !yield(r, err) {
				return
			}
		}
	}
}

// A long talk is read once, however close its prompts come: a prompt that comes
// with the end of the turn before it does not have the log read from its
// beginning.
func TestALongTalkIsReadOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &counted{Store: new(memory.Store)}
		c := dial(t, newEngine(t, func(o *session.Options) { o.Store, o.QueueLimit = s, 200 }))
		for range 100 {
			c.prompt("s", "say this and that")
		}
		synctest.Wait()
		assert.Len(t, c.texts("s"), 100)
		assert.LessOrEqual(t, s.read.Load(), int64(len(c.events("s"))))
		c.hangUp()
	})
}
