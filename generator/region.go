// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// A region lies between two markers, each an HTML comment on a line of its own:
//
//	<!-- accord:begin chess/methods -->
//	<!-- accord:end chess/methods -->
//
// The page is parsed as Markdown, so that a marker that a code block shows is
// none.

var marker = regexp.MustCompile(`^ {0,3}<!--\s*accord:(begin|end)\s+([A-Za-z0-9][A-Za-z0-9_./-]*)\s*-->\s*$`)

// region is a found one: the bytes between its marker lines.
type region struct {
	name       string
	line       int // of the begin marker
	start, end int
}

type markerLine struct {
	name        string
	begin       bool
	start, stop int // the whole line, its end included
	nested      bool
}

// regions finds the regions of a page.
func regions(page []byte) ([]region, error) {
	var out []region
	var open *markerLine
	seen := map[string]int{}
	line := func(at int) int { return 1 + bytes.Count(page[:at], []byte("\n")) }
	for _, m := range markers(page) {
		at := line(m.start)
		switch {
		case m.nested:
			return nil, fmt.Errorf("line %d: the marker of region %s stands inside a list or a quotation: put it at the top level", at, m.name)
		case m.begin && open != nil:
			return nil, fmt.Errorf("line %d: region %s begins within %s, which begins at line %d", at, m.name, open.name, line(open.start))
		case m.begin && seen[m.name] > 0:
			return nil, fmt.Errorf("line %d: region %s stands at line %d already", at, m.name, seen[m.name])
		case m.begin:
			open = &m
			seen[m.name] = at
		case open == nil:
			return nil, fmt.Errorf("line %d: region %s ends, but did not begin", at, m.name)
		case open.name != m.name:
			return nil, fmt.Errorf("line %d: region %s ends here, but %s begins at line %d", at, m.name, open.name, line(open.start))
		default:
			out = append(out, region{name: m.name, line: line(open.start), start: open.stop, end: m.start})
			open = nil
		}
	}
	if open != nil {
		return nil, fmt.Errorf("line %d: region %s begins, but does not end: add <!-- accord:end %s -->", line(open.start), open.name, open.name)
	}
	return out, nil
}

// markers finds the lines that are markers, in order.
func markers(page []byte) []markerLine {
	if !bytes.Contains(page, []byte("accord:")) {
		return nil
	}
	var out []markerLine
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(page))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		block, ok := n.(*ast.HTMLBlock)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		for i := range block.Lines().Len() {
			s := block.Lines().At(i)
			// Only its first line can be a comment of its own in a block that is
			// a comment.
			if block.HTMLBlockType == ast.HTMLBlockType2 && i > 0 || block.HTMLBlockType == ast.HTMLBlockType1 {
				break
			}
			m := marker.FindSubmatch(bytes.TrimRight(page[s.Start:s.Stop], "\r\n"))
			if m == nil {
				continue
			}
			start := bytes.LastIndexByte(page[:s.Start], '\n') + 1
			stop := len(page)
			if end := bytes.IndexByte(page[start:], '\n'); end >= 0 {
				stop = start + end + 1
			}
			out = append(out, markerLine{
				name: string(m[2]), begin: string(m[1]) == "begin", start: start, stop: stop,
				nested: block.Parent() != doc,
			})
		}
		return ast.WalkContinue, nil
	})
	return out
}

// fill puts contents into a page's regions by byte range: everything else stays
// as it is, and a page with CRLF keeps it. A region of the same protocol that
// contents do not have is an error.
func fill(page []byte, contents map[string][]byte) ([]byte, []region, error) {
	found, err := regions(page)
	if err != nil {
		return nil, nil, err
	}
	protocols := map[string]bool{}
	for name := range contents {
		protocol, _, _ := strings.Cut(name, "/")
		protocols[protocol] = true
	}
	var out []byte
	var ours []region
	at := 0
	for _, r := range found {
		content, ok := contents[r.name]
		if !ok {
			if protocol, _, _ := strings.Cut(r.name, "/"); protocols[protocol] {
				return nil, nil, fmt.Errorf("line %d: there is no region %s: correct its name or remove the markers", r.line, r.name)
			}
			continue // another spec's
		}
		ours = append(ours, r)
		out = append(out, page[at:r.start]...)
		out = append(out, withEnds(page, r, content)...)
		at = r.end
	}
	return append(out, page[at:]...), ours, nil
}

// withEnds is a region's content with the line ends of its begin marker.
func withEnds(page []byte, r region, content []byte) []byte {
	content = unix(content)
	if len(content) > 0 && !bytes.HasSuffix(content, []byte("\n")) {
		content = append(content[:len(content):len(content)], '\n')
	}
	if bytes.HasSuffix(page[:r.start], []byte("\r\n")) {
		content = bytes.ReplaceAll(content, []byte("\n"), []byte("\r\n"))
	}
	return content
}
