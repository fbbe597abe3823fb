// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"errors"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/harnessserver"
	"github.com/accordkit/accord/runtime/store"
)

// SessionList implements harnessserver.Server. Whether the runtime shuts down is
// decided where the request was read: one that stood on the input before its end
// is answered.
func (s server) SessionList(call harnessserver.Call[*harness.ListResult], p *harness.ListParams) {
	if t := newTicket(s.c, call.Request, "", call); s.c.admits(t) {
		t.read(func(ctx context.Context) (codec.Appender, error) { return s.c.e.list(ctx, p) })
	}
}

// list returns what the store knows, and what of it is live here.
func (e *Engine) list(ctx context.Context, p *harness.ListParams) (codec.Appender, error) {
	q := store.Query{Limit: 100}
	if p.CWD != nil {
		q.Cwd = *p.CWD
	}
	if p.Cursor != nil {
		q.Cursor = *p.Cursor
	}
	if p.Limit != nil {
		q.Limit = int(*p.Limit)
	}
	page, err := e.o.Store.List(ctx, q)
	var unknown *store.CursorError
	if errors.As(err, &unknown) {
		return nil, errInvalid("cursor", "cursor: not the nextCursor of an earlier answer; list again without it")
	}
	if err != nil {
		return nil, &harness.StoreFailedError{Message: "the sessions could not be listed", Err: err}
	}
	r := &harness.ListResult{Sessions: []harness.SessionInfo{}, Skipped: []harness.SkippedLog{}}
	for i := range page.Logs {
		info := &page.Logs[i]
		s := harness.SessionInfo{
			SessionID: harness.SessionID(info.Header.ID), CWD: info.Header.Cwd, Title: info.Title,
			UpdatedAt: &info.UpdatedAt, State: harness.StateStored,
		}
		if f := e.find(s.SessionID); f != nil {
			s.State = states[f.state.Load()]
		}
		r.Sessions = append(r.Sessions, s)
	}
	if page.NextCursor != "" {
		r.NextCursor = &page.NextCursor
	}
	for _, s := range page.Skipped {
		r.Skipped = append(r.Skipped, harness.SkippedLog{Path: s.Path, Reason: s.Reason})
	}
	return r, nil
}
