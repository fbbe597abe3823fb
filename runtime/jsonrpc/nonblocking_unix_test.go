// SPDX-License-Identifier: Apache-2.0

//go:build unix

package jsonrpc

import (
	"io"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNonblocking(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/plain")
	require.NoError(t, err)
	same, err := Nonblocking(file)
	require.NoError(t, err)
	assert.Same(t, file, same, "a plain file stays")
	require.NoError(t, file.Close())

	r, w := pipe(t)
	raw, err := w.SyscallConn()
	require.NoError(t, err)
	require.NoError(t, raw.Control(func(fd uintptr) { require.NoError(t, syscall.SetNonblock(int(fd), false)) }))
	assert.Nil(t, tryWriter(w), "a pipe in blocking mode must not be tried")
	fresh, err := Nonblocking(w)
	require.NoError(t, err)
	assert.NotSame(t, w, fresh)
	assert.NotNil(t, tryWriter(fresh))
	_, err = fresh.WriteString("x")
	require.NoError(t, err)
	require.NoError(t, fresh.Close())
	text, err := io.ReadAll(r)
	require.NoError(t, err, "the old descriptor is closed too")
	assert.Equal(t, "x", string(text))
	require.NoError(t, r.Close())
	_, err = Nonblocking(fresh)
	assert.Error(t, err)
}
