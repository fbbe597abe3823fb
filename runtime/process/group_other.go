// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package process

import (
	"os"
	"os/exec"
)

func group(*exec.Cmd) {}

// terminate does nothing here: there is no gentle signal, and the next rung
// kills.
func terminate(*os.Process) {}
func kill(p *os.Process)    { _ = p.Kill() }
func sweep(*os.Process)     {}

func exitOf(s *os.ProcessState) Exit {
	if s == nil {
		return Exit{Code: -1}
	}
	return Exit{Code: s.ExitCode()}
}

func readNow(*os.File, []byte) int { return 0 }
