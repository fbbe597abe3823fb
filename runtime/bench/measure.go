// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/accordkit/accord/runtime/process"
)

// sample is what one measurement of a workload gave, for each operation.
type sample struct {
	wall, cpu      float64 // ns
	client, server float64 // allocations; of both together in client, if both are one process
	pipes          bool
}

func (s sample) allocs() string {
	if !s.pipes {
		return fmt.Sprintf("%.1f", s.client)
	}
	return fmt.Sprintf("%.1f+%.1f", s.client, s.server)
}

// median returns the element whose key is the median.
func median[T any](all []T, key func(T) float64) T {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b T) int { return cmp.Compare(key(a), key(b)) })
	return sorted[len(sorted)/2]
}

// ratioOf returns how many times a round of b's time a round of a takes, the
// median over the rounds: the two of one round ran one after the other, under
// the same load.
func ratioOf(a, b []sample) float64 {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = a[i].wall / b[i].wall
	}
	return median(ratios, func(r float64) float64 { return r })
}

// client is a connected client of either side.
type client interface {
	// open has a session that is live and idle, after a turn of one delta if
	// the other end can.
	open(ctx context.Context, turns bool) error
	stream(ctx context.Context, n int64) error
	roundTrip(ctx context.Context) error
	close()
}

func connect(ctx context.Context, side string, r io.ReadCloser, w io.WriteCloser) (client, error) {
	closing := func() error {
		_ = w.Close()
		return r.Close()
	}
	switch side {
	case lspdev:
		return newLSPClient(ctx, r, w, closing), nil
	case jrpc2:
		return newJRPC2Client(r, w), nil
	case acp:
		return newACPClient(r, w, closing), nil
	}
	return newOurClient(ctx, r, w)
}

// serveSide serves until the input ends.
func serveSide(ctx context.Context, side string, r io.Reader, w io.WriteCloser) error {
	switch side {
	case lspdev:
		serveLSP(ctx, r, w)
		return nil
	case jrpc2:
		return serveJRPC2(r, w)
	case acp:
		serveACP(ctx, r, w)
		return nil
	case layers:
		return serveLayers(ctx, r, w)
	}
	return serveOurs(ctx, r, w)
}

// serve is the child.
func serve(side string) error {
	var in io.Reader = os.Stdin
	var out io.WriteCloser = os.Stdout
	if side == accord || side == layers {
		streams, err := process.TakeStdio() // as every runtime of ours does
		if err != nil {
			return err
		}
		in, out = streams.In, struct {
			io.Writer
			io.Closer
		}{streams.Out, os.Stdout}
	}
	if err := serveSide(context.Background(), side, in, out); err != nil {
		return err
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	report := os.NewFile(3, "report")
	defer func() { _ = report.Close() }()
	return binary.Write(report, binary.LittleEndian, m.Mallocs)
}

func measure(ctx context.Context, w *workload, side string) (sample, error) {
	server := side
	if w.layers && side == accord {
		server = layers
	}
	if w.pipes {
		return overPipes(ctx, w, side, server)
	}
	return inProcess(ctx, w, side, server)
}

// timed runs a workload on a connected client, after a part of it that is not
// counted, which leaves the session idle.
func timed(ctx context.Context, w *workload, c client) (s sample, all float64, err error) {
	warm := w.ops / 10
	if err := c.open(ctx, !w.layers); err != nil {
		return s, 0, err
	}
	if err := w.work(ctx, c, warm); err != nil {
		return s, 0, err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, start := cpuTime(), time.Now()
	err = w.work(ctx, c, w.ops)
	ops := float64(w.ops)
	s.wall, s.cpu = float64(time.Since(start))/ops, float64(cpuTime()-cpu)/ops
	runtime.ReadMemStats(&after)
	s.client = float64(after.Mallocs-before.Mallocs) / ops
	return s, ops + float64(warm), err
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// overPipes measures against a child process on OS pipes.
func overPipes(ctx context.Context, w *workload, side, server string) (s sample, err error) {
	exe, err := os.Executable()
	if err != nil {
		return s, err
	}
	report, reportTo, err := os.Pipe()
	if err != nil {
		return s, err
	}
	defer func() { _ = report.Close() }()
	cmd := exec.CommandContext(ctx, exe, "-child", server, "-profile", *profile)
	cmd.Stderr, cmd.ExtraFiles = os.Stderr, []*os.File{reportTo}
	in, err := cmd.StdinPipe()
	if err != nil {
		return s, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return s, err
	}
	err = cmd.Start()
	_ = reportTo.Close()
	if err != nil {
		return s, err
	}
	defer func() {
		_ = in.Close()
		_ = cmd.Wait()
	}()
	c, err := connect(ctx, side, out, in)
	if err != nil {
		return s, err
	}
	s, all, err := timed(ctx, w, c)
	c.close()
	if err != nil {
		return s, err
	}
	_ = in.Close()
	var mallocs uint64
	if err := binary.Read(report, binary.LittleEndian, &mallocs); err != nil {
		return s, fmt.Errorf("the child did not report: %w", err)
	}
	if err := cmd.Wait(); err != nil {
		return s, err
	}
	s.pipes = true
	s.server = float64(mallocs) / all
	s.cpu += float64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()) / all
	return s, nil
}

// inProcess measures both ends over in-memory pipes, so that allocations of
// both are counted together.
func inProcess(ctx context.Context, w *workload, side, server string) (s sample, err error) {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = serveSide(ctx, server, toServer, fromServer)
		_ = fromServer.Close()
	}()
	defer func() {
		_ = fromClient.Close()
		<-done
	}()
	c, err := connect(ctx, side, toClient, fromClient)
	if err != nil {
		return s, err
	}
	s, _, err = timed(ctx, w, c)
	c.close()
	return s, err
}
