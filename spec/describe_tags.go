// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// The struct tags that say something, by what they hang on.
var (
	memberTags  = []string{"json", "min", "max", "length", "pattern", "default", "since", "sensitive", "intern"}
	variantTags = []string{"variant", "since", "only", "off"}
	unionTags   = []string{"tag", "content"}
	shapeTags   = []string{"by"}      // of a union whose variants are distinguished by shape
	shapedTags  = []string{"variant"} // of its variants
)

// mistagged says what is wrong with a struct tag, or nothing. A key that is not
// known is a word misspelt: the bound that it was to be would be lost in silence.
func mistagged(tag reflect.StructTag, known []string) (problem, key string) {
	rest := strings.TrimSpace(string(tag))
	for rest != "" {
		key, after, _ := strings.Cut(rest, ":")
		value, err := strconv.QuotedPrefix(after)
		if err != nil || value[0] != '"' {
			return fmt.Sprintf("the tag is not of the form key:\"value\" from here on: %s", rest), ""
		}
		if !slices.Contains(known, key) {
			return fmt.Sprintf("the tag %s has no meaning here; known are %s", key, strings.Join(known, ", ")), key
		}
		rest = strings.TrimSpace(after[len(value):])
	}
	return "", ""
}

// retag is how a misspelt key is mended: it becomes the nearest one.
func retag(key string, known []string) []string {
	if key == "" {
		return nil
	}
	return append([]string{"retag", key}, known...)
}
