// SPDX-License-Identifier: Apache-2.0

package jobsclient_test

import (
	"bufio"
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/jobs"
	"github.com/accordkit/accord/runtime/jobs/jobsserver"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// slowLister breaks the promise of a quick method, so that a test sees where
// its calls run.
type slowLister struct {
	jobsserver.UnimplementedServer
}

func (*slowLister) QueueList(_ context.Context, p *jobs.ListParams) (*jobs.ListResult, error) {
	if p.Queue == "broken" {
		panic("no such thing")
	}
	time.Sleep(time.Second)
	return &jobs.ListResult{Next: string(p.Queue)}, nil
}

// A quick method is answered where it was read: nothing else is read meanwhile,
// answers have the order of their requests, and one that panics is answered too.
func TestQuick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		toServer, fromClient := io.Pipe()
		toClient, fromServer := io.Pipe()
		p := jobsserver.NewPeer(toServer, fromServer, jsonrpc.Config{}, func(*jobsserver.Peer) jobsserver.Server { return &slowLister{} })
		done := make(chan error, 1)
		go func() { done <- p.Serve(t.Context()) }()
		go func() {
			_, _ = io.WriteString(fromClient, `{"jsonrpc":"2.0","id":1,"method":"queue/list","params":{"queue":"a"}}
{"jsonrpc":"2.0","id":2,"method":"queue/list","params":{"queue":"broken"}}
{"jsonrpc":"2.0","id":3,"method":"queue/list","params":{"queue":"b"}}
`)
		}()
		begun := time.Now()
		var lines []string
		for in := bufio.NewScanner(toClient); len(lines) < 3 && in.Scan(); {
			lines = append(lines, in.Text())
		}
		require.Len(t, lines, 3)
		assert.Contains(t, lines[0], `"id":1,"result"`)
		assert.Contains(t, lines[1], `"id":2,"error"`)
		assert.Contains(t, lines[2], `"id":3,"result"`)
		assert.Equal(t, 2*time.Second, time.Since(begun), "two calls that take a second each")
		_ = fromClient.Close()
		assert.NoError(t, <-done)
	})
}
