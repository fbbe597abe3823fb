// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"errors"
	"iter"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/session/internal/core"
	"github.com/accordkit/accord/runtime/store"
)

// settings is what sessions start with that a connection opens.
type settings struct {
	cwd, provider, model, effort string
	maxTokens                    int64
}

// opening says what an id may mean.
type opening struct {
	settings
	stored  bool // a stored log may be brought back
	missing bool // an unknown id may be created
}

// open brings the session to life, unless it is alive. A failure leaves nothing.
func (f *family) open(o opening) error {
	if f.core != nil {
		return nil
	}
	ctx, cancel := f.e.storeContext()
	defer cancel()
	if o.stored {
		switch err := f.restore(ctx, o.settings); {
		case err == nil:
			return nil
		case !isMissing(err) || !o.missing:
			return storeError(f.id, err)
		}
	} else if _, err := f.e.o.Store.Stat(ctx, string(f.id)); !isMissing(err) {
		if err == nil {
			err = &store.ExistsError{ID: string(f.id)}
		}
		return storeError(f.id, err)
	}
	if !o.missing {
		return errNotFound(f.id)
	}
	return f.create(ctx, o.settings)
}

func isMissing(err error) bool {
	var missing *store.NotFoundError
	return errors.As(err, &missing)
}

func (f *family) create(ctx context.Context, o settings) error {
	now := f.e.o.Now().UnixMilli()
	log, err := f.e.o.Store.Create(ctx, store.Header{ID: string(f.id), CreatedAt: now, Cwd: o.cwd})
	if err != nil {
		return storeError(f.id, err)
	}
	s := agent.Session{ID: f.id, Cwd: o.cwd, Provider: o.provider, Model: o.model, Effort: o.effort, MaxTokens: o.maxTokens}
	f.log = log
	f.core = core.New(f.e.options(), s, now)
	f.core.Root.Setup(f.e.setup(s))
	return nil
}

func (f *family) restore(ctx context.Context, o settings) error {
	log, err := f.e.o.Store.Open(ctx, string(f.id))
	if err != nil {
		return err
	}
	h := log.Header()
	fold := core.NewFold(f.e.options(), agent.Session{
		ID: f.id, Parent: harness.SessionID(h.Parent), Depth: h.Depth, Cwd: h.Cwd,
		Provider: o.provider, Model: o.model, Effort: o.effort, MaxTokens: o.maxTokens,
	}, h.CreatedAt)
	if err := feed(fold, f.id, log.Read(ctx, 0)); err != nil {
		f.e.release(f.id, log)
		return err
	}
	f.log = log
	f.core = fold.Finish()
	// What repair wrote is stored before anything else is said of the session.
	outs := f.core.Take()
	for _, records := range f.records(outs) {
		if err := log.Append(ctx, records[0].Seq-1, records...); err != nil {
			f.core, f.log = nil, nil
			f.e.release(f.id, log)
			return err
		}
	}
	f.core.Done()
	f.child = h.Parent
	return nil
}

// feed adds the events of a log to a fold.
func feed(fold *core.Fold, id harness.SessionID, log iter.Seq2[store.Record, error]) error {
	var d codec.Decoder
	for r, err := range log {
		if err != nil {
			return err
		}
		var e harness.Event
		d.Reset(r.Data)
		if e.DecodeJSON(&d); d.Err() != nil {
			return damaged(id, r.Seq, d.Err())
		}
		fold.Add(&e)
	}
	return nil
}

// damaged returns the error of a log whose event with a seq cannot be read.
func damaged(id harness.SessionID, seq int64, err error) error {
	return &store.DamagedError{ID: string(id), Line: seq + 1, Seq: seq, Got: -1, Reason: err.Error()}
}
