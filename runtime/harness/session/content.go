// SPDX-License-Identifier: Apache-2.0

package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

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

// fingerprint returns a digest of the content of a prompt as its params have it,
// in canonical JSON: however the content is written, it has one fingerprint.
func fingerprint(params []byte) string {
	var content []byte
	d := codec.Decoder{Lax: true}
	d.Reset(params)
	for d.Object(); d.More(); {
		if string(d.Key()) == "contentBlocks" {
			content = d.RawBorrowed()
		} else {
			d.Skip()
		}
	}
	var value any
	if json.Unmarshal(content, &value) == nil { // else a number has no canonical form
		content, _ = json.Marshal(value)
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
