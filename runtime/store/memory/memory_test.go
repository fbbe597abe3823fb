// SPDX-License-Identifier: Apache-2.0

package memory_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/store"
	"github.com/accordkit/accord/runtime/store/memory"
	"github.com/accordkit/accord/runtime/store/storetest"
)

func record(seq int64, kind, data string) store.Record { return at(1000+seq, seq, kind, data) }

func at(time, seq int64, kind, data string) store.Record {
	return store.Record{Seq: seq, Data: fmt.Appendf(nil, `{"type":%q,"seq":%d,"time":%d,"data":%s}`, kind, seq, time, data)}
}

func TestContract(t *testing.T) { // DU-01
	storetest.Run(t, func(*testing.T) store.Store { return new(memory.Store) })
}

func TestTheFenceLocksTheOldOwnerOut(t *testing.T) {
	ctx := context.Background()
	s := memory.Store{TakeOver: true}
	old, err := s.Create(ctx, store.Header{ID: "a"})
	require.NoError(t, err)
	require.NoError(t, old.Append(ctx, -1, record(0, "a", "{}")))

	fresh, err := s.Open(ctx, "a")
	require.NoError(t, err)
	require.NoError(t, fresh.Append(ctx, 0, record(1, "session/end-seed", "{}")))

	var fenced *store.FencedError
	require.ErrorAs(t, old.Append(ctx, 0, record(1, "b", "{}")), &fenced)
	assert.Equal(t, store.FencedError{ID: "a", After: 0, Last: 1}, *fenced)
	require.NoError(t, old.Close(ctx), "a handle that lost the log can be closed")
	require.NoError(t, fresh.Append(ctx, 1, record(2, "c", "{}")), "and closing it takes nothing from the new owner")
}

func TestListPagesLastChangedFirst(t *testing.T) {
	ctx := context.Background()
	var s memory.Store
	for i := range 5 {
		h := store.Header{ID: fmt.Sprint("s", i), CreatedAt: int64(100 + i), Cwd: "/w"}
		if i == 2 {
			h.Cwd = "/other"
		}
		l, err := s.Create(ctx, h)
		require.NoError(t, err)
		require.NoError(t, l.Append(ctx, -1,
			record(0, "session/title", `{"title":"old","messageSeqs":[]}`),
			record(1, "session/title", fmt.Sprintf(`{"title":"t%d","messageSeqs":[]}`, i)),
			at(int64(2000+i), 2, "turn/start", `{"turn":1}`)))
	}
	_, err := s.Create(ctx, store.Header{ID: "child", Parent: "s1", CreatedAt: 200})
	require.NoError(t, err)

	var ids []string
	q := store.Query{Cwd: "/w", Limit: 3}
	for {
		page, err := s.List(ctx, q)
		require.NoError(t, err)
		for _, l := range page.Logs {
			ids = append(ids, l.Header.ID)
			assert.Equal(t, "t"+l.Header.ID[1:], l.Title)
			assert.Greater(t, l.UpdatedAt, int64(1999))
			assert.Equal(t, int64(3), l.Next)
		}
		if page.NextCursor == "" {
			break
		}
		q.Cursor = page.NextCursor
	}
	assert.Equal(t, []string{"s4", "s3", "s1", "s0"}, ids)

	_, err = s.List(ctx, store.Query{Cursor: "nonsense"})
	var unknown *store.CursorError
	assert.ErrorAs(t, err, &unknown)
}
