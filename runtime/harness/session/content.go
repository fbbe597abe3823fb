// SPDX-License-Identifier: Apache-2.0

package session

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// checkContent refuses content that no model could take. Nothing has been
// created or changed then.
func checkContent(blocks []harness.ContentBlock) error {
	if len(blocks) == 0 {
		return errInvalid("contentBlocks", "contentBlocks must hold at least one block")
	}
	for i, b := range blocks {
		path := fmt.Sprintf("contentBlocks[%d]", i)
		switch b := b.(type) {
		case *harness.TextBlock, *harness.FileBlock:
		case *harness.ImageBlock:
			if err := checkImage(path, b); err != nil {
				return err
			}
		case nil:
			return errInvalid(path, "%s is not a content block", path)
		default:
			return errInvalid(path, "%s: a block of type %q cannot be prompted", path, b.ContentBlockType())
		}
	}
	return nil
}

// fingerprint is a digest of the content of a prompt as its params have it, so
// that the same content, however it is written, is told from others.
func fingerprint(params []byte) (string, error) {
	var canonical []byte
	d := codec.Decoder{Lax: true}
	d.Reset(params)
	for d.Object(); d.More(); {
		if string(d.Key()) != "contentBlocks" {
			d.Skip()
			continue
		}
		var err error
		if canonical, err = appendCanonical(canonical[:0], d.RawBorrowed()); err != nil {
			return "", err
		}
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:]), d.Err()
}

// appendCanonical appends a JSON value with its members sorted by name and its
// numbers and strings in one form.
func appendCanonical(b []byte, value []byte) ([]byte, error) {
	var d codec.Decoder
	d.Lax = true
	d.Reset(value)
	switch d.Peek() {
	case '{':
		var members []string
		var err error
		for d.Object(); d.More(); {
			m := codec.AppendString(nil, string(d.Key()))
			m = append(m, ':')
			if m, err = appendCanonical(m, d.RawBorrowed()); err != nil {
				return b, err
			}
			members = append(members, string(m))
		}
		slices.Sort(members)
		return append(append(append(b, '{'), strings.Join(members, ",")...), '}'), d.Err()
	case '[':
		b = append(b, '[')
		first := true
		for d.Array(); d.Next(); {
			if !first {
				b = append(b, ',')
			}
			first = false
			var err error
			if b, err = appendCanonical(b, d.RawBorrowed()); err != nil {
				return b, err
			}
		}
		return append(b, ']'), d.Err()
	case '"':
		return codec.AppendString(b, d.String()), d.Err()
	case 't', 'f', 'n':
		return append(b, strings.TrimSpace(string(value))...), nil
	default:
		return codec.AppendFloat(b, d.Float64()), d.Err()
	}
}
