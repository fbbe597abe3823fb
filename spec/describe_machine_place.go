// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"fmt"
	"path"
	"runtime"
	"slices"

	"github.com/accordkit/accord/spec/model"
)

// place numbers the lines that cells were written in.
func (t *table) place(written stack) int {
	if i, ok := t.places[written]; ok {
		return i
	}
	at := model.Place{Pos: written.line().pos()}
	i := slices.Index(t.machine.Places, at)
	if i < 0 {
		i = len(t.machine.Places)
		t.machine.Places = append(t.machine.Places, at)
	}
	t.places[written] = i
	return i
}

// thisFolder is where this package's source was compiled. Functions say less:
// the compiler moves literals into the author's package.
var thisFolder = func() string {
	_, file, _, _ := runtime.Caller(0)
	return path.Dir(file)
}()

// line is the line of the move's own function, or of a literal in it, and not
// of helpers that it calls: those serve many cells.
func (s stack) line() Place {
	frames := runtime.CallersFrames(s[:])
	last, more := frames.Next()
	for more && path.Dir(last.File) != thisFolder {
		var f runtime.Frame
		if f, more = frames.Next(); f.PC == 0 || path.Dir(f.File) == thisFolder {
			break
		}
		last = f
	}
	return Place(fmt.Sprintf("line %d %s", last.Line, last.File))
}
