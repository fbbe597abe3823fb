// SPDX-License-Identifier: Apache-2.0

// Package migrate turns logs of generations 0 to 3 into logs of generation 4, as
// DSH migrates them when it opens one: the same rows in the same order, the same
// ids except those that the migration itself makes, and numbers and texts byte for
// byte.
//
// Rows pass through one stage for each generation. Stages leave sequences as they
// are in the old log; the end of the pipeline counts rows anew, replaces each
// reference, and checks every row as if DSH opened the log. What cannot be migrated
// is refused with all of its reasons together, and never guessed.
//
// The package must never touch the log that it reads; who calls it writes the rows
// elsewhere, and gives them the name of a log only when all of them are there.
package migrate
