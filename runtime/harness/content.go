// SPDX-License-Identifier: Apache-2.0

package harness

import "strings"

// Text is the content of a prompt that is one text.
func Text(text string) []ContentBlock { return []ContentBlock{&TextBlock{Text: text}} }

// Image is a block with an image, already encoded in base64; append it to a prompt's
// content.
func Image(mime MediaType, base64 string) ContentBlock {
	return &ImageBlock{MimeType: mime, Data: &base64}
}

// Words joins the text blocks of a message's content. Reasoning, tool calls and
// blocks that this client does not know are left out.
func Words(content []ContentBlock) string {
	if len(content) == 1 {
		if t, ok := content[0].(*TextBlock); ok {
			return t.Text
		}
	}
	var b strings.Builder
	for _, block := range content {
		if t, ok := block.(*TextBlock); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}
