// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package jsonrpc

import "io"

// poller returns nil: input is waited for as the runtime of Go does it.
func poller(io.Reader) (wait func() bool) { return nil }
