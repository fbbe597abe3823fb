// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package jsonrpc

import "os"

// Nonblocking returns f as it is: only Unix has what it is for.
func Nonblocking(f *os.File) (*os.File, error) { return f, nil }
