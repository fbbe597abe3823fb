// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
)

// idleSessions is how many sessions share the engine whose memory is read.
const idleSessions = 2000

// idleSession is what one idle session costs the whole process, after one small
// turn: heap and stacks, the client's side left out.
func idleSession(ctx context.Context) (uint64, error) {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := serveOurs(ctx, toServer, fromServer)
		_ = fromServer.Close()
		done <- err
	}()
	lines := bufio.NewReaderSize(toClient, 1<<20)
	next := func(until string) error {
		for {
			line, err := lines.ReadSlice('\n')
			if err != nil {
				return err
			}
			if bytes.Contains(line, []byte(until)) {
				return nil
			}
		}
	}
	send := func(line string) error {
		_, err := io.WriteString(fromClient, line+"\n")
		return err
	}
	if err := send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"cwd":"/","provider":"demo","model":"demo","protocolVersion":2}}`); err != nil {
		return 0, err
	}
	if err := next(`"id":0`); err != nil {
		return 0, err
	}
	turn := func(i int) error {
		prompt := `{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{"sessionId":"s-%d","contentBlocks":[{"type":"text","text":"3"}]}}`
		if err := send(fmt.Sprintf(prompt, i, i)); err != nil {
			return err
		}
		return next(`"status":"idle"`)
	}
	for i := 1; i <= 50; i++ { // what the process needs once
		if err := turn(i); err != nil {
			return 0, err
		}
	}
	before := inUse()
	for i := 51; i <= 50+idleSessions; i++ {
		if err := turn(i); err != nil {
			return 0, err
		}
	}
	after := inUse()
	_ = fromClient.Close()
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return (after - before) / idleSessions, <-done
}

func inUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}
