// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/accordkit/accord/runtime/harness/session"
	"github.com/accordkit/accord/runtime/store"
	"github.com/accordkit/accord/runtime/store/memory"
)

// lasting is a store that says what it survives.
type lasting struct {
	*memory.Store
	survives store.Durability
}

func (l lasting) Durability() store.Durability { return l.survives }

// What a durable answer covers is announced as the store says it, and not at all
// where it survives nothing.
func TestDurabilityIsAnnounced(t *testing.T) {
	for name, tt := range map[string]struct {
		store store.Store
		want  any
	}{
		"none":       {nil, nil},
		"memory":     {new(memory.Store), nil},
		"process":    {lasting{new(memory.Store), store.Process}, "process"},
		"machine":    {lasting{new(memory.Store), store.Machine}, "machine"},
		"replicated": {lasting{new(memory.Store), store.Replicated}, "replicated"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := connect(t, newEngine(t, func(o *session.Options) { o.Store = tt.store }), true).read()
				info := c.ok("initialize", initV2)
				assert.Equal(t, tt.want, info["capabilities"].(map[string]any)["durability"])
				c.hangUp()
			})
		})
	}
}
