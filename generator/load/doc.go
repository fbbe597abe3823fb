// SPDX-License-Identifier: Apache-2.0

// Package load turns a spec package into a model.
//
// Three sources make one: the package's own variables, which only running it
// can provide (a small program is built around it, by overlay, and writes them
// to a file); its syntax, which knows places and doc comments; and its types,
// which know constants. All problems are reported in one run, each at its place
// in the author's code.
//
// The package must never write into the author's tree, change a go.mod, or
// trust what a spec program prints.
package load
