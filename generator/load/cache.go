// SPDX-License-Identifier: Apache-2.0

package load

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// cache keeps what a load gave, by all source that the spec program is made of
// and by this program's own bytes. An entry names its key and the
// hash of its content; any that does not fit is as good as none.
type cache struct {
	dir  string
	self string
}

// entry is a cached load without the directory, which the key's package
// determines.
type entry struct {
	Key  string          `json:"key"`
	Hash string          `json:"hash"` // of Spec
	Spec json.RawMessage `json:"spec"`
}

func openCache(o Options) *cache {
	if o.NoCache {
		return nil
	}
	dir := o.CacheDir
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		dir = filepath.Join(base, "accord")
	}
	self := ownHash()
	if self == "" {
		return nil
	}
	return &cache{dir: filepath.Join(dir, "models"), self: self}
}

// buildID is what the go command writes near the beginning of a program, of all
// that it was built from.
var buildID = regexp.MustCompile(`[\w-]{20}/[\w-]{20}/[\w-]{20}/[\w-]{20}`)

// ownHash identifies the loader itself: another one may read the same source
// differently. A program without a build id is identified by all of its bytes.
var ownHash = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	begin := make([]byte, 64<<10)
	n, err := io.ReadFull(f, begin)
	if err != nil && err != io.ErrUnexpectedEOF {
		return ""
	}
	h := sha256.New()
	if id := buildID.Find(begin[:n]); id != nil {
		h.Write(id)
		return hex.EncodeToString(h.Sum(nil))
	}
	h.Write(begin[:n])
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
})

func (c *cache) key(source, dir string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{c.self, source, dir}, "\n")))
	return hex.EncodeToString(sum[:])
}

func (c *cache) path(key string) string { return filepath.Join(c.dir, key[:2], key+".json") }

func (c *cache) read(source, dir string) *Spec {
	key := c.key(source, dir)
	data, err := os.ReadFile(c.path(key))
	if err != nil {
		return nil
	}
	var e entry
	if json.Unmarshal(data, &e) != nil || e.Key != key || e.Hash != hashOf(e.Spec) {
		return nil
	}
	var s Spec
	if json.Unmarshal(e.Spec, &s) != nil || s.Model == nil || s.Dir != dir {
		return nil
	}
	s.Cached = true
	return &s
}

// write is best effort: without it the next load is slower, not wrong.
func (c *cache) write(source string, s *Spec) {
	key := c.key(source, s.Dir)
	content, err := json.Marshal(s)
	if err != nil {
		return
	}
	data, err := json.Marshal(entry{Key: key, Hash: hashOf(content), Spec: content})
	if err != nil {
		return
	}
	dir := filepath.Dir(c.path(key))
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(dir, "new-")
	if err != nil {
		return
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if e := f.Close(); err != nil || e != nil {
		return
	}
	if os.Rename(f.Name(), c.path(key)) == nil {
		c.prune()
	}
}

// maxEntries bounds the cache; the oldest go first.
const maxEntries = 24

func (c *cache) prune() {
	paths, err := filepath.Glob(filepath.Join(c.dir, "*", "*.json"))
	if err != nil || len(paths) <= maxEntries {
		return
	}
	age := make(map[string]int64, len(paths))
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			age[p] = info.ModTime().UnixNano()
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(age[a], age[b]) })
	for _, p := range paths[:len(paths)-maxEntries] {
		_ = os.Remove(p)
	}
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
