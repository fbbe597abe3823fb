// SPDX-License-Identifier: Apache-2.0

package generator_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator"
)

const page = "# Title\n\n" +
	"Markers look like this:\n\n```md\n<!-- accord:begin p/methods -->\n<!-- accord:end p/methods -->\n```\n\n" +
	"    <!-- accord:begin p/methods -->\n\n" +
	"`<!-- accord:begin p/methods -->`\n\n" +
	"<!-- accord:begin p/methods -->\nold\n<!-- accord:end p/methods -->\n\n" +
	"<details>\n<!-- accord:begin p/errors -->\n<!-- accord:end p/errors -->\n</details>\n\n" +
	"<!-- accord:begin other/methods -->\nanother spec's\n<!-- accord:end other/methods -->\n" +
	"The end."

func TestRegions(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "README.md", page)
	files := []generator.File{region("README.md", "p/methods", "| new |\n"), region("README.md", "p/errors", "none"), region("README.md", "p/unused", "x")}
	r, err := generator.Write(dir, files, false)
	require.NoError(t, err)
	assert.Equal(t, []string{"README.md"}, r.Written)
	want := strings.Replace(page, "-->\nold\n", "-->\n| new |\n", 1)
	want = strings.Replace(want, "<!-- accord:begin p/errors -->\n", "<!-- accord:begin p/errors -->\nnone\n", 1)
	assert.Equal(t, want, get(t, dir, "README.md"))
	assert.Empty(t, kinds(t, dir, files))

	// What people write around it is theirs.
	put(t, dir, "README.md", strings.Replace(want, "# Title", "# Another title", 1))
	assert.Empty(t, kinds(t, dir, files))

	// What they write into it is not lost.
	put(t, dir, "README.md", strings.Replace(want, "| new |", "| by hand |", 1))
	diffs, err := generator.Check(dir, files)
	require.NoError(t, err)
	require.Len(t, diffs, 1)
	assert.Equal(t, "README.md was edited by hand (p/methods)", diffs[0].String())
	_, err = generator.Write(dir, files, false)
	require.ErrorContains(t, err, "edited by hand")
	_, err = generator.Write(dir, files, true)
	require.NoError(t, err)
	assert.Equal(t, want, get(t, dir, "README.md"))
}

func TestRegionsKeepCRLF(t *testing.T) {
	dir := t.TempDir()
	crlf := "# T\r\n\r\n<!-- accord:begin p/a -->\r\n<!-- accord:end p/a -->\r\nend\r\n"
	put(t, dir, "README.md", crlf)
	files := []generator.File{region("README.md", "p/a", "one\ntwo\n")}
	_, err := generator.Write(dir, files, false)
	require.NoError(t, err)
	assert.Equal(t, "# T\r\n\r\n<!-- accord:begin p/a -->\r\none\r\ntwo\r\n<!-- accord:end p/a -->\r\nend\r\n", get(t, dir, "README.md"))
	assert.Empty(t, kinds(t, dir, files))
}

func TestBrokenRegions(t *testing.T) {
	for name, tc := range map[string]struct{ page, want string }{
		"no end":    {"a\n\n<!-- accord:begin p/a -->\nx\n", "README.md: line 3: region p/a begins, but does not end: add <!-- accord:end p/a -->"},
		"no begin":  {"<!-- accord:end p/a -->\n", "README.md: line 1: region p/a ends, but did not begin"},
		"crossed":   {"<!-- accord:begin p/a -->\n<!-- accord:end p/b -->\n", "README.md: line 2: region p/b ends here, but p/a begins at line 1"},
		"nested":    {"<!-- accord:begin p/a -->\n\n<!-- accord:begin p/b -->\n", "README.md: line 3: region p/b begins within p/a, which begins at line 1"},
		"twice":     {"<!-- accord:begin p/a -->\n<!-- accord:end p/a -->\n\n<!-- accord:begin p/a -->\n<!-- accord:end p/a -->\n", "README.md: line 4: region p/a stands at line 1 already"},
		"unknown":   {"<!-- accord:begin p/c -->\n<!-- accord:end p/c -->\n", "README.md: line 1: there is no region p/c: correct its name or remove the markers"},
		"in a list": {"- x\n\n  <!-- accord:begin p/a -->\n  <!-- accord:end p/a -->\n", "README.md: line 3: the marker of region p/a stands inside a list or a quotation: put it at the top level"},
		"none":      {"# T\n", "README.md: it has no markers: put in, for example, <!-- accord:begin p/a --> and below it <!-- accord:end p/a -->"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "README.md", tc.page)
			_, err := generator.Write(dir, []generator.File{region("README.md", "p/a", "x"), region("README.md", "p/b", "y")}, true)
			assert.EqualError(t, err, tc.want)
			assert.Equal(t, tc.page, get(t, dir, "README.md"))
		})
	}
	_, err := generator.Write(t.TempDir(), []generator.File{region("README.md", "p/a", "x")}, true)
	assert.ErrorContains(t, err, "README.md: it does not exist")
}
