// SPDX-License-Identifier: Apache-2.0

package process

import "syscall"

// Not every Linux port has dup2.
func dup2(from, to int) error { return syscall.Dup3(from, to, 0) }
