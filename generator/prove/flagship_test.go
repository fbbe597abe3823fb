package prove_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/generator/prove"
)

func TestFlagship(t *testing.T) {
	s, err := load.Open(t.Context(), "../../spec/harness", load.Options{})
	require.NoError(t, err)
	require.Zero(t, s.Problems.Errors(), s.Problems)
	b := time.Now()
	found := prove.Run(s.Model)
	t.Log(time.Since(b))
	for _, p := range found {
		t.Log(p)
		t.Log(p.Message("zh"))
	}
}
