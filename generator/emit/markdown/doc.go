// SPDX-License-Identifier: Apache-2.0

// Package markdown renders a protocol model for readers: regions for the
// tables of a README, and a reference page, in English and in Chinese.
//
// The two languages cannot disagree on a value: names, codes, bounds and
// conditions come from the model, the author's texts from the declaration,
// and the fixed words around them from one catalogue that holds both
// languages of each.
//
// A region is text between two comments:
//
//	<!-- accord:begin queue/methods -->
//	…
//	<!-- accord:end queue/methods -->
//
// Regions returns what belongs between them; putting it there is the
// generator's. The package must not know any protocol, and must not read or
// write a file.
package markdown
