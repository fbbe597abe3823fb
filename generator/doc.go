// SPDX-License-Identifier: Apache-2.0

// Package generator turns a model into files.
//
// Generate is one pure function from a model to files in memory; tests call it
// as commands do. Write and Check bring them together with the disk: Write
// leaves alone what is the same, replaces whole files at once, and never
// overwrites what somebody has edited without being told; Check says what Write
// would do. A manifest beside the spec, accord.manifest.json, records which
// files are the generator's and what it last put there.
//
// What goes where stands in accord.json, beside the spec:
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
