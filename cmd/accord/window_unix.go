// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package main

import (
	"os"
	"syscall"
	"unsafe"
)

// windowWidth is how many columns a terminal has; 0 if that is not known.
func windowWidth(f *os.File) int {
	var size struct{ rows, columns, x, y uint16 }
	_, _, _ = syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	return int(size.columns)
}
