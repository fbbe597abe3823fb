// SPDX-License-Identifier: Apache-2.0

package harnessclient_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/accordkit/accord/clients/go/harnessclient"
)

func TestContent(t *testing.T) {
	content := append(harnessclient.Text("look "), harnessclient.Image(harnessclient.MediaPNG, "iVBORw0KGgo="), &harnessclient.ReasoningBlock{Text: "hm"}, &harnessclient.TextBlock{Text: "here"})
	assert.Equal(t, "look here", harnessclient.Words(content))
	assert.Equal(t, "one", harnessclient.Words(harnessclient.Text("one")))
	assert.Empty(t, harnessclient.Words(content[1:2]))
	assert.JSONEq(t, `{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}`, string(content[1].AppendJSON(nil)))
}
