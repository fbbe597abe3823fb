// SPDX-License-Identifier: Apache-2.0

package main

import (
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

// median is the sample with the median time.
func median(samples []sample) sample {
	slices.SortFunc(samples, func(a, b sample) int {
		switch {
		case a.wall < b.wall:
			return -1
		case a.wall > b.wall:
			return 1
		}
		return 0
	})
	if len(samples) == 0 {
		return sample{}
	}
	return samples[len(samples)/2]
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
	if side == "peer" {
		return newPeerClient(ctx, r, w, func() error {
			_ = w.Close()
			return r.Close()
		}), nil
	}
	return newOurClient(ctx, r, w)
}

// serve is the child.
func serve(side string) error {
	if side == "peer" {
		servePeer(context.Background(), os.Stdin, os.Stdout)
	} else {
		streams, err := process.TakeStdio() // as every runtime of ours does
		if err != nil {
			return err
		}
		run := serveOurs
		if side == layers {
			run = serveLayers
		}
		if err := run(context.Background(), streams.In, streams.Out); err != nil {
			return err
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	report := os.NewFile(3, "report")
	defer func() { _ = report.Close() }()
	return binary.Write(report, binary.LittleEndian, m.Mallocs)
}

// layers is the side of a child that serves the layers alone.
const layers = "layers"

func measure(ctx context.Context, w *workload, side string) (sample, error) {
	if w.pipes {
		return overPipes(ctx, w, side)
	}
	return inProcess(ctx, w, side)
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
func overPipes(ctx context.Context, w *workload, side string) (s sample, err error) {
	exe, err := os.Executable()
	if err != nil {
		return s, err
	}
	report, reportTo, err := os.Pipe()
	if err != nil {
		return s, err
	}
	defer func() { _ = report.Close() }()
	server := side
	if w.layers && side != "peer" {
		server = layers
	}
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
func inProcess(ctx context.Context, w *workload, side string) (s sample, err error) {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		switch {
		case side == "peer":
			servePeer(ctx, toServer, fromServer)
		case w.layers:
			_ = serveLayers(ctx, toServer, fromServer)
		default:
			_ = serveOurs(ctx, toServer, fromServer)
		}
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
