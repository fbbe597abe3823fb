package load_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/load"
)

func TestQueue(t *testing.T) {
	m, problems, err := load.Load(t.Context(), "./testdata/queue", load.Options{NoCache: true})
	require.NoError(t, err)
	require.Empty(t, problems.String())
	b, _ := json.MarshalIndent(m, "", " ")
	t.Log(string(b))
}
