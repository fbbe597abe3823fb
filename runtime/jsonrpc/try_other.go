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
