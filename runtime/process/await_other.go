// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package process

const canAwait = false

// awaitExit does nothing here: waiting and reaping are one.
func awaitExit(int) {}
