// SPDX-License-Identifier: Apache-2.0

// Package interrupt ends a command's context by the signals that ask a process
// to end. It is the one watcher of signals of a process: a second one would see
// the same signal at another moment.
package interrupt

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
)

// Signal is the cause of a context that a signal ended.
type Signal struct{ syscall.Signal }

func (s Signal) Error() string { return "interrupted: " + s.Signal.String() }

// ExitCode is 128 and the signal's number, as shells have it.
func (s Signal) ExitCode() int { return 128 + int(s.Signal) }

// Of returns the signal that ended a context, if one did.
func Of(ctx context.Context) (Signal, bool) {
	s, ok := context.Cause(ctx).(Signal)
	return s, ok
}

type again struct{}

// Watch returns a context that ends with the first of SIGINT, SIGTERM and
// SIGHUP; its cause is a Signal. stop ends the watch and waits for its end:
// signals do what they do by default again.
func Watch(parent context.Context) (ctx context.Context, stop func()) {
	hard := new(atomic.Bool)
	ctx, cancel := context.WithCancelCause(context.WithValue(parent, again{}, hard))
	signals, done := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case s := <-signals:
				number, _ := s.(syscall.Signal)
				if _, second := Of(ctx); second && hard.Load() {
					os.Exit(Signal{number}.ExitCode())
				}
				cancel(Signal{number})
			case <-done:
				return
			}
		}
	})
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		watching.Wait()
		cancel(nil)
	}
}

// AgainEnds makes a second signal end the process at once, whatever it waits
// for: for commands that end in an orderly way, which may take its time.
func AgainEnds(ctx context.Context) {
	if hard, ok := ctx.Value(again{}).(*atomic.Bool); ok {
		hard.Store(true)
	}
}
