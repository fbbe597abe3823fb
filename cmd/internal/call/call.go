// SPDX-License-Identifier: Apache-2.0

package call

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/generator/emit/markdown"
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
	Wait   bool // stay until the session that the params name is at rest, and show a prompt's answer

	Out, Err io.Writer
}

// ErrUsage is a call that cannot be sent.
var ErrUsage = errors.New("used wrongly")

// usage is an ErrUsage that says what is wrong and nothing else.
type usage struct{ error }

func (usage) Is(target error) bool { return target == ErrUsage }

// Methods are those that a client calls.
var Methods = []string{
	harness.MethodSessionPrompt, harness.MethodSessionCancel, harness.MethodSessionClose, harness.MethodSessionLoad,
	harness.MethodSessionResume, harness.MethodSessionWait, harness.MethodSessionStatus, harness.MethodSessionList,
	harness.MethodSessionWorkingDirectoryGet, harness.MethodSessionWorkingDirectorySet, harness.MethodShutdown,
	harness.MethodInitialize,
}

// Run makes the call and writes its result to Out, one line of JSON. A refusal
// is an error that says its kind, code and data. The code is what the process
// should exit with if there is no error: 1 for a prompt that was waited for and
// did not complete.
func Run(ctx context.Context, o Options) (code int, err error) {
	params := codec.Raw(strings.TrimPrefix(o.Params, "\ufeff")) // as the wire takes it
	if len(params) == 0 {
		params = codec.Raw("{}")
	}
	var named struct {
		SessionID harness.SessionID `json:"sessionId"`
	}
	if err := json.Unmarshal(params, &named); err != nil {
		return 0, usage{why(params, err)}
	}
	if o.Wait && named.SessionID == "" {
		return 0, usage{errors.New("--wait needs params with a sessionId")}
	}
	rt, err := o.open(ctx)
	if err != nil {
		return 0, err
	}
	defer func() {
		if cerr := rt.Close(context.WithoutCancel(ctx)); err == nil {
			err = cerr
		}
	}()
	if o.Wait && o.Method == harness.MethodSessionPrompt {
		return o.prompt(ctx, rt.Session(named.SessionID), params)
	}
	result, err := rt.Call(ctx, o.Method, params)
	if err != nil {
		return 0, refused(o.Method, err)
	}
	if _, err := fmt.Fprintf(o.Out, "%s\n", result); err != nil {
		return 0, err
	}
	if o.Wait {
		if _, err := rt.Session(named.SessionID).Wait(ctx, nil); err != nil {
			return 0, refused(harness.MethodSessionWait, err)
		}
	}
	return 0, nil
}

// prompt makes a call of session/prompt, and writes its receipt and how it ended.
func (o Options) prompt(ctx context.Context, s *harnessclient.Session, params codec.Raw) (code int, err error) {
	var p harness.PromptParams
	if err := p.UnmarshalJSON(params); err != nil {
		return 0, usage{fmt.Errorf("the params: %w", err)}
	}
	turn, err := s.Prompt(ctx, p.ContentBlocks, &harness.PromptOptions{
		IdempotencyKey: p.IdempotencyKey, IfStored: p.IfStored, IfMissing: p.IfMissing, Delivery: p.Delivery,
	})
	if err != nil {
		return 0, refused(o.Method, err)
	}
	if _, err := fmt.Fprintf(o.Out, "%s\n", turn.Receipt.AppendJSON(nil)); err != nil {
		return 0, err
	}
	end, err := turn.Settled(ctx)
	if err != nil {
		return 0, fmt.Errorf("how the prompt ended is not known: %w", err)
	}
	if _, err := s.Wait(ctx, nil); err != nil {
		return 0, refused(harness.MethodSessionWait, err)
	}
	line := codec.AppendString([]byte(`{"outcome":`), string(end.Outcome))
	line = fmt.Appendf(line, `,"turn":%d,"text":`, end.Turn)
	line = codec.AppendString(line, end.Text)
	if _, err := fmt.Fprintf(o.Out, "%s}\n", line); err != nil {
		return 0, err
	}
	if err := end.Err(); err != nil {
		fmt.Fprintf(o.Err, "accord: %v\n", err)
		return 1, nil
	}
	return 0, nil
}

// why says what is wrong with the params: at which byte, or which member.
func why(params []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && syntax.Offset <= int64(len(params)) && len(bytes.TrimSpace(params)) > 1:
		return fmt.Errorf("the params are no JSON: at byte %d, before %q: %w", syntax.Offset, excerpt(params[max(0, syntax.Offset-1):]), err)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("the params' %s is a JSON %s, not a string", kind.Field, kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("the params are not one JSON object but a JSON %s", kind.Value)
	}
	return fmt.Errorf("the params are not one JSON object: %w", err)
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
	if o.Connect != "unix" && !strings.HasPrefix(o.Connect, "unix:") && !strings.HasPrefix(o.Connect, "ws://") {
		return nil, usage{fmt.Errorf("--connect %q is no endpoint: say unix, unix:PATH or ws://HOST:PORT", o.Connect)}
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
	hint := ""
	if !slices.Contains(Methods, method) {
		hint = "; the client's methods are " + strings.Join(Methods, ", ")
		if near := markdown.Near(Methods, method); len(near) > 0 {
			hint = "; did you mean " + near[0] + "?"
		}
	}
	return fmt.Errorf("%s: %s (%d): %w%s%s", method, d.Kind(), d.Code(), err, data, hint)
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
