// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package load

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func quit(pid int) { endGroup(pid) }

func endGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}
