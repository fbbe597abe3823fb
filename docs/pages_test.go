// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// pages are all Markdown pages that people read, relative to this folder.
func pages(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"../*.md", "*.md", "decisions/*.md", "reference/*.md"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		out = append(out, found...)
	}
	require.NotEmpty(t, out)
	return out
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

var anchorTag = regexp.MustCompile(`<a id="([^"]+)">`)

// Links lead to files that are there, and to anchors that are in them.
func TestLinksLeadSomewhere(t *testing.T) {
	for _, page := range pages(t) {
		source := []byte(read(t, page))
		doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
		_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			link, ok := n.(*ast.Link)
			if !ok || !entering || strings.Contains(string(link.Destination), "://") {
				return ast.WalkContinue, nil
			}
			path, fragment, _ := strings.Cut(string(link.Destination), "#")
			target := page
			if path != "" {
				target = filepath.Join(filepath.Dir(page), path)
				if _, err := os.Stat(target); !assert.NoError(t, err, "%s links to %s", page, link.Destination) {
					return ast.WalkContinue, nil
				}
			}
			if fragment != "" {
				found := false
				for _, m := range anchorTag.FindAllStringSubmatch(read(t, target), -1) {
					found = found || m[1] == fragment
				}
				assert.True(t, found, "%s links to %s, which has no such anchor", page, link.Destination)
			}
			return ast.WalkContinue, nil
		})
	}
}

var heading = regexp.MustCompile(`(?m)^#+ `)

// A guide has both languages, each leads to the other, and they are built
// alike.
func TestPagesComeInPairs(t *testing.T) {
	for _, page := range pages(t) {
		if strings.HasPrefix(page, "decisions/") || strings.HasSuffix(page, ".zh.md") {
			continue
		}
		other := strings.TrimSuffix(page, ".md") + ".zh.md"
		en, zh := read(t, page), read(t, other)
		assert.Contains(t, en, "English | [简体中文]("+filepath.Base(other)+")", page)
		assert.Contains(t, zh, "[English]("+filepath.Base(page)+") | 简体中文", other)
		assert.Equal(t, levels(en), levels(zh), "headings of %s and %s", page, other)
		assert.Equal(t, snippets(en), snippets(zh), "snippets of %s and %s", page, other)
		assert.Equal(t, regionNames(en), regionNames(zh), "regions of %s and %s", page, other)
	}
}

func levels(page string) []int {
	var out []int
	for _, h := range heading.FindAllString(withoutCode(page), -1) {
		out = append(out, len(h)-1)
	}
	return out
}

var fence = regexp.MustCompile("(?ms)^```.*?^```$")

func withoutCode(page string) string { return fence.ReplaceAllString(page, "") }

var snippet = regexp.MustCompile("(?ms)^<!-- snippet ([a-z0-9-]+) -->\n\n```([a-z]+)\n(.*?)^```$")

// snippets are the blocks of code of a page that are run, by name.
func snippets(page string) map[string]string {
	out := map[string]string{}
	for _, m := range snippet.FindAllStringSubmatch(page, -1) {
		out[m[1]] = m[3]
	}
	return out
}

var regionMarker = regexp.MustCompile(`(?m)^<!-- accord:begin (\S+) -->$`)

func regionNames(page string) []string {
	var out []string
	for _, m := range regionMarker.FindAllStringSubmatch(page, -1) {
		out = append(out, m[1])
	}
	return out
}

var makeTarget = regexp.MustCompile(`(?m)^make ([a-z-]+)|` + "`make ([a-z-]+)`")

// A target of make that a page names is one.
func TestMakeTargetsAreThere(t *testing.T) {
	makefile := read(t, "../Makefile")
	for _, page := range pages(t) {
		for _, m := range makeTarget.FindAllStringSubmatch(read(t, page), -1) {
			assert.Regexp(t, `(?m)^`+m[1]+m[2]+`:`, makefile, page)
		}
	}
}
