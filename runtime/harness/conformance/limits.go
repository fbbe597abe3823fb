// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// probeLimit tries a line over the limit on a client of its own, with a small
// limit: it must be reported as a typed error that names the limit, and the
// next line must be read. The result says what went wrong.
func probeLimit() string {
	const limit = 4 << 10
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	fromClient, clientOut := io.Pipe()
	clientIn, toClient := io.Pipe()
	var runtime sync.WaitGroup
	runtime.Go(func() {
		r := bufio.NewReader(fromClient)
		first, _ := r.ReadBytes('\n')
		fmt.Fprintf(toClient, `{"jsonrpc":"2.0","id":%s,"result":{"serverInfo":{"name":"r","version":"1"}}}
{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"s","event":{"type":"x","seq":0,"time":1,"data":{"long":"%s"}}}}
{"jsonrpc":"2.0","method":"session.status","params":{"sessionId":"s","status":"running"}}
`, headOf(first).ID, strings.Repeat("x", 2*limit))
		_, _ = io.Copy(io.Discard, r)
	})
	var mu sync.Mutex
	reported := false
	after := make(chan struct{})
	read := sync.OnceFunc(func() { close(after) })
	rt, err := harnessclient.Connect(ctx, clientIn, clientOut, harnessclient.Options{
		Dir: "/", Provider: "p", Model: "m", Limits: jsonrpc.Limits{Line: limit},
		Diagnose: func(d jsonrpc.Diagnostic) {
			var fault *jsonrpc.Fault
			mu.Lock()
			defer mu.Unlock()
			reported = reported || d.Kind == jsonrpc.LineTooLong && errors.As(d.Err, &fault) && fault.Limit == jsonrpc.LimitLine
		},
		Handler: harnessclient.Handler{SessionStatus: func(context.Context, *harness.SessionStatusParams) { read() }},
	})
	if err == nil {
		wait(ctx, after)
	}
	_ = toClient.Close()
	_ = fromClient.Close()
	if rt != nil {
		_ = rt.Close(ctx)
	}
	runtime.Wait()
	mu.Lock()
	defer mu.Unlock()
	switch {
	case err != nil:
		return "could not be tried: " + err.Error()
	case !isClosed(after):
		return "nothing was read after a line over the limit"
	case !reported:
		return "a line over the limit was not reported with a typed error that names the limit"
	}
	return ""
}
