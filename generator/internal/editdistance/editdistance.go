// SPDX-License-Identifier: Apache-2.0

// Package editdistance returns how far a word is from another, for suggestions. It must
// never suggest itself: how near is near enough differs.
package editdistance

// Distance is how many bytes of one word must be added, dropped or changed to get
// the other.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0]++
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, last+1, row[j]+1)
		}
	}
	return row[len(b)]
}
