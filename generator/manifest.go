// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ManifestName is the file next to a spec that lists what was generated from
// it.
const ManifestName = "accord.manifest.json"

// manifest is what the generator last wrote: hashes by path, and for regions by
// "path#name".
type manifest struct {
	Format int               `json:"format"`
	Files  map[string]string `json:"files"`
}

func readManifest(dir string) (*manifest, error) {
	m := &manifest{Format: 1, Files: map[string]string{}}
	path := filepath.Join(dir, ManifestName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%s is damaged (%w): restore it, or remove it and generate with --force", path, err)
	}
	if m.Format != 1 || m.Files == nil {
		return nil, fmt.Errorf("%s has format %d, and this command knows 1: use a newer accord", path, m.Format)
	}
	return m, nil
}

// encode gives the manifest's one form: keys sorted, a line each.
func (m *manifest) encode() []byte {
	data, _ := json.MarshalIndent(m, "", "  ")
	return append(data, '\n')
}

// hash identifies a content whatever its line ends, which version control may
// have changed.
func hash(content []byte) string {
	sum := sha256.Sum256(unix(content))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// unix gives LF line ends.
func unix(content []byte) []byte {
	if !bytes.Contains(content, []byte("\r\n")) {
		return content
	}
	return bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
}
