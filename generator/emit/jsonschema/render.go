// SPDX-License-Identifier: Apache-2.0

package jsonschema

import (
	"encoding/json"
	"fmt"
)

// Render writes a document that holds schemas, with two spaces of indent and a
// final newline: as encoding/json would, but for the escapes for HTML.
func Render(document any) ([]byte, error) {
	out, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return append(plain(out), '\n'), nil
}

// plain undoes the escaping for HTML: these texts are read by people. An encoder
// with SetEscapeHTML(false) would not, since the document model encodes its
// schemas itself.
func plain(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			continue
		}
		if b[i+1] == 'u' && i+6 <= len(b) {
			if c, ok := harmless[string(b[i+2:i+6])]; ok {
				out = append(out, c...)
				i += 5
				continue
			}
		}
		out = append(out, b[i], b[i+1]) // an escaped backslash must not start another escape
		i++
	}
	return out
}

var harmless = map[string]string{"003c": "<", "003e": ">", "0026": "&", "2028": "\u2028", "2029": "\u2029"}
