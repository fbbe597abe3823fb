// SPDX-License-Identifier: Apache-2.0

// Package official holds the tests in which the official DSH clients,
// unchanged, start and drive accord-dsh.
//
// The clients are installed, pinned, by setup.sh; the scenarios are written in
// the clients' own languages under testdata and assert there. The tests here
// build the binary, list the scenarios and run each in a process of its own.
//
// There is no code to import. A machine without Python or Node skips the tests
// and says so; with CI=true it fails them.
package official
