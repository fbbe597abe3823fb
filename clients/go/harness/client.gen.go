package harness

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/contract"
	"github.com/accordkit/accord/runtime/contract/track"
	"github.com/accordkit/accord/runtime/jsonrpc"
	"github.com/accordkit/accord/runtime/process"
)

const _ = contract.Generated1

// Version is the version of the protocol that this client offers.
const Version = 2

// Options say how to begin with a runtime, and who takes what it sends.
type Options struct {
	// Members of initialize; see InitializeParams.
	Dir             string
	Provider        string
	Model           string
	ReasoningEffort *string
	MaxTokens       *int64
	ClientInfo      *Implementation

	// Legacy offers no version: the runtime is treated as one that does not
	// negotiate.
	Legacy bool

	// Handler takes what the runtime sends about sessions.
	Handler Handler

	// Permissions answers session/request_permission. Its context ends when the
	// runtime withdraws the question. Without it the client does not declare
	// the capability, and every question is denied.
	Permissions func(ctx context.Context, p *RequestPermissionParams) (*RequestPermissionResult, error)

	// Diagnose is told what the connection met and went on after. It must be
	// quick and may be called from several goroutines.
	Diagnose func(jsonrpc.Diagnostic)

	// Limits bound the connection.
	Limits jsonrpc.Limits

	// QueueLimit bounds the bytes that wait for handlers and handles in one
	// scope; 0 means 8 MiB. Past it live messages are merged, then dropped; if
	// others alone exceed it, the handles fail with a *LaggingError.
	QueueLimit int

	// HandshakeTimeout bounds Launch and Connect; 0 means 30 s.
	HandshakeTimeout time.Duration

	// Retry says how often calls are made again where idempotency allows it.
	// The zero value repeats nothing.
	Retry track.Retry
}

// Runtime is a connection to a runtime that has been initialized.
type Runtime struct {
	client   *track.Client
	sessions *track.Scopes[SessionID, MessageID, TurnID]
	options  Options
	info     InitializeResult
}

// Launch starts a runtime as a child process and begins with it. ctx bounds the
// beginning alone. On failure the child is ended, and the error tells its last
// lines on stderr.
func Launch(ctx context.Context, cmd *process.Cmd, o Options) (*Runtime, error) {
	p, err := cmd.Start()
	if err != nil {
		return nil, err
	}
	return begin(ctx, p.Stdout(), p.Stdin(), p, o)
}

// Connect begins with a runtime at the other end of any transport. If r and w
// are io.Closers they are closed in the end.
func Connect(ctx context.Context, r io.Reader, w io.Writer, o Options) (*Runtime, error) {
	return begin(ctx, r, w, nil, o)
}

func begin(ctx context.Context, r io.Reader, w io.Writer, p *process.Process, o Options) (*Runtime, error) {
	rt := &Runtime{options: o}
	rt.sessions = track.NewScopes(rt.newSession)
	rt.client = track.NewClient(r, w, p, track.ClientConfig{
		Conn: jsonrpc.Config{Handler: &receiver{rt}, Limits: o.Limits, Diagnose: o.Diagnose},
		Errors: track.Errors{
			Decode: decodeError, Missing: missing, Unsupported: unsupported, Repeat: repeat,
		},
		Retry: o.Retry,
		Lost:  lost,
		Fail:  rt.sessions.Fail,
	})
	rt.client.Start()
	timeout := o.HandshakeTimeout
	if timeout <= 0 {
		timeout = 30 * time.Second
	}
	bounded, cancel := context.WithTimeout(ctx, timeout)
	err := rt.initialize(bounded)
	cancel()
	if err != nil {
		ended, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Millisecond)
		defer cancel()
		_ = rt.client.Close(ended, nil)
		if p != nil {
			return nil, fmt.Errorf("initialize: %w: %s", err, p.Describe(20))
		}
		return nil, fmt.Errorf("initialize: %w", err)
	}
	return rt, nil
}

func (rt *Runtime) initialize(ctx context.Context) error {
	o := &rt.options
	p := &InitializeParams{
		CWD: o.Dir, Provider: o.Provider, Model: o.Model,
		ReasoningEffort: o.ReasoningEffort, MaxTokens: o.MaxTokens, ClientInfo: o.ClientInfo,
	}
	if !o.Legacy {
		p.ProtocolVersion = new(int64(Version))
		p.Capabilities = &ClientCapabilities{Permissions: o.Permissions != nil, Deltas: true}
	}
	return rt.client.Caller.Call(ctx, &methodInitialize, track.Exchange{
		Params: p, Read: rt.info.DecodeJSON, Accept: func() error {
			switch v := rt.info.ProtocolVersion; {
			case v == nil:
			case *v == Version && !o.Legacy:
				rt.client.Caller.Negotiated(rt.announces)
			default:
				return fmt.Errorf("the other side answered version %d, which was not offered", *v)
			}
			return nil
		},
	})
}

// announces tells whether the runtime announced a capability.
func (rt *Runtime) announces(capability string) bool {
	c := rt.info.Capabilities
	if c == nil {
		return false
	}
	switch capability {
	case "deltas":
		return c.Deltas
	}
	s := c.Session
	if s == nil {
		return false
	}
	switch capability {
	case "session.cancel":
		return s.Cancel
	case "session.close":
		return s.Close
	case "session.load":
		return s.Load
	case "session.resume":
		return s.Resume
	case "session.wait":
		return s.Wait
	case "session.status":
		return s.Status
	case "session.list":
		return s.List
	case "session.workingDirectory":
		return s.WorkingDirectory
	}
	return false
}

// Info is what the runtime said of itself.
func (rt *Runtime) Info() *InitializeResult { return &rt.info }

// Version is the version in force, 0 if the runtime did not negotiate.
func (rt *Runtime) Version() int64 {
	if rt.info.ProtocolVersion == nil {
		return 0
	}
	return *rt.info.ProtocolVersion
}

// Done is closed when the connection is lost or closed.
func (rt *Runtime) Done() <-chan struct{} { return rt.client.Done() }

// Err is why the connection is lost, a *ConnectionLostError; nil while it is
// not.
func (rt *Runtime) Err() error { return rt.client.Err() }

// Process is the runtime's process if Launch started it, and else nil.
func (rt *Runtime) Process() *process.Process { return rt.client.Process() }

// Counters tell what has passed on the connection and what went wrong.
func (rt *Runtime) Counters() jsonrpc.Counters { return rt.client.Conn.Counters() }

// Counts tell what became of the messages of all sessions.
func (rt *Runtime) Counts() track.Counts { return rt.sessions.Counts() }

// Close ends the connection. A runtime that Launch started is ended with it,
// by the ladder of process.Cmd: shutdown, end of stdin, SIGTERM, SIGKILL. It
// returns when nothing that the client started is left.
func (rt *Runtime) Close(ctx context.Context) error {
	return rt.client.Close(ctx, rt.Shutdown)
}

// Session is the handle of a session, whether it exists yet or not. Nothing is
// sent.
func (rt *Runtime) Session(id SessionID) *Session { return &Session{rt: rt, id: id} }

// Call makes a call that this client has no method for.
func (rt *Runtime) Call(ctx context.Context, method string, params codec.Raw) (codec.Raw, error) {
	var result codec.Raw
	err := rt.client.Caller.Call(ctx, &track.Method{Name: method}, track.Exchange{
		Params: params, Read: func(d *codec.Decoder) { result = d.Raw() },
	})
	return result, err
}
