// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"slices"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/harnessserver"
	"github.com/accordkit/accord/runtime/harness/session/internal/core"
)

// prompting is a session/prompt.
type prompting struct {
	typed[*harness.PromptReceipt, harnessserver.Call[*harness.PromptReceipt]]
	core.Prompt
	opening opening
}

// SessionPrompt implements harnessserver.Server.
func (s server) SessionPrompt(call harnessserver.Call[*harness.PromptReceipt], p *harness.PromptParams) {
	c := s.c
	w := new(prompting)
	w.init(c, call.Request, p.SessionID, call)
	w.create = true
	w.To, w.Client, w.Steer, w.Content = &w.ticket, c, p.Delivery == harness.DeliverySteer, p.ContentBlocks
	w.Hold = !c.negotiated() && !c.e.o.TakeAll && !w.Steer
	w.opening = c.opening(p.IfStored != harness.IfStoredFail, p.IfMissing != harness.IfMissingFail)
	err := checkContent(p.ContentBlocks)
	if longest := c.e.o.longest(); err == nil && len(call.Raw) > longest {
		err = errTooLong(longest)
	}
	if err == nil && p.IdempotencyKey != nil {
		w.Key, w.Fingerprint = *p.IdempotencyKey, fingerprint(call.Raw)
	}
	if err != nil {
		w.ticket.fail(err)
		return
	}
	if c.admits(&w.ticket) {
		c.e.post(w)
	}
}

func (w *prompting) gone() { w.c.e.post(w) }

func (w *prompting) run(f *family) {
	if !w.begins() {
		return
	}
	if f.core == nil && f.id == w.id && !w.opening.stored && w.Key != "" && f.repeats(w) {
		return
	}
	if !f.opens(&w.ticket, w.opening) {
		return
	}
	content, err := f.e.stored(w.Content)
	if err != nil {
		f.answer(&w.ticket, nil, storeError(f.id, err))
		return
	}
	w.Content = content
	f.attach(w.c)
	s := f.core.Root
	s.Prompt(&w.Prompt)
	if s.Held(&w.Prompt) {
		w.onCancel(func() {
			f.send(func() {
				if s.Forget(&w.Prompt) {
					f.answer(&w.ticket, nil, w.abandoned())
				}
			})
		})
	}
}

// repeats answers a prompt for a session that must not be brought back, if the
// stored log has the prompt's key. It reports whether it answered.
func (f *family) repeats(w *prompting) bool {
	ctx, cancel := f.e.storeContext()
	defer cancel()
	fold := core.NewFold(f.e.options(), agent.Session{ID: f.id}, 0)
	if err := feed(fold, f.id, f.e.o.Store.Read(ctx, string(f.id), 0)); err != nil {
		return false // what is wrong is reported when the session is opened
	}
	outs := fold.Repeat(&w.Prompt)
	for _, o := range outs {
		f.perform(o)
	}
	return len(outs) > 0
}

// lookup answers a request with what a log says, as long as it takes to read it.
func (f *family) lookup(o *core.Lookup) {
	t, id := o.To.(*ticket), string(o.S.Agent.ID)
	if s := f.subscriptionOf(t.c); s != nil {
		t.via(s.lane)
	}
	f.pending++
	t.read(func(ctx context.Context) (codec.Appender, error) {
		defer f.send(func() { f.pending-- })
		var d codec.Decoder
		for r, err := range f.e.o.Store.Read(ctx, id, o.From) {
			if err != nil {
				return nil, storeError(o.S.Agent.ID, err)
			}
			if r.Seq > o.Last {
				break
			}
			d.Reset(r.Data)
			if !slices.Contains(o.Types, string(d.Tag("type"))) {
				continue
			}
			var e harness.Event
			if e.DecodeJSON(&d); d.Err() != nil {
				return nil, storeError(o.S.Agent.ID, damaged(o.S.Agent.ID, r.Seq, d.Err()))
			}
			o.Read(&e)
		}
		return o.Answer()
	})
}
