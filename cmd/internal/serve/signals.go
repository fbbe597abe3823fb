// SPDX-License-Identifier: Apache-2.0

package serve

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
)

// signals ends a context at the first signal; a second one ends the process at
// once, whatever it waits for.
type signals struct {
	ch    chan os.Signal
	done  chan struct{}
	ended sync.WaitGroup
	first atomic.Int32 // 0: none
}

// watch begins to watch. The context that it returns ends with a signal.
func watch(parent context.Context) (context.Context, *signals) {
	// A peer that is gone shows as an error of Write, also on stderr.
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := context.WithCancel(parent)
	s := &signals{ch: make(chan os.Signal, 2), done: make(chan struct{})}
	signal.Notify(s.ch, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	s.ended.Go(func() {
		defer cancel()
		for {
			select {
			case got := <-s.ch:
				number := int32(1)
				if n, ok := got.(syscall.Signal); ok {
					number = int32(n)
				}
				if !s.first.CompareAndSwap(0, number) {
					os.Exit(128 + int(number))
				}
				cancel()
			case <-s.done:
				return
			}
		}
	})
	return ctx, s
}

// stop stops watching: signals do what they do by default again.
func (s *signals) stop() {
	signal.Stop(s.ch)
	close(s.done)
	s.ended.Wait()
}

// code is the exit code that the signal asks for: SIGTERM and SIGHUP ask for
// an orderly end and get 0, an interrupt gives 130, as shells expect.
func (s *signals) code() int {
	if s.first.Load() == int32(syscall.SIGINT) {
		return 130
	}
	return 0
}
