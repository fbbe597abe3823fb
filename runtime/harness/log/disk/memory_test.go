// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"
	"testing/fstest"
	"time"
)

var errFault = errors.New("fault")

// memory is a home in memory that knows what is durable, and fails where it is
// asked to.
type memory struct {
	mu     sync.Mutex
	names  map[string]*node // what processes see
	stable map[string]*node // what a loss of power leaves
	locks  map[string]bool
	ops    int
	fail   int  // the operation that fails, from 1; 0: none
	short  bool // a write that fails has written half
	gate   chan struct{}
	syncs  int
}

type node struct {
	dir     bool
	data    []byte
	durable []byte
}

func newMemory() *memory {
	return &memory{
		names:  map[string]*node{".": {dir: true}},
		stable: map[string]*node{".": {dir: true}},
		locks:  map[string]bool{},
	}
}

// step counts an operation; the lock is held.
func (m *memory) step(op, name string) error {
	m.ops++
	if m.ops == m.fail {
		return &fs.PathError{Op: op, Path: name, Err: errFault}
	}
	return nil
}

// crash loses the power: part of what was not synced stays, as bytes of seed say.
func (m *memory) crash(part func(int) int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.names = map[string]*node{}
	for name, n := range m.stable {
		keep := bytes.Clone(n.durable)
		if rest := len(n.data) - len(n.durable); rest > 0 && bytes.HasPrefix(n.data, n.durable) {
			keep = append(keep, n.data[len(n.durable):len(n.durable)+part(rest)]...)
		}
		m.names[name] = &node{dir: n.dir, data: keep, durable: bytes.Clone(keep)}
	}
	m.stable = maps.Clone(m.names)
	m.locks, m.fail = map[string]bool{}, 0
}

func (m *memory) Open(name string) (fs.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	view := fstest.MapFS{}
	for n, x := range m.names {
		mode := fs.FileMode(0o600)
		if x.dir {
			mode = fs.ModeDir | 0o700
		}
		view[n] = &fstest.MapFile{Data: bytes.Clone(x.data), Mode: mode}
	}
	return view.Open(name)
}

func (m *memory) make(op, name string, n *node) error {
	if err := m.step(op, name); err != nil {
		return err
	}
	if m.names[name] != nil {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrExist}
	}
	if parent := m.names[path.Dir(name)]; parent == nil || !parent.dir {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	m.names[name] = n
	return nil
}

func (m *memory) Mkdir(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.make("mkdir", name, &node{dir: true})
}

func (m *memory) Create(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := &node{}
	if err := m.make("create", name, n); err != nil {
		return nil, err
	}
	return &memoryFile{m, name, n}, nil
}

func (m *memory) Append(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.step("append", name); err != nil {
		return nil, err
	}
	n := m.names[name]
	if n == nil {
		return nil, &fs.PathError{Op: "append", Path: name, Err: fs.ErrNotExist}
	}
	return &memoryFile{m, name, n}, nil
}

func (m *memory) Link(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.make("link", to, m.names[from])
}

func (m *memory) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.step("remove", name); err != nil {
		return err
	}
	delete(m.names, name)
	return nil
}

func (m *memory) SyncDir(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.step("syncdir", name); err != nil {
		return err
	}
	for _, n := range slices.Collect(maps.Keys(m.stable)) {
		if path.Dir(n) == name && n != "." && m.names[n] == nil {
			delete(m.stable, n)
		}
	}
	for n, x := range m.names {
		if path.Dir(n) == name {
			m.stable[n] = x
		}
	}
	return nil
}

type unlock func()

func (u unlock) Close() error { u(); return nil }

func (m *memory) Lock(name string) (io.Closer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.step("lock", name); err != nil {
		return nil, err
	}
	if m.locks[name] {
		return nil, ErrLocked
	}
	m.locks[name] = true
	if m.names[name] == nil {
		m.names[name] = &node{}
	}
	return unlock(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.locks, name)
	}), nil
}

type memoryFile struct {
	m    *memory
	name string
	n    *node
}

func (f *memoryFile) Write(p []byte) (int, error) {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	if err := f.m.step("write", f.name); err != nil {
		if !f.m.short {
			return 0, err
		}
		f.n.data = append(f.n.data, p[:len(p)/2]...)
		return len(p) / 2, err
	}
	f.n.data = append(f.n.data, p...)
	return len(p), nil
}

func (f *memoryFile) Sync() error {
	if f.m.gate != nil {
		<-f.m.gate
	}
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	if err := f.m.step("sync", f.name); err != nil {
		return err
	}
	f.m.syncs++
	f.n.durable = bytes.Clone(f.n.data)
	return nil
}

func (f *memoryFile) Truncate(size int64) error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	if err := f.m.step("truncate", f.name); err != nil {
		return err
	}
	f.n.data = bytes.Clone(f.n.data[:size])
	return nil
}

func (f *memoryFile) Close() error { return nil }

func (f *memoryFile) Stat() (fs.FileInfo, error) {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	if err := f.m.step("stat", f.name); err != nil {
		return nil, err
	}
	return memoryInfo{f.name, int64(len(f.n.data))}, nil
}

type memoryInfo struct {
	name string
	size int64
}

func (i memoryInfo) Name() string     { return path.Base(i.name) }
func (i memoryInfo) Size() int64      { return i.size }
func (memoryInfo) Mode() fs.FileMode  { return 0o600 }
func (memoryInfo) ModTime() time.Time { return time.Time{} }
func (memoryInfo) IsDir() bool        { return false }
func (memoryInfo) Sys() any           { return nil }
