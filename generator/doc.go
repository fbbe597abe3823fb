// SPDX-License-Identifier: Apache-2.0

// Package generator turns a model into files.
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
// Paths are relative to the spec package's directory. Package target lists the
// targets. The package must not know any protocol or target language.
package generator
