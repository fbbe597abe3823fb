// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"bytes"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// maxDiff is how many lines of a difference are shown.
const maxDiff = 24

// Check compares generated files with the disk: none means that Write would
// change nothing.
func Check(dir string, files []File) ([]Difference, error) {
	diffs, _, _, err := plan(dir, files)
	if err != nil {
		return nil, err
	}
	for i := range diffs {
		d := &diffs[i]
		if d.Kind == Stale || d.Kind == Missing {
			continue
		}
		if bytes.IndexByte(d.new, 0) >= 0 || bytes.IndexByte(d.old, 0) >= 0 {
			d.Diff = "(binary)\n"
			continue
		}
		d.Diff = shorten(string(diff.Diff(d.Path+" (on disk)", unix(d.old), d.Path+" (generated)", unix(d.new))))
	}
	return diffs, nil
}

func shorten(text string) string {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) > 0 && strings.HasPrefix(lines[0], "diff ") {
		lines = lines[1:]
	}
	if len(lines) > maxDiff {
		return strings.Join(lines[:maxDiff], "") + "…\n"
	}
	return strings.Join(lines, "")
}
