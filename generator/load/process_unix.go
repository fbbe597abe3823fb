// SPDX-License-Identifier: Apache-2.0

//go:build unix

package load

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a program into a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// quit asks the program for its stacks and its end.
func quit(pid int) { _ = syscall.Kill(pid, syscall.SIGQUIT) }

// endGroup ends a program and all that it started in its group.
func endGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
