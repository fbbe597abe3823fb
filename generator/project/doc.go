// SPDX-License-Identifier: Apache-2.0

// Package project is what a command does with one spec package: load it, lint
// it, generate what its settings ask for, and compare that with the disk. It
// must never print.
package project
