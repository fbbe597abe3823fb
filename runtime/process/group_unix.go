// SPDX-License-Identifier: Apache-2.0

//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// group makes the child the leader of a process group of its own.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// send reaches the whole group, and the child at least.
func send(p *os.Process, s syscall.Signal) {
	if p.Pid > 1 && p.Pid != syscall.Getpgrp() {
		// EPERM (macOS, a zombie among the members) is no success: the child
		// gets the signal by itself then.
		if syscall.Kill(-p.Pid, s) == nil {
			return
		}
	}
	_ = p.Signal(s)
}

func terminate(p *os.Process) { send(p, syscall.SIGTERM) }
func kill(p *os.Process)      { send(p, syscall.SIGKILL) }

// sweep kills what is left of the group of a child that is gone but not yet
// reaped, so that its id still belongs to it.
func sweep(p *os.Process) {
	if canAwait && p.Pid > 1 && p.Pid != syscall.Getpgrp() {
		_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
	}
}

func exitOf(s *os.ProcessState) Exit {
	if s == nil {
		return Exit{Code: -1}
	}
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return Exit{Code: 128 + int(ws.Signal()), Signal: ws.Signal().String()}
	}
	return Exit{Code: s.ExitCode()}
}

// readNow reads what a pipe holds, without waiting.
func readNow(f *os.File, b []byte) int {
	raw, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	n := 0
	_ = raw.Control(func(fd uintptr) {
		for {
			if n, err = syscall.Read(int(fd), b); err != syscall.EINTR {
				return
			}
		}
	})
	return max(n, 0)
}
