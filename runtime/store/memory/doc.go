// SPDX-License-Identifier: Apache-2.0

// Package memory keeps session logs in this process, for tests, demonstrations
// and hosts that want nothing on disk.
//
// It keeps each record's bytes once and nothing else. It must never
// start a goroutine, and never give up a log: what was stored stays until the
// Store itself is dropped.
package memory
