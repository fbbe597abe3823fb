// SPDX-License-Identifier: Apache-2.0

package call

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/contract"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/listen"
	"github.com/accordkit/accord/runtime/process"
)

// Options of Run.
type Options struct {
	Method string
	Params string // one JSON object; empty: {}

	Runtime *process.Cmd // started for the call, if Connect is empty
	Connect string       // endpoint of a runtime that runs: unix:PATH or ws://HOST:PORT
	Listen  listen.Options

	Provider, Model, Dir string

	Events bool // write what the runtime sends to Err, a line each
	Wait   bool // stay until the session that the params name is at rest

	Out, Err io.Writer
}

// ErrUsage is a call that cannot be sent.
var ErrUsage = errors.New("used wrongly")

// usage is an ErrUsage that says what is wrong and nothing else.
type usage struct{ error }

func (usage) Is(target error) bool { return target == ErrUsage }

// Run makes the call and writes its result to Out, one line of JSON. A refusal
// is an error that says its kind, code and data.
func Run(ctx context.Context, o Options) (err error) {
	params := codec.Raw(o.Params)
	if o.Params == "" {
		params = codec.Raw("{}")
	}
	var named struct {
		SessionID harness.SessionID `json:"sessionId"`
	}
	if err := json.Unmarshal(params, &named); err != nil {
		return usage{fmt.Errorf("the params are not one JSON object%s", why(params, err))}
	}
	if o.Wait && named.SessionID == "" {
		return usage{errors.New("--wait needs params with a sessionId")}
	}
	rt, err := o.open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := rt.Close(context.WithoutCancel(ctx)); err == nil {
			err = cerr
		}
	}()
	result, err := rt.Call(ctx, o.Method, params)
	if err != nil {
		return refused(o.Method, err)
	}
	if _, err := fmt.Fprintf(o.Out, "%s\n", result); err != nil {
		return err
	}
	if o.Wait {
		if _, err := rt.Session(named.SessionID).Wait(ctx, nil); err != nil {
			return refused(harness.MethodSessionWait, err)
		}
	}
	return nil
}

// why says what is wrong with the params: at which byte, or which member.
func why(params []byte, err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && syntax.Offset <= int64(len(params)) && len(bytes.TrimSpace(params)) > 1:
		return fmt.Sprintf(": at byte %d, before %q: %v", syntax.Offset, excerpt(params[max(0, syntax.Offset-1):]), err)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Sprintf(": %s is a %s, not a string", kind.Field, kind.Value)
	case errors.As(err, &kind):
		return " but a JSON " + kind.Value
	}
	return ": " + err.Error()
}

// excerpt is the beginning of a text.
func excerpt(text []byte) string {
	const most = 20
	if r := []rune(string(text)); len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(text)
}

func (o Options) open(ctx context.Context) (*harnessclient.Runtime, error) {
	options := harnessclient.Options{Provider: o.Provider, Model: o.Model, Dir: o.Dir}
	if o.Events {
		options.Handler = printer(o.Err)
	}
	if o.Connect == "" {
		return harnessclient.Launch(ctx, o.Runtime, options)
	}
	if !strings.HasPrefix(o.Connect, "unix:") && !strings.HasPrefix(o.Connect, "ws://") {
		return nil, usage{fmt.Errorf("--connect %q is no endpoint: say unix:PATH or ws://HOST:PORT", o.Connect)}
	}
	c, err := listen.Dial(ctx, o.Connect, o.Listen)
	if err != nil {
		return nil, err
	}
	rt, err := harnessclient.Connect(ctx, c, c, options)
	if err != nil {
		_ = c.Close()
	}
	return rt, err
}

// refused says what an error of a call means, for people and for programs.
func refused(method string, err error) error {
	var d contract.DomainError
	if !errors.As(err, &d) {
		return fmt.Errorf("%s: %w", method, err)
	}
	data := ""
	if a, ok := d.(interface{ AppendData(b []byte) []byte }); ok {
		if b := a.AppendData(nil); len(b) > 0 {
			data = " " + string(b)
		}
	}
	return fmt.Errorf("%s: %s (%d): %w%s", method, d.Kind(), d.Code(), err, data)
}

// printer writes each notification as a line of JSON.
func printer(w io.Writer) harnessclient.Handler {
	var mu sync.Mutex
	show := func(method string, p codec.Appender) {
		mu.Lock()
		defer mu.Unlock()
		line := append(codec.AppendString([]byte(`{"method":`), method), `,"params":`...)
		line = append(p.AppendJSON(line), "}\n"...)
		_, _ = w.Write(line)
	}
	return harnessclient.Handler{
		SessionEvent: func(_ context.Context, p *harness.SessionEventParams) {
			show(harness.NotificationSessionEvent, p)
		},
		SessionDelta: func(_ context.Context, p *harness.SessionDelta) { show(harness.NotificationSessionDelta, p) },
		SessionStatus: func(_ context.Context, p *harness.SessionStatusParams) {
			show(harness.NotificationSessionStatus, p)
		},
		SessionReplayed: func(_ context.Context, p *harness.SessionReplayed) {
			show(harness.NotificationSessionReplayed, p)
		},
		SessionClosed: func(_ context.Context, p *harness.SessionClosed) { show(harness.NotificationSessionClosed, p) },
		SessionLost:   func(_ context.Context, p *harness.SessionLost) { show(harness.NotificationSessionLost, p) },
		SubagentStarted: func(_ context.Context, p *harness.SubagentStarted) {
			show(harness.NotificationSubagentStarted, p)
		},
		SubagentFinished: func(_ context.Context, p *harness.SubagentFinished) {
			show(harness.NotificationSubagentFinished, p)
		},
		Unknown: func(method string, params codec.Raw) { show(method, params) },
	}
}
