// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"sort"
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
	fresh := bindings{}
	if err := b.matchValue("", w, g, fresh); err != nil {
		return err
	}
	for k, v := range fresh {
		b[k] = v
	}
	return nil
}

func (b bindings) matchValue(at string, want, got any, fresh bindings) error {
	switch w := want.(type) {
	case string:
		if variable.MatchString(w) {
			return b.matchVariable(at, w, got, fresh)
		}
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return differ(at, want, got)
		}
		for _, k := range sortedKeys(w) {
			v, ok := g[k]
			if !ok && k == "params" && isEmptyObject(w[k]) {
				continue // no params and none in them are the same
			}
			if !ok {
				return fmt.Errorf("member %s is missing", join(at, k))
			}
			if err := b.matchValue(join(at, k), w[k], v, fresh); err != nil {
				return err
			}
		}
		return nil
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return differ(at, want, got)
		}
		for i := range w {
			if err := b.matchValue(fmt.Sprintf("%s[%d]", at, i), w[i], g[i], fresh); err != nil {
				return err
			}
		}
		return nil
	}
	if !equal(want, got) {
		return differ(at, want, got)
	}
	return nil
}

func isEmptyObject(v any) bool {
	m, ok := v.(map[string]any)
	return ok && len(m) == 0
}

func (b bindings) matchVariable(at, name string, got any, fresh bindings) error {
	text := encode(got)
	if bound, ok := b[name]; ok {
		if bound != text {
			return fmt.Errorf("%s is %s, and %s was bound to %s", at, text, name, bound)
		}
		return nil
	}
	if bound, ok := fresh[name]; ok && bound != text {
		return fmt.Errorf("%s is %s, and %s was bound to %s", at, text, name, bound)
	}
	fresh[name] = text
	return nil
}

// substitute puts the values of bound names into JSON text. A name that is not
// bound and stands as the frame's own id (a request of the runtime's) is bound
// to a fresh string; elsewhere it stays as it is, for it is only a string.
func (b bindings) substitute(frame []byte) []byte {
	if m, err := members(frame); err == nil {
		var id string
		if json.Unmarshal(m["id"], &id) == nil && variable.MatchString(id) {
			if _, ok := b[id]; !ok {
				b[id] = encode("srv-" + id[1:])
			}
		}
	}
	return b.replace(frame)
}

// replace puts the values of bound names into text: every string token that is
// one of them, outside member names.
func (b bindings) replace(text []byte) []byte {
	if !bytes.Contains(text, []byte(`"$`)) {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if text[i] != '"' {
			out = append(out, text[i])
			i++
			continue
		}
		end := stringEnd(text, i)
		token := text[i:end]
		if len(token) > 2 && token[1] == '$' && (end == len(text) || text[end] != ':') {
			if v, ok := b[string(token[1:len(token)-1])]; ok {
				token = []byte(v)
			}
		}
		out = append(out, token...)
		i = end
	}
	return out
}

// stringEnd is the offset behind the string token that starts at i.
func stringEnd(text []byte, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		}
	}
	return len(text)
}

func differ(at string, want, got any) error {
	if at == "" {
		at = "the frame"
	}
	return fmt.Errorf("%s is %s, expected %s", at, short(encode(got)), short(encode(want)))
}

func short(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}

func join(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// decode reads one JSON value; numbers keep their text.
func decode(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, fmt.Errorf("text after the value")
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

// equal compares JSON values; numbers by value, so that 1 and 1.0 agree and
// 9007199254740993 and …992 do not.
func equal(a, b any) bool {
	switch x := a.(type) {
	case json.Number:
		y, ok := b.(json.Number)
		if !ok {
			return false
		}
		if x == y {
			return true
		}
		p, ok1 := new(big.Rat).SetString(string(x))
		q, ok2 := new(big.Rat).SetString(string(y))
		return ok1 && ok2 && p.Cmp(q) == 0
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			w, ok := y[k]
			if !ok || !equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !equal(x[i], y[i]) {
				return false
			}
		}
		return true
	default:
		return a == b
	}
}
