// SPDX-License-Identifier: Apache-2.0

package session

import (
	"cmp"
	"time"

	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/jsonrpc"
	"github.com/accordkit/accord/runtime/store"
	"github.com/accordkit/accord/runtime/store/memory"
)

// Deltas says who gets session.delta.
type Deltas int

// Who gets deltas.
const (
	DeltasAlways     Deltas = iota // every client
	DeltasNegotiated               // those alone that announced the capability
	DeltasNever                    // none
)

// Bounds are the times that the engine allows. Zero values mean the defaults.
type Bounds struct {
	Grace      time.Duration // for an agent to come back from a cancelled turn; default 1 s
	Drain      time.Duration // for after-work, and for admitted commands, at close; default 5 s
	Release    time.Duration // for what a session owns, and for its log, at close; default 1 s
	Close      time.Duration // for a whole close; default 10 s
	Shutdown   time.Duration // for a whole shutdown; default 800 ms
	Store      time.Duration // for one call of the store; default 10 s
	Permission time.Duration // for a permission to be decided; 0: no limit
}

// Options is what an engine is made of. Only Agent is required.
type Options struct {
	Agent  agent.Agent
	Store  store.Store // default: a memory.Store of its own
	Deltas Deltas
	Bounds Bounds

	// TakeAll accepts prompts at once also from clients that did not negotiate.
	// Without it a prompt of such a client to a busy session is held, and
	// accepted after the idle edge: its SDK ends a run at the first idle after
	// the receipt, and would hand one run's answer to another.
	TakeAll bool

	QueueLimit int // prompts that may wait in one session; default 64
	MaxDepth   int // how deep children may delegate; default 1
	Backlog    int // commands that may wait for one family; default 1024

	Limits   jsonrpc.Limits
	Diagnose func(jsonrpc.Diagnostic) // called with what connections met; may be nil

	// Troubled is called with what went wrong in an agent and reaches no client: a
	// panic, which ends its turn, with the stack. It may be nil.
	Troubled func(err error, stack []byte)

	Name    string // serverInfo; default DSH's own name, which clients know
	Version string // default 0.0.1

	NewID func() string    // fresh ids; default random UUIDs
	Now   func() time.Time // default time.Now
	Dirs  Dirs             // default: the file system
}

func (o Options) withDefaults() Options {
	set := func(d *time.Duration, v time.Duration) { *d = cmp.Or(max(*d, 0), v) }
	set(&o.Bounds.Grace, time.Second)
	set(&o.Bounds.Drain, 5*time.Second)
	set(&o.Bounds.Release, time.Second)
	set(&o.Bounds.Store, 10*time.Second)
	set(&o.Bounds.Close, 10*time.Second)
	set(&o.Bounds.Shutdown, 800*time.Millisecond)
	if o.Store == nil {
		o.Store = new(memory.Store)
	}
	o.QueueLimit = cmp.Or(max(o.QueueLimit, 0), 64)
	o.MaxDepth = cmp.Or(max(o.MaxDepth, 0), 1)
	o.Backlog = cmp.Or(max(o.Backlog, 0), 1024)
	o.Name = cmp.Or(o.Name, "deepseek-harness-sdk-runtime")
	o.Version = cmp.Or(o.Version, "0.0.1")
	if o.NewID == nil {
		o.NewID = newID
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Troubled == nil {
		o.Troubled = func(error, []byte) {}
	}
	if o.Dirs == nil {
		o.Dirs = fileSystem{}
	}
	return o
}

// besideContent is what an event may have in addition to its content, on the
// wire: ids, usage, what an adapter needs to continue.
const besideContent = 64 << 10

// longest returns how long the content of one event may be.
func (o *Options) longest() int {
	line := o.Limits.Line
	if line <= 0 {
		line = jsonrpc.DefaultLine
	}
	return max(line-besideContent, line/2)
}
