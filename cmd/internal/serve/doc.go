// SPDX-License-Identifier: Apache-2.0

// Package serve is `accord serve` and `accord-dsh`: it puts a session engine
// behind standard streams, a Unix socket or a WebSocket, and ends it as a
// process should. It must never write to standard output: frames alone do.
package serve
