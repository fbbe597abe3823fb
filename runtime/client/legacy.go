// SPDX-License-Identifier: Apache-2.0

package client

import (
	"strings"

	"github.com/accordkit/accord/runtime/jsonrpc"
)

// MatchLegacy reports whether a text is one that a template makes, such as
// `session "{sessionId}" not found`, and what stands for its members. It is for
// the texts by which peers that never negotiated say what kind of error they
// mean: nothing else may be read out of a text.
func MatchLegacy(template, text string) (members map[string]string, ok bool) {
	for {
		before, rest, found := strings.Cut(template, "{")
		if !found {
			return members, text == template
		}
		name, after, _ := strings.Cut(rest, "}")
		if !strings.HasPrefix(text, before) {
			return nil, false
		}
		text = text[len(before):]
		literal, _, _ := strings.Cut(after, "{")
		end := len(text)
		if literal != "" {
			if end = strings.Index(text, literal); end < 0 {
				return nil, false
			}
		}
		if members == nil {
			members = map[string]string{}
		}
		members[name], text, template = text[:end], text[end:], after
	}
}

// LegacyText is one such text, and the error that it means.
type LegacyText struct {
	Text  string
	Typed func(message string, members map[string]string) error
}

// Legacy gives an error of a peer that never negotiated the type that its text
// means; one whose text is not among them stays as it is.
func Legacy(e *jsonrpc.Error, texts []LegacyText) error {
	for _, t := range texts {
		if members, ok := MatchLegacy(t.Text, e.Message); ok {
			return t.Typed(e.Message, members)
		}
	}
	return e
}
