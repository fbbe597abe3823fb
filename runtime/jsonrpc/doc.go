// SPDX-License-Identifier: Apache-2.0

// Package jsonrpc carries JSON-RPC 2.0 messages, one to a line, over a pair of
// byte streams: frames, connections, ordered delivery and calls.
//
// A Conn is one end of a connection, and both ends are alike: each may call,
// be called and notify. Its owner runs Serve, which reads on the calling
// goroutine, or leaves that to a caller that waits for an answer while nothing
// else comes; one more goroutine writes what no other can at once. Messages are
// handed to the Handler in the order in which they came, on the goroutine that
// reads, so a handler must not block: work that does goes through Request.Go.
//
// Output is gathered. What waits is written together, a write is rarely one
// message under load, and a Lane keeps the frames of one stream in order and
// within a bound however slowly the peer reads.
//
// The package knows no protocol. Names of methods, types of params and texts
// of errors come from generated code through Handler and Config. It imports
// the standard library and runtime/codec, and nothing here may use
// encoding/json, log, print, or show what a message contains.
package jsonrpc
