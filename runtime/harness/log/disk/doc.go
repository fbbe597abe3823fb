// SPDX-License-Identifier: Apache-2.0

// Package disk writes session logs of generation 4 into a home of DSH, as DSH
// writes them, so that both may continue the same session one after the other.
//
// A Log is owned: its session.lock is locked from the first write, or from Open, to
// Close. That file is never removed, and nothing is stored in it, since DSH
// truncates it before it tries to lock it. The log appears under its name only with
// its first rows: they are written to a temporary file, synced, and linked.
//
// An append is one write at the end that the owner knows; a file that ends
// elsewhere has another writer, and the Log stops for good, as it does after a sync
// that failed: what the file system then has is not known. After a write that
// failed, the file is truncated to what was whole, and the next append may succeed.
//
// All file operations go through FS, so that faults can be tested.
package disk
