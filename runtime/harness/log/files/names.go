// SPDX-License-Identifier: Apache-2.0

package files

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/accordkit/accord/runtime/harness/log"
)

// NoProject is the project of sessions without a working directory.
const NoProject = "_no-cwd"

// MaxSegment is the greatest length of an encoded id in bytes. DSH looks for a
// file of that name with ".jsonl.zstd" behind it, and file systems take 255.
const MaxSegment = 244

// maxSlug is the greatest length of a project's name between its dashes.
const maxSlug = 251

// Segment encodes a session's id as the name of its directory. Letters, digits,
// ".", "_" and "-" stand for themselves; each UTF-16 unit of what else there is,
// and of "." and "..", is "~" and four hexadecimal digits. An id that is empty, is
// not text, or is longer than MaxSegment when it is encoded, is an error.
func Segment(id string) (string, error) {
	switch {
	case id == "":
		return "", errors.New("a session's id must not be empty")
	case !utf8.ValidString(id):
		return "", fmt.Errorf("the session's id %q is not UTF-8", id)
	case id == "." || id == "..":
		return strings.Repeat("~002E", len(id)), nil
	}
	s := encode(id)
	if len(s) > MaxSegment {
		return "", fmt.Errorf("the session's id is too long for the name of a directory: it has %d bytes when it is encoded, and may have %d; choose a shorter one", len(s), MaxSegment)
	}
	return s, nil
}

func encode(s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		writeUnit(&b, u)
	}
	return b.String()
}

func writeUnit(b *strings.Builder, u uint16) {
	if plain(u) {
		b.WriteByte(byte(u))
		return
	}
	fmt.Fprintf(b, "~%04X", u)
}

func plain(u uint16) bool {
	return 'a' <= u && u <= 'z' || 'A' <= u && u <= 'Z' || '0' <= u && u <= '9' || u == '.' || u == '_' || u == '-'
}

// ID decodes the name of a session's directory. A name that Segment does not give
// is an error: DSH finds no session in it.
func ID(segment string) (string, error) {
	var units []uint16
	for s := segment; s != ""; {
		if s[0] != '~' {
			units = append(units, uint16(s[0]))
			s = s[1:]
			continue
		}
		n, err := strconv.ParseUint(s[1:min(5, len(s))], 16, 16)
		if err != nil || len(s) < 5 {
			return "", fmt.Errorf("%q is not the name of a session's directory", segment)
		}
		units = append(units, uint16(n))
		s = s[5:]
	}
	id := string(utf16.Decode(units))
	if again, err := Segment(id); err != nil || again != segment {
		return "", fmt.Errorf("%q is not the name of a session's directory", segment)
	}
	return id, nil
}

// Project is the name of the directory for sessions with a working directory; an
// empty one is none. Several working directories may have the same.
func Project(cwd string) string {
	if cwd == "" {
		return NoProject
	}
	var b strings.Builder
	separated := false
	for _, u := range utf16.Encode([]rune(cwd)) {
		if u == '/' || u == '\\' || u == ':' {
			if !separated {
				b.WriteByte('-')
			}
			separated = true
			continue
		}
		separated = false
		writeUnit(&b, u)
	}
	slug := strings.TrimPrefix(b.String(), "-")
	if slug == "" {
		slug = "root"
	}
	return "--" + slug[:min(len(slug), maxSlug)] + "--"
}

var namePattern = regexp.MustCompile(`^session(?:\.v([1-9][0-9]*))?\.jsonl(\.zstd)?$`)

// Name is the name of a log's file.
func Name(version int, e log.Encoding) string {
	s := "session"
	if version > 0 {
		s += ".v" + strconv.Itoa(version)
	}
	s += ".jsonl"
	if e == log.Zstd {
		s += ".zstd"
	}
	return s
}

// ParseName reads the name of a log's file; false: the file is no log.
func ParseName(name string) (version int, e log.Encoding, ok bool) {
	m := namePattern.FindStringSubmatch(name)
	if m == nil {
		return 0, 0, false
	}
	if m[1] != "" {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return 0, 0, false
		}
		version = n
	}
	if m[2] != "" {
		e = log.Zstd
	}
	return version, e, true
}
