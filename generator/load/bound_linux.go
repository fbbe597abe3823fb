// SPDX-License-Identifier: Apache-2.0

package load

import (
	"syscall"
	"unsafe"
)

// Limits of a spec program: address space, of which the Go runtime alone
// reserves a good part, the size of a file, and seconds of work, for one that
// outlives its caller.
const (
	maxMemory = 4 << 30
	maxFile   = maxOutput
	maxWork   = 120
)

// bound sets them from outside: inside, the author's code runs first.
func bound(pid int) {
	for resource, limit := range map[int]uint64{syscall.RLIMIT_AS: maxMemory, syscall.RLIMIT_FSIZE: maxFile, syscall.RLIMIT_CPU: maxWork} {
		r := syscall.Rlimit{Cur: limit, Max: limit}
		_, _, _ = syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), uintptr(resource), uintptr(unsafe.Pointer(&r)), 0, 0, 0)
	}
}
