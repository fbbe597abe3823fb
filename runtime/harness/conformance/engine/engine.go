// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"encoding/json"
	"path/filepath"
	"time"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/agent/scripted"
	"github.com/accordkit/accord/runtime/harness/conformance"
	"github.com/accordkit/accord/runtime/harness/session"
)

// Subject is a fresh engine, with logs in memory and a scripted agent.
func Subject() conformance.Subject {
	// The script says when what was cancelled ends, within the engine's grace.
	a := &scripted.Agent{Linger: time.Second / 2}
	e := session.New(session.Options{Agent: a, Dirs: anywhere{}})
	return conformance.Subject{Serve: e.Serve, Voice: voice{a}}
}

// anywhere takes every directory for one that is there: those of scripts are
// made up.
type anywhere struct{}

func (anywhere) Find(path string) (string, error) { return filepath.Clean(path), nil }

// voice is a scripted agent as a player speaks to it.
type voice struct{ a *scripted.Agent }

func (v voice) Text(s, delta string) { v.a.Text(harness.SessionID(s), delta) }

func (v voice) Release(s string) { v.a.Release(harness.SessionID(s)) }

func (v voice) Call(s, id, name, arguments string) {
	v.a.Call(harness.SessionID(s), harness.ToolCallID(id), name, arguments)
}

func (v voice) End(s, stop string) {
	r := agent.Result{Stop: agent.Finished}
	switch stop {
	case "tool-calls":
		r.Stop = agent.ToolCalls
	case "max-tokens":
		r.Stop = agent.MaxTokens
	}
	v.a.End(harness.SessionID(s), r)
}

func (v voice) Fail(s string, failure json.RawMessage) {
	f := harness.Failure{Message: "failed", Code: "UNKNOWN"}
	// A failure of another shape stays the one above.
	_ = f.UnmarshalJSON(failure)
	v.a.Fail(harness.SessionID(s), f)
}

func (v voice) Return(s string, content json.RawMessage, isError bool) {
	var d codec.Decoder
	d.Reset(content)
	o := agent.Output{IsError: isError}
	for d.Array(); d.Next(); {
		o.Content = append(o.Content, harness.DecodeContentBlock(&d))
	}
	v.a.Return(harness.SessionID(s), o)
}
