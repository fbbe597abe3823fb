// SPDX-License-Identifier: Apache-2.0

// Package scaffold makes the first files of a protocol in a module of its own:
// a declaration with one example of each kind of message, a server and a client
// that use what is generated from it, pages in both languages, and checks.
//
// Files is pure: it gives files in memory. The templates are embedded; they
// hold code that authors continue to write, so they read like finished code,
// and nothing in them may be a placeholder that does not run.
package scaffold
