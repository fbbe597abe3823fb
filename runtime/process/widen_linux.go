// SPDX-License-Identifier: Apache-2.0

package process

import "syscall"

const (
	setPipeSize = 1031 // F_SETPIPE_SZ
	pipeSize    = 256 << 10
)

// widen makes a pipe larger, if it is one and that is allowed: its two ends then
// wait for each other less often. What waits in it is past recall, so it is not
// made as large as can be.
func widen(fd int) {
	_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), setPipeSize, pipeSize)
}
