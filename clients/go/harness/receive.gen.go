package harness

import (
	"context"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/contract/track"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// The numbers of what a runtime sends.
const (
	_ = iota
	opSessionEvent
	opSessionDelta
	opSessionStatus
	opSessionReplayed
	opSessionClosed
	opSessionLost
	opSubagentStarted
	opSubagentFinished
	opRequestPermission
	opUnknown
)

// Handler takes what the runtime sends. Its functions are called one at a time
// for each session, in the order of the wire; nil ones are not called.
type Handler struct {
	SessionEvent     func(ctx context.Context, p *SessionEventParams)
	SessionDelta     func(ctx context.Context, p *SessionDelta)
	SessionStatus    func(ctx context.Context, p *SessionStatusParams)
	SessionReplayed  func(ctx context.Context, p *SessionReplayed)
	SessionClosed    func(ctx context.Context, p *SessionClosed)
	SessionLost      func(ctx context.Context, p *SessionLost)
	SubagentStarted  func(ctx context.Context, p *SubagentStarted)
	SubagentFinished func(ctx context.Context, p *SubagentFinished)

	// Unknown takes notifications that this client does not know. It is called
	// on the goroutine that reads, and must be quick.
	Unknown func(method string, params codec.Raw)

	// Lagging is called when the functions above fell behind a session: what
	// came after err.AfterSeq is lost to them until the session is loaded or
	// resumed again.
	Lagging func(ctx context.Context, id SessionID, err *LaggingError)
}

func (h *Handler) some() bool {
	return h.SessionEvent != nil || h.SessionDelta != nil || h.SessionStatus != nil || h.SessionReplayed != nil ||
		h.SessionClosed != nil || h.SessionLost != nil || h.SubagentStarted != nil || h.SubagentFinished != nil
}

func (h *Handler) handle(ctx context.Context, it *track.Item) {
	switch p := it.Note.(type) {
	case *SessionEventParams:
		if h.SessionEvent != nil {
			h.SessionEvent(ctx, p)
		}
	case *SessionDelta:
		if h.SessionDelta != nil {
			h.SessionDelta(ctx, p)
		}
	case *SessionStatusParams:
		if h.SessionStatus != nil {
			h.SessionStatus(ctx, p)
		}
	case *SessionReplayed:
		if h.SessionReplayed != nil {
			h.SessionReplayed(ctx, p)
		}
	case *SessionClosed:
		if h.SessionClosed != nil {
			h.SessionClosed(ctx, p)
		}
	case *SessionLost:
		if h.SessionLost != nil {
			h.SessionLost(ctx, p)
		}
	case *SubagentStarted:
		if h.SubagentStarted != nil {
			h.SubagentStarted(ctx, p)
		}
	case *SubagentFinished:
		if h.SubagentFinished != nil {
			h.SubagentFinished(ctx, p)
		}
	}
}

// receiver is this side's receiving half.
type receiver struct{ rt *Runtime }

// Lookup gives the number of a method.
func (r *receiver) Lookup(method []byte) jsonrpc.Op {
	switch string(method) {
	case "session.event":
		return opSessionEvent
	case "session.delta":
		return opSessionDelta
	case "session.status":
		return opSessionStatus
	case "session.replayed":
		return opSessionReplayed
	case "session.closed":
		return opSessionClosed
	case "session.lost":
		return opSessionLost
	case "subagent.started":
		return opSubagentStarted
	case "subagent.finished":
		return opSubagentFinished
	case "session/request_permission":
		return opRequestPermission
	}
	return opUnknown
}

// Params reads params.
func (r *receiver) Params(op jsonrpc.Op, d *codec.Decoder) any {
	switch op {
	case opSessionEvent:
		return track.Read(d, new(SessionEventParams))
	case opSessionDelta:
		return track.Read(d, new(SessionDelta))
	case opSessionStatus:
		return track.Read(d, new(SessionStatusParams))
	case opSessionReplayed:
		return track.Read(d, new(SessionReplayed))
	case opSessionClosed:
		return track.Read(d, new(SessionClosed))
	case opSessionLost:
		return track.Read(d, new(SessionLost))
	case opSubagentStarted:
		return track.Read(d, new(SubagentStarted))
	case opSubagentFinished:
		return track.Read(d, new(SubagentFinished))
	case opRequestPermission:
		return track.Read(d, new(RequestPermissionParams))
	}
	var raw codec.Raw
	if d != nil {
		raw = d.Raw()
	}
	return raw
}

// Notification takes one notification.
func (r *receiver) Notification(n *jsonrpc.Notification) {
	if n.Err != nil {
		return // counted and reported by the connection
	}
	it := track.Item{Note: n.Params, Kind: int(n.Op), Size: int(n.Bytes)}
	switch p := n.Params.(type) {
	case *SessionEventParams:
		it.Seq, it.Numbered = p.Event.Seq, true
		r.session(p.SessionID, it)
	case *SessionDelta:
		it.Live = true
		r.session(p.SessionID, it)
	case *SessionStatusParams:
		r.session(p.SessionID, it)
	case *SessionReplayed:
		r.session(p.SessionID, it)
	case *SessionClosed:
		r.session(p.SessionID, it)
		r.rt.sessions.Drop(p.SessionID)
	case *SessionLost:
		r.session(p.SessionID, it)
		r.rt.sessions.Drop(p.SessionID)
	case *SubagentStarted:
		r.session(p.ParentSessionID, it)
	case *SubagentFinished:
		r.session(p.ParentSessionID, it)
	case codec.Raw:
		if unknown := r.rt.options.Handler.Unknown; unknown != nil {
			unknown(n.Method, p)
		}
	}
}

func (r *receiver) session(id SessionID, it track.Item) {
	if scope := r.rt.sessions.Find(id, r.rt.options.Handler.some()); scope != nil {
		scope.Receive(it)
	}
}

// Request takes one request of the runtime.
func (r *receiver) Request(q *jsonrpc.Request) {
	switch p := q.Params.(type) {
	case *RequestPermissionParams:
		absent := &RequestPermissionResult{Outcome: &PermissionCancelled{}}
		switch answer := r.rt.options.Permissions; {
		case q.Err != nil:
			q.Fail(q.Err)
		case answer == nil:
			q.Reply(absent)
		default:
			track.Answer(q, p, absent, answer)
		}
	default:
		q.Fail(unsupported(&track.Method{Name: q.Method}))
	}
}

// newSession makes the scope of a session.
func (rt *Runtime) newSession(id SessionID) *track.Scope[MessageID, TurnID] {
	h := &rt.options.Handler
	cfg := track.Config[MessageID, TurnID]{
		Knowledge: newKnowledge(id), Limit: rt.options.QueueLimit, Owner: rt.client.Owner,
		LostAs:  string(OutcomeConnectionLost),
		Lagging: func(after int64) error { return lagging(id, after) },
	}
	if h.some() {
		cfg.Handle = h.handle
	}
	if h.Lagging != nil {
		cfg.Lagged = func(ctx context.Context, err error) { h.Lagging(ctx, id, err.(*LaggingError)) }
	}
	return track.New(cfg)
}
