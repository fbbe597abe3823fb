// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"slices"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// truth of a condition on an answer of which a cell says only some.
type truth int

const (
	maybe truth = iota
	yes
	no
)

// statement is one thing that a cell says about its answer.
type statement struct{ member, value string }

// Values that are none.
const (
	something = "*"
	absent    = "-"
	emptyList = "[]"
)

func statements(c *model.Cell) []statement {
	var out []statement
	for _, s := range c.Says {
		member, value, _ := strings.Cut(s, "=")
		out = append(out, statement{member, value})
	}
	return out
}

// holds reports whether all conditions hold of a cell's answer.
func holds(conditions []model.Is, c *model.Cell) truth {
	all := yes
	for _, is := range conditions {
		switch holdsOne(is, c) {
		case no:
			return no
		case maybe:
			all = maybe
		}
	}
	return all
}

func holdsOne(is model.Is, c *model.Cell) truth {
	for _, s := range statements(c) {
		if s.member != is.Member {
			continue
		}
		switch {
		case s.value == absent:
			return truthOf(is.Absent)
		case is.Absent:
			return no
		case len(is.Values) == 0:
			return yes
		case s.value == something:
			return maybe
		default:
			return truthOf(slices.Contains(is.Values, s.value))
		}
	}
	return maybe
}

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}
