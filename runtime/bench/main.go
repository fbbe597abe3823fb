package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"
	"text/tabwriter"
)

const (
	rounds    = 5
	perStream = 20_000 // deltas in one turn
)

func main() {
	testing.Init()
	defer func() { stopProf() }()
	if len(os.Args) == 3 && os.Args[1] == "child" {
		switch os.Args[2] {
		case "accord":
			ourChild()
		case "peer":
			peerChild()
		}
		return
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// row is one workload on both sides.
type row struct {
	name        string
	ours, peers func(context.Context) (testing.BenchmarkResult, error)
}

func run() error {
	ctx := context.Background()
	rows := []row{
		{"delta stream, process's pipes", overPipes("accord", streams), overPipes("peer", streams)},
		{"round trip, process's pipes", overPipes("accord", roundTrips), overPipes("peer", roundTrips)},
		{"round trip, in one process", inProcess("accord", roundTrips), inProcess("peer", roundTrips)},
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "workload\taccord ns\tpeer ns\tratio\taccord allocs\tpeer allocs\t")
	for _, r := range rows {
		if o := os.Getenv("ONLY"); o != "" && r.name[:3] != o { continue }
		var ours, peers []testing.BenchmarkResult
		for range rounds {
			a, err := r.ours(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			b, err := r.peers(ctx)
			if err != nil {
				return fmt.Errorf("%s, peer: %w", r.name, err)
			}
			ours, peers = append(ours, a), append(peers, b)
		}
		a, b := median(ours), median(peers)
		fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%.2f\t%d\t%d\t\n", r.name, ns(a), ns(b), ns(b)/ns(a), a.AllocsPerOp(), b.AllocsPerOp())
	}
	if err := table.Flush(); err != nil {
		return err
	}
	bytes, err := idleSession(ctx)
	if err != nil {
		return fmt.Errorf("idle session: %w", err)
	}
	fmt.Printf("an idle session after one small turn: %.1f KiB\n", float64(bytes)/1024)
	return nil
}

func ns(r testing.BenchmarkResult) float64 { return float64(r.T.Nanoseconds()) / float64(r.N) }

func median(rs []testing.BenchmarkResult) testing.BenchmarkResult {
	slices.SortFunc(rs, func(a, b testing.BenchmarkResult) int {
		switch x, y := ns(a), ns(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return rs[len(rs)/2]
}

// client is a connected client of either side.
type client interface {
	stream(ctx context.Context, n int64) error
	roundTrip(ctx context.Context) error
}

func connect(ctx context.Context, side string, r io.ReadCloser, w io.WriteCloser) (client, error) {
	closeBoth := func() error {
		_ = w.Close()
		return r.Close()
	}
	if side == "peer" {
		return newPeerClient(ctx, r, w, closeBoth), nil
	}
	return newOurClient(ctx, r, w)
}

// overPipes measures against a child process on OS pipes.
func overPipes(side string, work func(context.Context, client, *error) func(*testing.B)) func(context.Context) (testing.BenchmarkResult, error) {
	return func(ctx context.Context) (testing.BenchmarkResult, error) {
		var none testing.BenchmarkResult
		exe, err := os.Executable()
		if err != nil {
			return none, err
		}
		cmd := exec.CommandContext(ctx, exe, "child", side)
		cmd.Stderr = os.Stderr
		w, err := cmd.StdinPipe()
		if err != nil {
			return none, err
		}
		r, err := cmd.StdoutPipe()
		if err != nil {
			return none, err
		}
		if err := cmd.Start(); err != nil {
			return none, err
		}
		defer func() {
			_ = w.Close()
			_ = cmd.Wait()
		}()
		c, err := connect(ctx, side, r, w)
		if err != nil {
			return none, err
		}
		result := testing.Benchmark(work(ctx, c, &err))
		if o, ok := c.(*ourClient); ok && o.merged > 0 {
			fmt.Fprintf(os.Stderr, "%d of %d deltas were merged\n", o.merged, o.frames+o.merged)
		}
		return result, err
	}
}

// inProcess measures both ends over in-memory pipes, so that allocations of
// both are counted.
func inProcess(side string, work func(context.Context, client, *error) func(*testing.B)) func(context.Context) (testing.BenchmarkResult, error) {
	return func(ctx context.Context) (testing.BenchmarkResult, error) {
		toServer, fromClient := io.Pipe()
		toClient, fromServer := io.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			if side == "peer" {
				servePeer(ctx, toServer, fromServer)
			} else {
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
			return testing.BenchmarkResult{}, err
		}
		result := testing.Benchmark(work(ctx, c, &err))
		return result, err
	}
}

func streams(ctx context.Context, c client, failed *error) func(*testing.B) {
	return func(b *testing.B) {
		b.ReportAllocs()
		for left := int64(b.N); left > 0; left -= perStream {
			if *failed = c.stream(ctx, min(left, perStream)); *failed != nil {
				b.SkipNow()
			}
		}
	}
}

func roundTrips(ctx context.Context, c client, failed *error) func(*testing.B) {
	return func(b *testing.B) {
		if *failed = c.stream(ctx, 1); *failed != nil { // the session exists and is idle
			b.SkipNow()
		}
		b.ReportAllocs()
		b.ResetTimer()
		for range b.N {
			if *failed = c.roundTrip(ctx); *failed != nil {
				b.SkipNow()
			}
		}
	}
}
