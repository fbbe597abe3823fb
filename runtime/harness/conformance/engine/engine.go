// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"path/filepath"
	"time"

	"github.com/accordkit/accord/runtime/harness/agent/scripted"
	"github.com/accordkit/accord/runtime/harness/conformance"
	"github.com/accordkit/accord/runtime/harness/session"
)

// Subject is a fresh engine, with logs in memory and a scripted agent.
func Subject() conformance.Subject {
	// The script says when what was cancelled ends, within the engine's grace.
	a := &scripted.Agent{Linger: time.Second / 2}
	e := session.New(session.Options{Agent: a, Dirs: anywhere{}})
	return conformance.Subject{Serve: e.Serve, Voice: a}
}

// anywhere takes every directory for one that is there: those of scripts are
// made up.
type anywhere struct{}

func (anywhere) Find(path string) (string, error) { return filepath.Clean(path), nil }
