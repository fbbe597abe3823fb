// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"os"
	"runtime"
	"runtime/pprof"
)

// profiling writes profiles to files that begin with prefix, if it is not
// empty, and end with the process's side.
func profiling(prefix, child string) (stop func(), err error) {
	if prefix == "" {
		return func() {}, nil
	}
	if child != "" {
		prefix += ".child"
	} else {
		prefix += ".parent"
	}
	runtime.MemProfileRate = 64 << 10
	cpu, err := os.Create(prefix + ".cpu")
	if err != nil {
		return func() {}, err
	}
	allocs, err := os.Create(prefix + ".allocs")
	if err != nil {
		return func() {}, errors.Join(err, cpu.Close())
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return func() {}, err
	}
	return func() {
		pprof.StopCPUProfile()
		_ = pprof.Lookup("allocs").WriteTo(allocs, 0)
		_ = errors.Join(cpu.Close(), allocs.Close())
	}, nil
}
