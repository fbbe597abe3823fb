package track

import "strings"

// MatchLegacy tells whether a text is one that a template makes, such as
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
