// SPDX-License-Identifier: Apache-2.0

package session

import (
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/session/internal/core"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// lane is the ordered stream of a family's frames on one connection.
type lane = *jsonrpc.Lane

// subscription is one connection that gets a family's frames.
type subscription struct {
	c       *client
	lane    lane
	loading int64 // a replay from after this seq has been put into the lane, -2: none
	muted   bool  // gets nothing more, except responses
}

// attach subscribes a connection to the family's frames. It returns nil if the
// connection is lost.
func (f *family) attach(c *client) *subscription {
	if s := f.subscriptionOf(c); s != nil {
		return s
	}
	if !c.joined(f) {
		return nil
	}
	s := &subscription{c: c, loading: -2}
	s.lane = c.conn.NewLane(&source{f: f, strict: c.negotiated()})
	f.subs = append(f.subs, s)
	f.catchUp(s, f.core.Root)
	for child := range f.logs {
		f.catchUp(s, child)
	}
	return s
}

// catchUp sends a new subscriber what it would know by now.
func (f *family) catchUp(s *subscription, of *core.Session) {
	if status := of.Announced(); status != harness.StatusIdle {
		if status == harness.StatusRequiresAction && !s.c.negotiated() {
			status = harness.StatusRunning
		}
		s.lane.Frame(frameOf(harness.NotificationSessionStatus, &harness.SessionStatusParams{SessionID: of.Agent.ID, Status: status}))
	}
}

func (f *family) subscriptionOf(c *client) *subscription {
	for _, s := range f.subs {
		if s.c == c {
			return s
		}
	}
	return nil
}

// detach ends a connection's subscription.
func (f *family) detach(c *client) {
	for i, s := range f.subs {
		if s.c == c {
			f.subs = append(f.subs[:i:i], f.subs[i+1:]...)
			s.lane.Close()
			return
		}
	}
}

func (f *family) publishRow(r *core.Row) {
	if r.Hidden {
		return
	}
	at := f.place(r.S, r.Seq)
	data, id := f.core.Data(r), r.S.Agent.ID
	for _, s := range f.subs {
		if s.muted {
			continue
		}
		turn := r.Turn
		if !s.c.negotiated() {
			turn = 0
		}
		s.lane.Event(at, len(data)+envelope, func(b []byte) []byte { return appendEvent(b, id, data, turn, false) })
	}
}

func (f *family) publish(method string, params codec.Appender) {
	for _, s := range f.subs {
		if !s.muted {
			s.lane.Frame(frameOf(method, params))
		}
	}
}

// publishStatus announces a status. Peers that did not negotiate know only
// running and idle, in turn.
func (f *family) publishStatus(id harness.SessionID, was, status harness.Status) {
	p := &harness.SessionStatusParams{SessionID: id, Status: status}
	for _, s := range f.subs {
		switch {
		case s.muted:
			continue
		case s.c.negotiated():
			s.lane.Frame(frameOf(harness.NotificationSessionStatus, p))
			continue
		}
		if status == harness.StatusRequiresAction || was == harness.StatusRequiresAction && status == harness.StatusRunning {
			continue
		}
		s.lane.Frame(frameOf(harness.NotificationSessionStatus, p))
	}
}
