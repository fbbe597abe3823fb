// SPDX-License-Identifier: Apache-2.0

package jsonl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/accordkit/accord/runtime/harness/log/disk"
	"github.com/accordkit/accord/runtime/store"
)

// object is where the bytes of an id lie, below the home.
func object(id string) (string, error) {
	digest, ok := strings.CutPrefix(id, "sha256:")
	if b, err := hex.DecodeString(digest); !ok || err != nil || len(b) != sha256.Size || digest != strings.ToLower(digest) {
		return "", fmt.Errorf("%q is no id of stored bytes", id)
	}
	return path.Join("attachments", "v1", "objects", digest[:2], digest), nil
}

// Keep implements store.Attachments.
func (s *Store) Keep(_ context.Context, id string, data []byte) error {
	name, err := object(id)
	if err != nil {
		return err
	}
	if err := disk.MkdirAll(s.home, path.Dir(name)); err != nil {
		return err
	}
	if err := disk.Publish(s.home, name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// Find implements store.Attachments. Bytes that are no longer those of their id are
// an error.
func (s *Store) Find(_ context.Context, id string) ([]byte, error) {
	name, err := object(id)
	if err != nil {
		return nil, err
	}
	data, err := fs.ReadFile(s.home, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &store.NotFoundError{ID: id}
	}
	if sum := sha256.Sum256(data); err == nil && "sha256:"+hex.EncodeToString(sum[:]) != id {
		return nil, fmt.Errorf("%s does not have the bytes of its name", s.path(name))
	}
	return data, err
}
