// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// onOneCore puts this process, and those that it starts, on one core with
// GOMAXPROCS=1, until free is called.
func onOneCore() (free func(), err error) {
	var all, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		return nil, err
	}
	for core := 0; ; core++ {
		if all.IsSet(core) {
			one.Set(core)
			break
		}
	}
	procs := runtime.GOMAXPROCS(1)
	free = func() {
		_ = placeThreads(&all)
		runtime.GOMAXPROCS(procs)
	}
	if err := placeThreads(&one); err != nil {
		free()
		return nil, err
	}
	return free, nil
}

// placeThreads sets the cores of every thread of this process: a new one has
// those of the thread that starts it.
func placeThreads(cores *unix.CPUSet) error {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			return err
		}
		if err := unix.SchedSetaffinity(id, cores); err != nil && err != unix.ESRCH {
			return err
		}
	}
	return nil
}
