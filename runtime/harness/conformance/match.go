// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// bindings are the values of a script's $names, as JSON text.
type bindings map[string]string

var variable = regexp.MustCompile(`^\$[A-Za-z0-9_-]+$`)

// match says whether a frame of the client's is the one that a step expects:
// members may be added, none may be missing, arrays have the same length, and
// a $name stands for any value at first and for the same one from then on.
// New names are bound only when the whole frame matches. The error says where
// the frames differ first.
func (b bindings) match(want json.RawMessage, got []byte) error {
	w, err := decode(want)
	if err != nil {
		return err
	}
	g, err := decode(got)
	if err != nil {
		return fmt.Errorf("the client's line is not JSON: %w", err)
	}
	fresh := maps.Clone(b)
	if why := compare("", w, g, fresh); why != "" {
		return errors.New(why)
	}
	maps.Copy(b, fresh)
	return nil
}

// compare says where a value differs first from what is wanted of it; empty if it does
// not. Objects may have more members than are wanted, numbers are compared by value.
// Without names it is an expectation: null means that there is none. With names, a
// string that is one stands for its value, or is bound to the one that it meets.
func compare(at string, want, got any, names bindings) string {
	differ := func() string {
		return strings.TrimSpace(fmt.Sprintf("%s is %s, expected %s", at, short(encode(got)), short(encode(want))))
	}
	switch w := want.(type) {
	case string:
		if names == nil || !variable.MatchString(w) {
			break
		}
		text := encode(got)
		if bound, ok := names[w]; ok && bound != text {
			return fmt.Sprintf("%s is %s, and %s was bound to %s", at, text, w, bound)
		}
		names[w] = text
		return ""
	case json.Number:
		g, ok := got.(json.Number)
		p, ok1 := new(big.Rat).SetString(string(w))
		q, ok2 := new(big.Rat).SetString(string(g))
		if ok && (w == g || ok1 && ok2 && p.Cmp(q) == 0) {
			return ""
		}
		return differ()
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return differ()
		}
		for _, k := range sortedKeys(w) {
			v, ok := g[k]
			if !ok && names != nil {
				if m, isObject := w[k].(map[string]any); k == "params" && isObject && len(m) == 0 {
					continue // no params and none in them are the same
				}
				return "member " + join(at, k) + " is missing"
			}
			if why := compare(join(at, k), w[k], v, names); why != "" {
				return why
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return differ()
		}
		for i := range w {
			why := compare(fmt.Sprintf("%s[%d]", at, i), w[i], g[i], names)
			if why != "" && names == nil {
				return differ()
			}
			if why != "" {
				return why
			}
		}
		return ""
	}
	switch got.(type) {
	case map[string]any, []any: // cannot be compared by ==
		return differ()
	}
	if want != got {
		return differ()
	}
	return ""
}

// substitute puts the values of bound names into JSON text. A name that is not
// bound and stands as the frame's own id (a request of the runtime's) is bound
// to a fresh string; elsewhere it stays as it is, for it is only a string.
func (b bindings) substitute(frame []byte) []byte {
	if h := headOf(frame); len(h.ID) > 2 && variable.Match(h.ID[1:len(h.ID)-1]) {
		name := string(h.ID[1 : len(h.ID)-1])
		if _, ok := b[name]; !ok {
			b[name] = encode("srv-" + name[1:])
		}
	}
	return b.replace(frame)
}

// token is a string of JSON text, with the colon behind a member's name.
var token = regexp.MustCompile(`"(?:[^"\\]|\\.)*"\s*:?`)

// replace puts the values of bound names into text: every string token that is
// one of them, outside member names.
func (b bindings) replace(text []byte) []byte {
	return token.ReplaceAllFunc(text, func(t []byte) []byte {
		v, ok := b[string(bytes.Trim(t, `"`))]
		if !ok || t[len(t)-1] != '"' {
			return t
		}
		return []byte(v)
	})
}

func short(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}

func join(at, key string) string { return strings.TrimPrefix(at+"."+key, ".") }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// decode reads one JSON value; numbers keep their text.
func decode(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("text after the value")
	}
	return v, nil
}

// encode writes a value compactly, without HTML escaping.
func encode(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// normal turns a Go value into decoded JSON, numbers as their text.
func normal(v any) any {
	out, err := decode([]byte(encode(v)))
	if err != nil {
		return v
	}
	return out
}
