// SPDX-License-Identifier: Apache-2.0

package editdistance_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/accordkit/accord/generator/internal/editdistance"
)

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"settle", "settle", 0},
		{"settle", "settles", 1},
		{"settle", "setle", 1},
		{"settle", "sattle", 1},
		{"settle", "etsle", 2},
		{"kitten", "sitting", 3},
	} {
		assert.Equal(t, tc.want, editdistance.Distance(tc.a, tc.b), "%s, %s", tc.a, tc.b)
		assert.Equal(t, tc.want, editdistance.Distance(tc.b, tc.a), "%s, %s", tc.b, tc.a)
	}
}
