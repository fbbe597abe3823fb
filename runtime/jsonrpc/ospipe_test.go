// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func pipe(t *testing.T) (r, w *os.File) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	return r, w
}

func TestOverOSPipes(t *testing.T) {
	inR, inW := pipe(t)
	outR, outW := pipe(t)
	conn := NewConn(inR, outW, Config{Handler: &handler{}, Strict: true})
	assert.Equal(t, runtime.GOOS != "windows", conn.out.try != nil)
	ended := make(chan error)
	go func() { ended <- conn.Serve(context.Background()) }()
	// Far more than the pipe holds is requested before anything is read: tries are
	// cut short, and the writer continues with what is left.
	const n = 200
	go func() {
		for i := range n {
			_, _ = io.WriteString(inW, call(fmt.Sprint(i), "big", `{"n":5000}`)+"\n")
		}
	}()
	lines := bufio.NewReaderSize(outR, 1<<16)
	for i := range n {
		line, err := lines.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, echoed(fmt.Sprint(i), strings.Repeat("x", 5000))+"\n", line)
	}
	require.NoError(t, inW.Close())
	assert.NoError(t, <-ended)
	_, err := lines.ReadByte()
	assert.ErrorIs(t, err, io.EOF)
	require.NoError(t, outR.Close())
}

func TestBrokenOSPipeEndsTheConnection(t *testing.T) {
	inR, inW := pipe(t)
	outR, outW := pipe(t)
	conn := NewConn(inR, outW, Config{Handler: &handler{}})
	ended := make(chan error)
	go func() { ended <- conn.Serve(context.Background()) }()
	require.NoError(t, outR.Close())
	_, err := io.WriteString(inW, call("1", "echo", "{}")+"\n")
	require.NoError(t, err)
	err = <-ended // though its input is still open
	if runtime.GOOS != "windows" {
		assert.ErrorIs(t, err, syscall.EPIPE)
	}
	require.NoError(t, inW.Close())
}

func TestCloseWhileAnOSPipeIsFull(t *testing.T) {
	inR, inW := pipe(t)
	outR, outW := pipe(t)
	conn := NewConn(inR, outW, Config{Handler: &handler{}, Limits: Limits{Linger: -1}})
	ended := make(chan error)
	go func() { ended <- conn.Serve(context.Background()) }()
	_, err := io.WriteString(inW, call("1", "big", `{"n":1000000}`)+"\n")
	require.NoError(t, err)
	_, err = outR.Read(make([]byte, 1)) // the answer is being written, and hangs
	require.NoError(t, err)
	require.NoError(t, conn.Close())
	assert.NoError(t, <-ended)
	require.NoError(t, inW.Close())
	require.NoError(t, outR.Close())
}

func TestAnswersOfTheConnectionDoNotStarveLanes(t *testing.T) {
	p := newPeer(t, Config{Handler: &handler{}})
	lane := p.conn.NewLane(nil)
	p.conn.out.mu.Lock()
	for range 10 {
		p.conn.out.buf = append(p.conn.out.buf, strings.Repeat("x", flushAt)+"\n"...)
	}
	lane.buf = append(lane.buf, "event\n"...)
	p.conn.out.push(lane)
	assert.True(t, strings.HasSuffix(string(p.conn.out.gather()), "event\n"))
	p.conn.out.mu.Unlock()
	require.NoError(t, p.conn.Close())
	<-p.ended
}
