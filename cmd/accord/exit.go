// SPDX-License-Identifier: Apache-2.0

package main

import "fmt"

// exit is an exit code that a command asks for without a word.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }
