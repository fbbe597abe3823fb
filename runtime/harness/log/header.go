// SPDX-License-Identifier: Apache-2.0

package log

import (
	"errors"
	"fmt"
	"strings"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// Newest is the generation that is written, and the newest that is read.
const Newest = 4

// maxDepth is how deep values of a log may nest, as in encoding/json: a log keeps
// what models and tools wrote.
const maxDepth = 10000

// parseHeader reads a log's first line. A generation that is too new is an
// IncompatibleError; other errors say what is wrong with the line.
func parseHeader(line []byte) (*harness.SessionHeaderLine, error) {
	d := codec.Decoder{Lax: true, MaxDepth: maxDepth}
	d.Reset(line)
	var kind string
	version := int64(-1)
	for d.Object(); d.More(); {
		switch string(d.Key()) {
		case "type":
			kind = d.String()
		case "version":
			version = d.Int64()
		default:
			d.Skip()
		}
	}
	d.End()
	switch {
	case d.Err() != nil:
		return nil, fmt.Errorf("the header is not JSON: %w", d.Err())
	case kind != "session":
		return nil, fmt.Errorf(`the header has type %q instead of "session"`, kind)
	case version < 0:
		return nil, errors.New("the header has no version")
	case version > Newest:
		return nil, &IncompatibleError{Version: int(version), Newest: Newest}
	}
	d = codec.Decoder{Lax: true, Strict: true, MaxDepth: maxDepth}
	d.Reset(line)
	h := codec.Decode(&d, new(harness.SessionHeaderLine))
	if d.Err() != nil {
		return nil, fmt.Errorf("the header is not one: %w", d.Err())
	}
	return h, checkHeader(h)
}

// checkHeader checks what the types of a header's members do not say.
func checkHeader(h *harness.SessionHeaderLine) error {
	seeded := h.Version >= 2
	switch {
	case h.ID == "":
		return errors.New("the header has an empty id")
	case h.CWD != nil && !absolute(*h.CWD):
		return fmt.Errorf("the header has a cwd that is not absolute: %q", *h.CWD)
	case h.Origin != "" && h.Origin != "subagent":
		return fmt.Errorf(`the header has the origin %q: only "subagent" may stand there`, h.Origin)
	case seeded && h.IsSeeded == nil:
		return errors.New("the header has no isSeeded")
	case seeded && h.SeedLength != nil:
		return errors.New("the header has a seedLength, which generation 2 replaced by isSeeded")
	case !seeded && h.IsSeeded != nil:
		return errors.New("the header has isSeeded, which begins with generation 2")
	case seeded && len(h.Extra) > 0:
		// Older generations ignore members that they do not know.
		return fmt.Errorf("the header has unknown members, and its set of members is closed: %s", h.Extra)
	}
	return nil
}

// absolute reports whether a path is absolute on any system: a log may have been
// written on another one.
func absolute(p string) bool {
	drive := len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/')
	return drive || strings.HasPrefix(p, "/") || strings.HasPrefix(p, `\`)
}

// AppendHeader appends h as the first line of a log of the newest generation.
// Its Type and Version are set; a header that a reader would refuse is an error.
func AppendHeader(b []byte, h harness.SessionHeaderLine) ([]byte, error) {
	h.Type, h.Version = "session", Newest
	if h.IsSeeded == nil {
		h.IsSeeded = new(bool)
	}
	n := len(b)
	b = append(h.AppendJSON(b), '\n')
	if _, err := parseHeader(b[n : len(b)-1]); err != nil {
		return b[:n], err
	}
	return b, nil
}
