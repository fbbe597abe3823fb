// SPDX-License-Identifier: Apache-2.0

package doctext

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/accordkit/accord/spec/model"
)

// Names is what documents call things by: it turns doc comments, which name
// them as Go does, into texts that name them as the wire does.
type Names struct{ members map[string]string }

// NewNames collects the names of a protocol.
func NewNames(p *model.Protocol) *Names {
	n := &Names{members: map[string]string{}}
	for _, t := range p.Types {
		for _, f := range t.Fields {
			if was, ok := n.members[f.Name]; ok && was != f.Wire {
				n.members[f.Name] = "" // ambiguous
				continue
			}
			n.members[f.Name] = f.Wire
		}
	}
	return n
}

// Text is an English doc comment as a document has it. name is the Go or wire
// name of what it is about, with which the comment may begin.
func (n *Names) Text(comment, name string) string { return n.wired(lead(comment, name)) }

// wired writes members as they are on the wire. Only names of several words
// can be distinguished from prose; code spans stay unchanged.
func (n *Names) wired(s string) string {
	return goName.ReplaceAllStringFunc(s, func(name string) string {
		if wire := n.members[name]; wire != "" {
			return "`" + wire + "`"
		}
		return name
	})
}

var goName = regexp.MustCompile("`[^`]*`|\\b[A-Z][A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*\\b")

// lead drops the Go name with which a doc comment begins: "Stop stops a game"
// becomes "Stops a game", "Game is one game" "One game". A name that is not known
// counts if it ends in the words of the one given: TurnDone for "done".
func lead(s, name string) string {
	first, rest, ok := strings.Cut(s, " ")
	if !ok || name == "" || first == "" || first != name && !endsIn(first, name) {
		return s
	}
	if verb, _, _ := strings.Cut(rest, " "); verb != "are" && !strings.HasSuffix(verb, "s") {
		return s // the name is a word of the sentence
	}
	for _, verb := range []string{"is ", "are "} {
		if r, ok := strings.CutPrefix(rest, verb); ok {
			rest = r
			break
		}
	}
	if word, _, _ := strings.Cut(rest, " "); strings.ContainsAny(word, "./_`") {
		return rest // a name of the wire is written as it is there
	}
	r, size := utf8.DecodeRuneInString(rest)
	return string(unicode.ToUpper(r)) + rest[size:]
}

// endsIn says whether a Go name of several words ends in those of a wire name.
func endsIn(goName, wire string) bool {
	if r, _ := utf8.DecodeRuneInString(goName); !unicode.IsUpper(r) {
		return false
	}
	letters := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, wire)
	return letters != "" && strings.HasSuffix(strings.ToLower(goName), letters)
}
