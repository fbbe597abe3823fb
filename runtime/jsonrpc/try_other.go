// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package jsonrpc

import "io"

// tryWriter is a way to write what fits without blocking, if w has one.
func tryWriter(w io.Writer) func(b []byte) (int, error) {
	if w, ok := w.(interface{ TryWrite(b []byte) (int, error) }); ok {
		return w.TryWrite
	}
	return nil
}

// tryReader is a way to read what is there without waiting, if r has one.
func tryReader(io.Reader) func(b []byte) int { return nil }
