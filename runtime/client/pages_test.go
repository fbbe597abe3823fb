// SPDX-License-Identifier: Apache-2.0

package client

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A listing keeps its place to itself: a range that was broken off, or that ended in
// an error, does not change the next one.
func TestPagesBeginAnew(t *testing.T) {
	pages := map[string][]int{"": {1, 2}, "b": {3}, "c": {4, 5}}
	next := map[string]string{"": "b", "b": "c"}
	var asked []string
	var fails error
	list := Pages(func(at string) ([]int, string, error) {
		asked = append(asked, at)
		if at == "c" && fails != nil {
			return nil, "", fails
		}
		return pages[at], next[at], nil
	})
	read := func(most int) (got []int, err error) {
		for n, e := range list {
			if e != nil {
				return got, e
			}
			if got = append(got, *n); len(got) == most {
				return got, nil
			}
		}
		return got, nil
	}
	got, _ := read(3)
	assert.Equal(t, []int{1, 2, 3}, got)
	got, _ = read(9)
	assert.Equal(t, []int{1, 2, 3, 4, 5}, got, "from the first page on")
	fails = errors.New("the store is gone")
	got, err := read(9)
	assert.Equal(t, []int{1, 2, 3}, got)
	assert.ErrorIs(t, err, fails)
	fails = nil
	got, err = read(9)
	assert.NoError(t, err)
	assert.Equal(t, []int{1, 2, 3, 4, 5}, got)
	assert.Equal(t, []string{"", "b", "", "b", "c", "", "b", "c", "", "b", "c"}, asked)
}
