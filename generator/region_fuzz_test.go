// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"bytes"
	"testing"
)

// FuzzFill puts contents into any page: what is outside the regions stays byte
// for byte, and filling again changes nothing.
func FuzzFill(f *testing.F) {
	f.Add([]byte("# T\n\n<!-- accord:begin p/a -->\nold\n<!-- accord:end p/a -->\n"), []byte("new\n"))
	f.Add([]byte("# T\r\n\r\n<!-- accord:begin p/a -->\r\n<!-- accord:end p/a -->"), []byte("| a |\n| - |\n"))
	f.Add([]byte("```\n<!-- accord:begin p/a -->\n```\n<!-- accord:begin p/a -->\n<!-- accord:end p/a -->\n"), []byte(""))
	f.Fuzz(func(t *testing.T, page, content []byte) {
		if bytes.Contains(content, []byte("<")) || bytes.ContainsAny(content, "`~\r\x00") || bytes.Contains(page, []byte("\x00")) {
			t.Skip() // the generator's tables are whole Markdown
		}
		contents := map[string][]byte{"p/a": content}
		first, found, err := fill(page, contents)
		if err != nil || len(found) == 0 {
			return
		}
		r := found[0]
		if !bytes.HasPrefix(first, page[:r.start]) || !bytes.HasSuffix(first, page[r.end:]) {
			t.Fatalf("outside of the region changed: %q became %q", page, first)
		}
		second, _, err := fill(first, contents)
		if err != nil {
			t.Skip() // a content of one's own markup may end in the midst of it
		}
		if !bytes.Equal(first, second) {
			t.Fatalf("filling again changes: %q became %q", first, second)
		}
	})
}
