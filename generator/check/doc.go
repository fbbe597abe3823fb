// SPDX-License-Identifier: Apache-2.0

// Package check finds what a specification leaves unsaid, or says in a way that
// its author cannot mean, and changes the source where a machine can mend it.
//
// Each rule has a file, an id that never changes, a severity and texts in both
// languages, and looks at the model alone: each of its findings has a place in
// the author's code. spec.Allow makes exceptions. A rule must never look at
// generated output, and never know a protocol. A fix must never decide anything:
// what has two answers is left to the author.
package check
