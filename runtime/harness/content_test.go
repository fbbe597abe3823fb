// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/accordkit/accord/runtime/harness"
)

func TestContent(t *testing.T) {
	content := append(harness.Text("look "), harness.Image(harness.MediaPNG, "iVBORw0KGgo="), &harness.ReasoningBlock{Text: "hm"}, &harness.TextBlock{Text: "here"})
	assert.Equal(t, "look here", harness.Words(content))
	assert.Equal(t, "one", harness.Words(harness.Text("one")))
	assert.Empty(t, harness.Words(content[1:2]))
	assert.JSONEq(t, `{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}`, string(content[1].AppendJSON(nil)))
}
