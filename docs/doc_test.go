// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What `accord explain` says of rules and words is on the pages, in both
// languages.
func TestRulesAndWordsAreFound(t *testing.T) {
	words := WordNames()
	assert.Contains(t, words, "Accepts")
	for _, lang := range []string{"en", "zh"} {
		for _, r := range rulebook() {
			text, ok := Rule(r.ID, lang)
			assert.True(t, ok, r.ID)
			assert.Contains(t, text, "```diff", r.ID)
			assert.NotContains(t, text, "\n### ", r.ID)
		}
		for _, word := range words {
			found := Words(word, lang)
			assert.NotEmpty(t, found, word)
			for _, w := range found {
				assert.NotEmpty(t, w.Means, word)
				assert.NotContains(t, w.Means, "|", word)
			}
		}
	}
	_, ok := Rule("no-such-rule", "en")
	assert.False(t, ok)
	assert.Empty(t, Words("no-such-word", "en"))
}
