// SPDX-License-Identifier: Apache-2.0

// Package emittest holds a small protocol, a printer's job queue, that shows
// each word of the language once, and one that means nothing and has each form
// of payload: emitters are tested with them, so that none comes to know the
// flagship.
//
// The package is for tests only; nothing that ships may import it.
package emittest
