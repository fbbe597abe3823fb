// SPDX-License-Identifier: Apache-2.0

package translation

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
	"slices"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

// LockName is the file next to a spec with what was confirmed.
const LockName = "accord.lock.json"

// Lock is what was confirmed, by key.
type Lock struct {
	Format int             `json:"format"`
	Pairs  map[string]pair `json:"pairs"`
}

// pair is the hashes of both sides. It is written as "en zh", one line a key,
// so that two branches merge.
type pair struct{ en, zh string }

func (p pair) MarshalText() ([]byte, error) { return []byte(p.en + " " + p.zh), nil }

func (p *pair) UnmarshalText(text []byte) error {
	part := strings.Fields(string(text))
	if len(part) != 2 || len(part[0]) != 16 || len(part[1]) != 16 {
		return fmt.Errorf("%q is not two hashes of 16 digits", text)
	}
	p.en, p.zh = part[0], part[1]
	return nil
}

// Read gives the lock of a spec package's directory, empty if there is none.
func Read(dir string) (*Lock, error) {
	path := filepath.Join(dir, LockName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Lock{Format: 1, Pairs: map[string]pair{}}, nil
	}
	if err != nil {
		return nil, err
	}
	var l Lock
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return nil, fmt.Errorf("%s is damaged (%w): restore it from version control", path, err)
	}
	if l.Format != 1 {
		return nil, fmt.Errorf("%s has format %d, and this command knows 1: use a newer accord", path, l.Format)
	}
	if l.Pairs == nil {
		l.Pairs = map[string]pair{}
	}
	return &l, nil
}

// Encode gives the lock's one form: keys sorted, a line each.
func (l *Lock) Encode() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(l) // strings in a buffer
	return b.Bytes()
}

// Side is a language of a pair.
type Side string

// The two sides.
const (
	English Side = "English"
	Chinese Side = "Chinese"
)

// Drift is a text of which one side has changed since it was confirmed.
type Drift struct {
	Text    Text
	Changed Side
	Was     string // key under which it was confirmed, if it moved
	locked  pair
}

// Compare holds a model against a lock. Next is the lock as `accord gen` writes
// it: new texts, moved ones and those of which both sides have changed are
// confirmed, drifted ones keep what was confirmed, and what is gone is
// forgotten. A text with one side only is not in it.
func (l *Lock) Compare(m *model.Protocol) (drifts []Drift, next *Lock) {
	all := Texts(m)
	next = &Lock{Format: 1, Pairs: make(map[string]pair, len(all))}
	texts := make(map[string]bool, len(all))
	whole := make([]Text, 0, len(all))
	for _, t := range all {
		texts[t.Key] = true
		if t.Doc.EN != "" && t.Doc.ZH != "" {
			whole = append(whole, t)
		} else if old, ok := l.Pairs[t.Key]; ok {
			next.Pairs[t.Key] = old // another rule's, until it is whole again
		}
	}
	gone := map[string]pair{}
	bySide := map[string][]string{} // keys of what is gone, by kind and hash of a side
	for key, p := range l.Pairs {
		if !texts[key] {
			gone[key] = p
			for _, hash := range sides(p) {
				bySide[kindOf(key)+" "+hash] = append(bySide[kindOf(key)+" "+hash], key)
			}
		}
	}
	for _, t := range whole {
		now := hashes(t)
		old, known := l.Pairs[t.Key]
		was := ""
		if !known {
			old, was = moved(t.Key, now, gone, bySide)
		}
		switch {
		case old == pair{} || old == now || old.en != now.en && old.zh != now.zh:
			next.Pairs[t.Key] = now
		case old.en != now.en:
			drifts = append(drifts, Drift{t, English, was, old})
			next.Pairs[t.Key] = old
		default:
			drifts = append(drifts, Drift{t, Chinese, was, old})
			next.Pairs[t.Key] = old
		}
	}
	return drifts, next
}

// moved finds under which key a text was before: one that is gone and has one
// of its sides. More than one of them is no answer.
func moved(key string, now pair, gone map[string]pair, bySide map[string][]string) (pair, string) {
	var candidates []string
	for _, hash := range sides(now) {
		candidates = append(candidates, bySide[kindOf(key)+" "+hash]...)
	}
	slices.Sort(candidates)
	candidates = slices.Compact(candidates)
	for _, k := range candidates {
		if gone[k] == now {
			return now, k
		}
	}
	if len(candidates) == 1 {
		return gone[candidates[0]], candidates[0]
	}
	return pair{}, ""
}

// kindOf is the first word of a key.
func kindOf(key string) string {
	kind, _, _ := strings.Cut(key, " ")
	return kind
}

// sides returns the hashes of a pair by their language.
func sides(p pair) [2]string { return [2]string{"en " + p.en, "zh " + p.zh} }

// Confirm records in next that drifted texts say the same again: those with the
// keys, or all. It returns keys that no drifted text has.
func Confirm(next *Lock, drifts []Drift, keys []string, all bool) (unknown []string) {
	left := slices.Clone(keys)
	for _, d := range drifts {
		i := slices.Index(left, d.Text.Key)
		if i < 0 && !all {
			continue
		}
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
		next.Pairs[d.Text.Key] = hashes(d.Text)
	}
	return left
}

func hashes(t Text) pair {
	return pair{short(Plain(t.Doc.EN, t.Name)), short(Plain(t.Doc.ZH, t.Name))}
}

func short(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
