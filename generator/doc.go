// SPDX-License-Identifier: Apache-2.0

// Package generator turns a model into files, and is what a command does with one
// spec package: Open loads, checks and proves it, Project.Compare and Project.Write
// bring what is generated from it to the disk.
//
// Generate is one pure function from a model to files in memory; tests call it
// as commands do. Write and Check compare them with the disk: Write does not touch
// files that are up to date, replaces whole files at once, and never overwrites
// an edited file unless it is forced to; Check returns what Write would do. A
// manifest next to the spec, accord.manifest.json, records which files the
// generator owns and what it last wrote there.
//
// The file accord.json, next to the spec, lists the outputs:
//
//	{
//	  "emit": [
//	    {"target": "go", "dir": "../../runtime/chess"},
//	    {"target": "json-schema", "file": "../../docs/chess.schema.json"},
//	    {"target": "tables", "file": "../../README.md", "lang": "en"}
//	  ]
//	}
//
// Paths are relative to the spec package's directory. Targets lists what can
// be generated; how each looks is the emitters' matter, in packages below emit. The
// package must not know any protocol or target language, and must never print.
package generator
