// SPDX-License-Identifier: Apache-2.0

package vectors

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// matching is a short string that a pattern matches and that is within bounds.
func matching(l limits) (string, error) {
	re, err := regexp.Compile(l.pattern)
	if err != nil {
		return "", err
	}
	parsed, err := syntax.Parse(l.pattern, syntax.Perl)
	if err != nil {
		return "", err
	}
	for more := range 65 { // repetitions beyond the least ones
		var b strings.Builder
		write(&b, parsed.Simplify(), more)
		s := b.String()
		n := utf8.RuneCountInString(s)
		if re.MatchString(s) && (l.short == nil || n >= *l.short) && (l.long == nil || n <= *l.long) && (!l.nonzero || s != "") {
			return s, nil
		}
	}
	return "", fmt.Errorf("found none that the pattern %s matches", l.pattern)
}

func write(b *strings.Builder, re *syntax.Regexp, more int) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(oneOf(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('x')
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			write(b, sub, more)
		}
	case syntax.OpAlternate:
		write(b, re.Sub[0], more)
	case syntax.OpPlus:
		for range max(1, more) {
			write(b, re.Sub[0], 0)
		}
	case syntax.OpStar:
		for range more {
			write(b, re.Sub[0], 0)
		}
	case syntax.OpQuest:
		if more > 0 {
			write(b, re.Sub[0], more)
		}
	case syntax.OpRepeat:
		for range min(max(re.Min, more), max(re.Max, re.Min)) {
			write(b, re.Sub[0], 0)
		}
	}
}

// oneOf picks a character of a class, which is given as ranges: a letter or a
// digit if there is one.
func oneOf(ranges []rune) rune {
	for _, want := range "a0A" {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= want && want <= ranges[i+1] {
				return want
			}
		}
	}
	if len(ranges) == 0 {
		return 'x'
	}
	return ranges[0]
}

// notMatching is a string that a pattern does not match, within bounds.
func notMatching(l limits) (string, bool) {
	re, err := regexp.Compile(l.pattern)
	if err != nil {
		return "", false
	}
	fits := func(s string) bool {
		n := utf8.RuneCountInString(s)
		return (l.short == nil || n >= *l.short) && (l.long == nil || n <= *l.long) && !re.MatchString(s)
	}
	good, _ := matching(l)
	for _, s := range []string{good + " ", " " + good, good + "\n", "!", "x", "X", "0", "", "汉", strings.ToUpper(good)} {
		if fits(s) {
			return s, true
		}
	}
	return "", false
}
