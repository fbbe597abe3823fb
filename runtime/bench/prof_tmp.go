package main

import (
	"os"
	"runtime/pprof"
)

func init() {
	if p := os.Getenv("BENCH_PROF"); p != "" {
		side := "parent"
		if len(os.Args) > 1 { side = "child-" + os.Args[2] }
		f, _ := os.Create(p + "." + side)
		pprof.StartCPUProfile(f)
		stopProf = func() { pprof.StopCPUProfile(); f.Close() }
	}
}
var stopProf = func() {}
