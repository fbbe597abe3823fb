// SPDX-License-Identifier: Apache-2.0

package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/accordkit/accord/cmd/internal/interrupt"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/agent/demo"
	"github.com/accordkit/accord/runtime/harness/log"
	"github.com/accordkit/accord/runtime/harness/log/disk"
	"github.com/accordkit/accord/runtime/harness/log/files"
	"github.com/accordkit/accord/runtime/harness/log/jsonl"
	"github.com/accordkit/accord/runtime/harness/session"
	"github.com/accordkit/accord/runtime/listen"
	"github.com/accordkit/accord/runtime/process"
	"github.com/accordkit/accord/runtime/store"
	"github.com/accordkit/accord/runtime/store/memory"
)

// Options of Run.
type Options struct {
	Agent  string // "demo"
	Store  string // "memory", or the folder of a home for sessions; empty: the user's own
	Listen string // "stdio", "unix", "unix:PATH" or "ws:HOST:PORT"
	Deltas string // "always", "negotiated" or "never"

	Durability string       // of a home: "strict", "turn" or "none"
	Encoding   log.Encoding // of a home without sessions

	// Hold holds prompts of clients that did not negotiate while their session
	// is busy.
	Hold bool

	Sockets listen.Options
	Stderr  io.Writer // messages for people
}

// ErrUsage is a wrong option.
var ErrUsage = errors.New("used wrongly")

// usage is an ErrUsage that says what is wrong and nothing else.
type usage struct{ error }

func (usage) Is(target error) bool { return target == ErrUsage }

// goodbye is how long open connections and abandoned agents may keep the
// process once everything was asked to end.
const goodbye = 500 * time.Millisecond

var agents = map[string]func() agent.Agent{
	"demo": func() agent.Agent { return demo.Agent{} },
}

var deltas = map[string]session.Deltas{
	"always":     session.DeltasAlways,
	"negotiated": session.DeltasNegotiated,
	"never":      session.DeltasNever,
}

// engine makes the engine that the options ask for, and what closes its store.
func (o Options) engine() (_ *session.Engine, done func() error, err error) {
	newAgent, ok := agents[o.Agent]
	if !ok {
		return nil, nil, usage{fmt.Errorf("there is no agent %q: say --agent demo", o.Agent)}
	}
	d, ok := deltas[o.Deltas]
	if !ok {
		return nil, nil, usage{fmt.Errorf("--deltas is always, negotiated or never, not %q", o.Deltas)}
	}
	durability, err := disk.ParseDurability(o.Durability)
	if err != nil {
		return nil, nil, usage{fmt.Errorf("--durability: %w", err)}
	}
	logs, done, err := o.store(durability)
	if err != nil {
		return nil, nil, err
	}
	return session.New(session.Options{Agent: newAgent(), Store: logs, Deltas: d, TakeAll: !o.Hold}), done, nil
}

func (o Options) store(d disk.Durability) (store.Store, func() error, error) {
	if o.Store == "memory" {
		return new(memory.Store), func() error { return nil }, nil
	}
	home, err := files.ChooseHome(o.Store, os.Getenv, os.UserHomeDir)
	if err != nil {
		return nil, nil, err
	}
	s, err := jsonl.Open(home, jsonl.Options{Durability: d, Encoding: o.Encoding})
	if err != nil {
		return nil, nil, fmt.Errorf("%w (--store names another home; --store memory keeps sessions as long as the process runs)", err)
	}
	return s, s.Close, nil
}

// Run serves until the input ends or a signal ends the context (see package
// interrupt), and says with which code the process should exit: SIGTERM and
// SIGHUP ask for an orderly end and get 0, an interrupt gives 130.
func Run(ctx context.Context, o Options) (code int, err error) {
	e, done, err := o.engine()
	switch {
	case errors.Is(err, ErrUsage):
		return 2, err
	case err != nil:
		return 1, err
	}
	defer func() { err = errors.Join(err, done()) }()
	// A peer that is gone shows as an error of Write, also on stderr.
	signal.Ignore(syscall.SIGPIPE)
	interrupt.AgainEnds(ctx)
	if o.Listen == "stdio" {
		err = o.stdio(ctx, e)
	} else {
		err = o.sockets(ctx, e)
	}
	if err != nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) {
		return 1, err
	}
	if s, ok := interrupt.Of(ctx); ok && s.Signal == syscall.SIGINT {
		return s.ExitCode(), nil
	}
	return 0, nil
}

// stdio serves the standard streams; their end is the runtime's.
func (o Options) stdio(ctx context.Context, e *session.Engine) error {
	streams, err := process.TakeStdio()
	if err != nil {
		return err
	}
	return e.Serve(ctx, streams.In, streams.Out)
}

// sockets serves each connection that comes. One that is lost stops nothing;
// the engine ends with the process.
func (o Options) sockets(ctx context.Context, e *session.Engine) error {
	l, err := listen.Open(o.Listen, o.Sockets)
	if err != nil {
		return usage{err}
	}
	defer l.Close()
	fmt.Fprintln(o.Stderr, "listening at", l.Addr())
	if t, ok := l.(interface{ TokenFile() string }); ok {
		fmt.Fprintln(o.Stderr, "the token is in", t.TokenFile())
	}
	conns, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	defer hangUp()
	var open sync.WaitGroup
	accepting, stop := context.WithCancel(ctx)
	defer stop()
	go func() { // a shutdown that a client asks for is the process's end too
		select {
		case <-e.Done():
			stop()
		case <-accepting.Done():
		}
	}()
	var failed error
	for {
		c, err := l.Accept(accepting)
		if err != nil {
			if accepting.Err() == nil {
				failed = fmt.Errorf("%s takes no more connections: %w", l.Addr(), err)
			}
			break
		}
		open.Go(func() { _ = e.ServeConn(conns, c, c) })
	}
	// Sessions end first, so that their peers are notified; then the connections.
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = e.Shutdown(end)
	gone := make(chan struct{})
	go func() { open.Wait(); close(gone) }()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye/2)
	defer cancel()
	if ctx.Err() != nil || failed != nil {
		e.HangUp(last)
	} // else a client asked, and the engine hangs up when it is answered
	select {
	case <-gone:
	case <-last.Done():
	}
	hangUp()
	select {
	case <-gone:
	case <-time.After(goodbye / 2):
	}
	return failed
}
