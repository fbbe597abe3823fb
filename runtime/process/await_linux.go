// SPDX-License-Identifier: Apache-2.0

package process

import (
	"syscall"
	"unsafe"
)

// canAwait says that awaitExit leaves the child's id to it.
const canAwait = true

// awaitExit waits until the child has ended, without reaping it.
func awaitExit(pid int) {
	const (
		pPID    = 1
		wExited = 0x4
		wNoWait = 0x1000000
	)
	var info [128]byte // siginfo_t
	for {
		_, _, e := syscall.Syscall6(syscall.SYS_WAITID, pPID, uintptr(pid),
			uintptr(unsafe.Pointer(&info[0])), wExited|wNoWait, 0, 0)
		if e != syscall.EINTR {
			return
		}
	}
}
