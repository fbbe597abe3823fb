// SPDX-License-Identifier: Apache-2.0

//go:build unix

package process

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

func moveStdout() (io.WriteCloser, error) {
	private, err := dup(1)
	if err != nil {
		return nil, fmt.Errorf("process: stdout cannot be taken for frames (is it closed?): %w", err)
	}
	if err := dup2(2, 1); err != nil {
		_ = syscall.Close(private)
		return nil, fmt.Errorf("process: stdout cannot be pointed at stderr: %w", err)
	}
	widen(private)
	if f := releasable(private, "frames"); f != nil {
		return f, nil
	}
	return os.NewFile(uintptr(private), "frames"), nil
}

// Stdin returns standard input as a reader whose Close releases a Read that hangs.
// It may be called once.
func Stdin() io.ReadCloser {
	private, err := dup(0)
	if err != nil {
		return pump(os.Stdin) // closed, say: the first Read reports it
	}
	if f := releasable(private, "stdin"); f != nil {
		return f
	}
	_ = syscall.Close(private)
	return pump(os.Stdin)
}

// releasable makes a pipe or socket a file whose Close releases what hangs on
// it; nil for everything else.
func releasable(fd int, name string) *restored {
	var st syscall.Stat_t
	if syscall.Fstat(fd, &st) != nil {
		return nil
	}
	if kind := uint32(st.Mode) & syscall.S_IFMT; kind != syscall.S_IFIFO && kind != syscall.S_IFSOCK {
		return nil
	}
	keep, err := dup(fd)
	if err != nil {
		return nil
	}
	if syscall.SetNonblock(fd, true) != nil {
		_ = syscall.Close(keep)
		return nil
	}
	return &restored{
		File:    os.NewFile(uintptr(fd), name),
		restore: func() { _ = syscall.SetNonblock(keep, false); _ = syscall.Close(keep) },
	}
}

// dup duplicates a descriptor, and children do not inherit the copy.
func dup(fd int) (int, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	n, err := syscall.Dup(fd)
	if err != nil {
		return -1, os.NewSyscallError("dup", err)
	}
	syscall.CloseOnExec(n)
	return n, nil
}
