// SPDX-License-Identifier: Apache-2.0

//go:build unix && !linux

package process

import "syscall"

func dup2(from, to int) error { return syscall.Dup2(from, to) }
