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

// lineLimit is the client's own line limit when its host sets none, in bytes.
const lineLimit = jsonrpc.DefaultLine

// probeLimit tries a line over the limit on a client of its own, with a small
// limit: it must be reported as a typed error that names the limit, and the
// next line must be read. The result says what went wrong.
func probeLimit() string {
	const limit = 4 << 10
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()

	fromClient, clientOut := io.Pipe()
	clientIn, toClient := io.Pipe()
	defer toClient.Close()
	defer fromClient.Close()

	var mu sync.Mutex
	var reported []jsonrpc.Diagnostic
	after := make(chan struct{})
	var once sync.Once
	var wg sync.WaitGroup
	wg.Go(func() {
		r := bufio.NewReader(fromClient)
		first, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		m, err := members(first)
		if err != nil {
			return
		}
		long := strings.Repeat("x", 2*limit)
		fmt.Fprintf(toClient, `{"jsonrpc":"2.0","id":%s,"result":{"serverInfo":{"name":"r","version":"1"}}}`+"\n", m["id"])
		fmt.Fprintf(toClient, `{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"s","event":{"type":"x","seq":0,"time":1,"data":{"long":"%s"}}}}`+"\n", long)
		fmt.Fprint(toClient, `{"jsonrpc":"2.0","method":"session.status","params":{"sessionId":"s","status":"running"}}`+"\n")
		_, _ = io.Copy(io.Discard, r)
	})
	rt, err := harnessclient.Connect(ctx, clientIn, clientOut, harnessclient.Options{
		Dir: "/", Provider: "p", Model: "m", Limits: jsonrpc.Limits{Line: limit},
		Diagnose: func(d jsonrpc.Diagnostic) {
			mu.Lock()
			defer mu.Unlock()
			reported = append(reported, d)
		},
		Handler: harnessclient.Handler{SessionStatus: func(context.Context, *harness.SessionStatusParams) { once.Do(func() { close(after) }) }},
	})
	if err != nil {
		return "the client could not connect: " + err.Error()
	}
	why := ""
	select {
	case <-after:
	case <-ctx.Done():
		why = "nothing was read after a line over the limit"
	}
	_ = toClient.Close()
	_ = fromClient.Close()
	_ = rt.Close(ctx)
	wg.Wait()
	if why != "" {
		return why
	}
	mu.Lock()
	defer mu.Unlock()
	for _, d := range reported {
		var fault *jsonrpc.Fault
		if d.Kind == jsonrpc.LineTooLong && errors.As(d.Err, &fault) && fault.Limit == jsonrpc.LimitLine {
			return ""
		}
	}
	return fmt.Sprintf("a line over the limit was not reported with a typed error that names the limit; reported: %v", reported)
}
