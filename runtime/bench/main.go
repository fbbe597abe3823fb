// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

var (
	rounds  = flag.Int("rounds", 5, "how often each workload is measured; medians are shown")
	perTurn = flag.Int("turn", 20_000, "how many deltas one turn has")
	scale   = flag.Float64("scale", 1, "how many times as many operations")
	only    = flag.String("run", "", "only workloads whose names match this `regexp`")
	gate    = flag.Bool("gate", false, "exit 1 if a gate of the table of workloads does not hold")
	sides   = flag.String("sides", strings.Join(allSides, ","), "what is measured, the first against the others")
	profile = flag.String("profile", "", "write CPU and allocation profiles of each process to files that begin so")
	child   = flag.String("child", "", "serve one `side` on standard input and output; for this program itself")
)

// The sides: this kit, and the libraries that it is compared with. The gates
// compare it with lspdev, which is the fastest of them.
const (
	accord = "accord"
	lspdev = "lsp.dev" // go.lsp.dev/jsonrpc2
	jrpc2  = "jrpc2"   // github.com/creachadair/jrpc2
	acp    = "acp"     // github.com/coder/acp-go-sdk, its generic connection
	layers = "layers"  // a child that serves the generated layers without the engine
)

var allSides = []string{accord, lspdev, jrpc2, acp}

// slower is how many times as many operations lspdev is given as the other
// peers, which are many times slower and need no exact figure.
const slower = 10

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

// workload is one row of the table, on all sides.
type workload struct {
	name    string
	pipes   bool // over the pipes of a child process; else both ends in this one
	layers  bool // with a server that does nothing in place of the engine, as the peers' do
	oneCore bool // both processes on one core, with GOMAXPROCS=1
	callers int  // how many goroutines call; 0: a stream
	ops     int
	goal    float64 // how many times lspdev's speed is wanted; 0: reported only
	allocs  float64 // how many allocations of both sides for each operation are allowed; 0: reported only
}

// room is the part of a goal that is its gate: what noise takes between runs of
// the same program.
const room = 0.9

// idleKiB is what an idle session may keep.
const idleKiB = 8

// workloads is the table of rows, goals and gates. A lone caller is gated on
// one core: by default the kernel's placement of the two processes decides, by
// a factor of ten, what a round trip takes.
var workloads = []workload{
	{name: "one caller, one core", pipes: true, oneCore: true, callers: 1, ops: 50_000, goal: 1.1, allocs: 3.5},
	{name: "one caller, one core, layers", pipes: true, oneCore: true, layers: true, callers: 1, ops: 50_000, goal: 1.2, allocs: 2.5},
	{name: "one caller", pipes: true, callers: 1, ops: 20_000},
	{name: "one caller, layers", pipes: true, layers: true, callers: 1, ops: 20_000},
	{name: "8 callers", pipes: true, callers: 8, ops: 100_000, goal: 1.2},
	{name: "8 callers, layers", pipes: true, layers: true, callers: 8, ops: 100_000},
	{name: "64 callers", pipes: true, callers: 64, ops: 200_000, goal: 1.7},
	{name: "64 callers, layers", pipes: true, layers: true, callers: 64, ops: 200_000, goal: 2},
	{name: "delta stream", pipes: true, ops: 200_000, goal: 4},
	{name: "delta stream, layers", pipes: true, layers: true, ops: 200_000, goal: 6},
	{name: "one caller, one process", callers: 1, ops: 50_000},
	{name: "one caller, one process, layers", layers: true, callers: 1, ops: 50_000},
	{name: "64 callers, one process", callers: 64, ops: 100_000},
	{name: "delta stream, one process", ops: 100_000},
}

func run(ctx context.Context) error {
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	measured := strings.Split(*sides, ",")
	for _, side := range measured {
		if !slices.Contains(allSides, side) {
			return fmt.Errorf("-sides has %q; there are %s", side, strings.Join(allSides, ", "))
		}
	}
	if *gate && (measured[0] != accord || !slices.Contains(measured, lspdev)) {
		return fmt.Errorf("-gate compares %s with %s: begin -sides with the one and name the other", accord, lspdev)
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	heading := "ns, CPU ns, allocations (client+server) an operation\t"
	for i, side := range measured {
		heading += side + "\tcpu\tallocs\t"
		if i > 0 {
			heading += "ratio\t"
		}
	}
	fmt.Fprintln(table, heading+"goal\t")
	var missed []string
	miss := func(format string, args ...any) { missed = append(missed, fmt.Sprintf(format, args...)) }
	rows := 0
	for _, w := range workloads {
		if !wanted.MatchString(w.name) {
			continue
		}
		rows++
		samples, err := measureRow(ctx, w, measured)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		row := w.name + "\t"
		for i, side := range measured {
			m := median(samples[side], func(s sample) float64 { return s.wall })
			row += fmt.Sprintf("%.0f\t%.0f\t%s\t", m.wall, m.cpu, m.allocs())
			if side == accord && w.allocs > 0 && m.client+m.server > w.allocs {
				miss("%s: %.2f allocations, at most %.2f are allowed", w.name, m.client+m.server, w.allocs)
			}
			if i == 0 {
				continue
			}
			ratio := ratioOf(samples[side], samples[measured[0]])
			row += fmt.Sprintf("%.2f\t", ratio)
			if side == lspdev && measured[0] == accord && ratio < w.goal*room {
				miss("%s: %.2f times the speed of %s, the gate is %.2f (goal %.1f)", w.name, ratio, side, w.goal*room, w.goal)
			}
		}
		if w.goal > 0 {
			row += fmt.Sprintf("%.1f", w.goal)
		}
		fmt.Fprintln(table, row+"\t")
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if name := "idle session"; wanted.MatchString(name) {
		rows++
		bytes, err := idleSession(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		kib := float64(bytes) / 1024
		fmt.Printf("an idle session after one small turn: %.1f KiB\n", kib)
		if kib > idleKiB {
			miss("%s: %.1f KiB, at most %d are allowed", name, kib, idleKiB)
		}
	}
	if rows == 0 {
		return fmt.Errorf("-run %q matches no workload", *only)
	}
	for _, m := range missed {
		fmt.Println("missed:", m)
	}
	if *gate && len(missed) > 0 {
		return fmt.Errorf("%d gates do not hold", len(missed))
	}
	return nil
}

// measureRow measures a workload on each side in turn, so that what the machine
// does meanwhile is the same for all.
func measureRow(ctx context.Context, w workload, sides []string) (map[string][]sample, error) {
	if w.oneCore {
		free, err := onOneCore()
		if err != nil {
			return nil, err
		}
		defer free()
	}
	w.ops = int(float64(w.ops) * *scale)
	samples := make(map[string][]sample)
	for range *rounds {
		for _, side := range sides {
			w := w
			if side != accord && side != lspdev {
				w.ops /= slower
			}
			s, err := measure(ctx, &w, side)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", side, err)
			}
			samples[side] = append(samples[side], s)
		}
	}
	return samples, nil
}

// work does the workload's operations.
func (w *workload) work(ctx context.Context, c client, ops int) error {
	if w.callers == 0 {
		return stream(ctx, c, ops)
	}
	failed := make(chan error, w.callers)
	for range w.callers {
		go func() { failed <- roundTrips(ctx, c, ops/w.callers) }()
	}
	var err error
	for range w.callers {
		err = errors.Join(err, <-failed)
	}
	return err
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
