// SPDX-License-Identifier: Apache-2.0

package golang_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/spec/model"
)

var declarations sync.Map // name → func() (*model.Protocol, error)

// loaded is a declaration of testdata as `accord` reads it.
func loaded(t *testing.T, name string) *model.Protocol {
	t.Helper()
	once, _ := declarations.LoadOrStore(name, sync.OnceValues(func() (*model.Protocol, error) {
		s, err := load.Open(t.Context(), "./testdata/"+name+"spec", load.Options{})
		if err != nil {
			return nil, err
		}
		if s.Problems.Errors() > 0 {
			return nil, errors.New(s.Problems.String())
		}
		return s.Model, nil
	}))
	m, err := once.(func() (*model.Protocol, error))()
	require.NoError(t, err)
	return m
}
