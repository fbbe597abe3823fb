// SPDX-License-Identifier: Apache-2.0

package markdown

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// code is a code span. Names of members and methods have no backquote in them;
// texts that do get longer fences.
func code(s string) string {
	if s == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

// codes are several code spans as a list.
func codes(list []string, l Lang) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = code(s)
	}
	return strings.Join(out, words.Comma.in(l))
}

// value is a code span of a value on the wire; one that is empty, or has a line break
// or the like, is in quotes.
func value(s string) string {
	if s == "" || strings.ContainsFunc(s, unicode.IsControl) {
		s = strconv.Quote(s)
	}
	return code(s)
}

// safe makes an author's text safe to stand in a page: what looks like a tag
// is shown, not obeyed. Code spans stay as they are: what stands between two runs of
// as many backquotes (CommonMark 6.1). A backquote after a backslash opens none (2.4).
func safe(s string) string {
	var b strings.Builder
	for s != "" {
		i := strings.IndexAny(s, "`<\\")
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		s = s[i:]
		n := 1
		switch s[0] {
		case '<':
			b.WriteString("&lt;")
		case '\\':
			if len(s) > 1 && strings.IndexByte("`<\\", s[1]) >= 0 {
				n = 2
			}
			b.WriteString(s[:n])
		default:
			n = len(s) - len(strings.TrimLeft(s, "`"))
			n += codeEnd(s[n:], n)
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String() + s
}

// codeEnd returns where a code span ends that was opened by n backquotes, those that
// close it included; 0 if none do.
func codeEnd(s string, n int) int {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			return 0
		}
		at += i
		run := len(s[at:]) - len(strings.TrimLeft(s[at:], "`"))
		if at += run; run == n {
			return at
		}
	}
}

// summary is the first sentence of a text, or its first paragraph if that has
// no end.
func summary(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n\n")
	s = unwrap(s)
	inCode := false
	for i, r := range s {
		switch r {
		case '`':
			inCode = !inCode
		case '。':
			return s[:i+len("。")]
		case '.':
			rest := s[i+1:]
			if !inCode && (rest == "" || rest[0] == ' ') && !abbreviates(s[:i]) {
				return s[:i+1]
			}
		}
	}
	return s
}

func abbreviates(before string) bool {
	for _, a := range []string{"e.g", "i.e", "etc", "cf", "vs"} {
		if strings.HasSuffix(before, a) {
			return true
		}
	}
	return false
}

// unwrap joins the lines of a paragraph: with a space, but not between two
// Chinese characters.
func unwrap(s string) string {
	lines := strings.Split(s, "\n")
	out := strings.TrimSpace(lines[0])
	for _, line := range lines[1:] {
		line = strings.TrimSpace(line)
		last, _ := utf8.DecodeLastRuneInString(out)
		first, _ := utf8.DecodeRuneInString(line)
		if out != "" && line != "" && !(wide(last) && wide(first)) && !hyphened(out) {
			out += " "
		}
		out += line
	}
	return out
}

// spaced parts Chinese characters from Latin words, digits and code with a
// space.
func spaced(s string) string {
	var b strings.Builder
	var last rune
	inCode := false // a value is never touched
	for _, r := range s {
		if inCode {
			b.WriteRune(r)
			inCode = r != '`'
			last = r
			continue
		}
		inCode = r == '`'
		if han(last) && latin(r) || latin(last) && han(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

func han(r rune) bool { return r >= 0x3400 && r <= 0x9FFF }

func latin(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '`'
}

// hyphened says whether a line ends within a word that has a hyphen.
func hyphened(line string) bool {
	before, ok := strings.CutSuffix(line, "-")
	r, _ := utf8.DecodeLastRuneInString(before)
	return ok && unicode.IsLetter(r)
}

func wide(r rune) bool { return r >= 0x2E80 && r != utf8.RuneError }

// anchor is the name of a place in a page, the same in both languages.
func anchor(kind, name string) string {
	return kind + "-" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '.' {
			return r
		}
		return '-'
	}, name)
}

// stretch is a stretch of time as authors word it: "24 hours". Others are terms.
func stretch(text string, l Lang) string {
	n, unit, _ := strings.Cut(text, " ")
	if _, err := strconv.Atoi(n); err != nil || l != Chinese {
		return term(text, l)
	}
	units := map[string]string{"second": "秒", "minute": "分钟", "hour": "小时", "day": "天", "week": "周"}
	if zh, ok := units[strings.TrimSuffix(unit, "s")]; ok {
		return n + " " + zh
	}
	return text
}

// quantity is a limit's value as people write it, exactly.
func quantity(value int64, unit string, l Lang) string {
	n := strconv.FormatInt(value, 10)
	switch unit {
	case "bytes":
		for _, u := range []struct {
			size int64
			name string
		}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
			if value >= u.size && value%u.size == 0 {
				return strconv.FormatInt(value/u.size, 10) + " " + u.name
			}
		}
		return n + " B"
	case "ms":
		if value >= 1000 && value%100 == 0 {
			return strings.TrimSuffix(strconv.FormatFloat(float64(value)/1000, 'f', 1, 64), ".0") + " s"
		}
		return n + " ms"
	case "levels":
		return words.Levels.in(l, n)
	case "", "count":
		return n
	}
	return n + " " + unit
}
