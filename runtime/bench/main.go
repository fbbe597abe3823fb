// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"text/tabwriter"
)

var (
	rounds  = flag.Int("rounds", 5, "how often each workload is measured; medians are shown")
	perTurn = flag.Int("turn", 20_000, "how many deltas one turn has")
	scale   = flag.Int("scale", 1, "how many times as many operations")
	only    = flag.String("run", "", "only workloads whose names match this `regexp`")
	gate    = flag.Bool("gate", false, "exit 1 if what is promised is not reached")
	sides   = flag.String("sides", "accord,peer", "what is measured")
	profile = flag.String("profile", "", "write CPU and allocation profiles of each process to files that begin so")
	child   = flag.String("child", "", "serve one `side` on standard input and output; for this program itself")
)

// What is promised. How often the peer's speed a stream has: with a server that
// only pushes, as the peer's does, and with the engine, which keeps what it says
// in a log and ends each turn with the whole answer. What a call may allocate: two
// objects, and its part of a slab. What an idle session may keep.
const (
	layersRatio = 3.0
	streamRatio = 2.0
	callAllocs  = 2
	idleKiB     = 32
)

func main() {
	flag.Parse()
	stop, err := profiling(*profile, *child)
	if err == nil {
		if *child != "" {
			err = serve(*child)
		} else {
			err = run(context.Background())
		}
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// workload is one row of the table, on both sides.
type workload struct {
	name   string
	pipes  bool // over the pipes of a child process; else both ends in this one
	layers bool // with a server that does nothing in place of the engine, as the peer's does
	ops    int
	work   func(ctx context.Context, c client, ops int) error
	ratio  float64 // to the peer's speed, if it is promised
	allocs float64 // for each operation, if they are
}

var workloads = []workload{
	{name: "delta stream, pipes", pipes: true, ops: 200_000, work: stream, ratio: streamRatio},
	{name: "delta stream, pipes, layers alone", pipes: true, layers: true, ops: 200_000, work: stream, ratio: layersRatio},
	{name: "delta stream, one process", ops: 100_000, work: stream},
	{name: "round trip, pipes", pipes: true, ops: 20_000, work: roundTrips},
	{name: "round trip, one process", ops: 50_000, work: roundTrips},
	{name: "round trip, layers alone", layers: true, ops: 50_000, work: roundTrips, allocs: callAllocs},
}

func run(ctx context.Context) error {
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "ns, CPU ns and allocations (client+server) an operation\taccord\tcpu\tallocs\tpeer\tcpu\tallocs\tratio\tcpu ratio\t")
	var missed []string
	miss := func(format string, args ...any) { missed = append(missed, fmt.Sprintf(format, args...)) }
	for _, w := range workloads {
		if !wanted.MatchString(w.name) {
			continue
		}
		w.ops *= *scale
		var ours, peers []sample
		for range *rounds {
			for _, side := range strings.Split(*sides, ",") {
				s, err := measure(ctx, &w, side)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", w.name, side, err)
				}
				if side == "peer" {
					peers = append(peers, s)
				} else {
					ours = append(ours, s)
				}
			}
		}
		a, b := median(ours), median(peers)
		ratio := b.wall / a.wall
		fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%s\t%.0f\t%.0f\t%s\t%.2f\t%.2f\t\n",
			w.name, a.wall, a.cpu, a.allocs(), b.wall, b.cpu, b.allocs(), ratio, b.cpu/a.cpu)
		if len(ours) == 0 || len(peers) == 0 {
			continue
		}
		if ratio < w.ratio {
			miss("%s: %.2f times the peer's speed, want %.1f", w.name, ratio, w.ratio)
		}
		if n := a.client; w.allocs > 0 && n > w.allocs+0.05 {
			miss("%s: %.1f allocations, want %.1f", w.name, n, w.allocs)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if name := "idle session"; wanted.MatchString(name) {
		bytes, err := idleSession(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		kib := float64(bytes) / 1024
		fmt.Printf("an idle session after one small turn: %.1f KiB\n", kib)
		if kib > idleKiB {
			miss("%s: %.1f KiB, want %d", name, kib, idleKiB)
		}
	}
	for _, m := range missed {
		fmt.Println("missed:", m)
	}
	if *gate && len(missed) > 0 {
		return fmt.Errorf("%d of what is promised is not reached", len(missed))
	}
	return nil
}

func stream(ctx context.Context, c client, ops int) error {
	for left := ops; left > 0; left -= *perTurn {
		if err := c.stream(ctx, int64(min(left, *perTurn))); err != nil {
			return err
		}
	}
	return nil
}

func roundTrips(ctx context.Context, c client, ops int) error {
	for range ops {
		if err := c.roundTrip(ctx); err != nil {
			return err
		}
	}
	return nil
}
