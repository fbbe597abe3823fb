// SPDX-License-Identifier: Apache-2.0

package files

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/log"
)

// Sessions is the directory of a home that has the logs.
const Sessions = "sessions"

// Place is where a session's log lies.
type Place struct {
	ID       string // of the directory; Head compares it with the header
	Dir      string // of the session, below the home
	Version  int    // the highest generation that lies there, by the file's name
	Older    []int  // the others
	Encoding log.Encoding
}

// Path is the log's file, below the home.
func (p Place) Path() string { return path.Join(p.Dir, Name(p.Version, p.Encoding)) }

// Stray is something below a home that is not a session's log and looks as if it
// should be one.
type Stray struct {
	Path   string // below the home
	Reason string
}

// Layout is what lies below a home.
type Layout struct {
	Places []Place // by project and then by directory
	Strays []Stray
	Raw    bool // some logs are raw text
	Zstd   bool // some logs are zstd frames

	// Flat are logs that lie directly in a project's directory. DSH refuses all
	// sessions of such a home.
	Flat []string
}

// Encoding is that of the home's logs, and otherwise where there is none. A home
// with both is an error: DSH opens none of its sessions, whatever is written.
func (l *Layout) Encoding(otherwise log.Encoding) (log.Encoding, error) {
	switch {
	case l.Raw && l.Zstd:
		return 0, errors.New("the home has raw and compressed logs, and DSH refuses all of them: move those of one kind to another home")
	case len(l.Flat) > 0:
		return 0, fmt.Errorf("the home has a log outside of a session's directory, and DSH refuses all sessions there: move %s away", l.Flat[0])
	case l.Raw:
		return log.Raw, nil
	case l.Zstd:
		return log.Zstd, nil
	}
	return otherwise, nil
}

// Find returns the places of a session's id: none if it is not stored. With more
// than one, DSH opens none of them.
func (l *Layout) Find(id string) []Place {
	var found []Place
	for _, p := range l.Places {
		if p.ID == id {
			found = append(found, p)
		}
	}
	return found
}

// Find looks for a session's id in each project, without reading what else lies
// there: none if it is not stored, and with more than one DSH opens none of them. An
// id that has no place is an error.
func Find(home fs.FS, id string) ([]Place, error) {
	segment, err := Segment(id)
	if err != nil {
		return nil, err
	}
	projects, err := fs.ReadDir(home, Sessions)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	l := new(Layout)
	for _, p := range projects {
		dir := path.Join(Sessions, p.Name(), segment)
		if _, err := fs.Stat(home, dir); err == nil {
			l.session(home, dir)
		} else if !errors.Is(err, fs.ErrNotExist) && p.IsDir() {
			return nil, err
		}
	}
	if len(l.Strays) > 0 {
		return nil, fmt.Errorf("%s: %s", l.Strays[0].Path, l.Strays[0].Reason)
	}
	return l.Places, nil
}

// Scan lists a home's logs by their names. A home without sessions is empty. What
// cannot be read below it is a Stray.
func Scan(home fs.FS) (*Layout, error) {
	l := new(Layout)
	projects, err := fs.ReadDir(home, Sessions)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	for _, p := range projects {
		if !p.IsDir() {
			continue // DSH ignores files here
		}
		l.project(home, path.Join(Sessions, p.Name()))
	}
	return l, nil
}

func (l *Layout) project(home fs.FS, dir string) {
	entries, err := fs.ReadDir(home, dir)
	if err != nil {
		l.stray(dir, err.Error())
		return
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir():
			l.session(home, name)
		case strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".jsonl.zstd"):
			l.Flat = append(l.Flat, name)
		}
	}
}

func (l *Layout) session(home fs.FS, dir string) {
	entries, err := fs.ReadDir(home, dir)
	if err != nil {
		l.stray(dir, err.Error())
		return
	}
	p := Place{Dir: dir, Version: -1}
	both := false
	for _, e := range entries {
		version, encoding, ok := ParseName(e.Name())
		if !ok || e.IsDir() {
			continue
		}
		l.Raw = l.Raw || encoding == log.Raw
		l.Zstd = l.Zstd || encoding == log.Zstd
		switch {
		case version > p.Version:
			if p.Version >= 0 {
				p.Older = append(p.Older, p.Version)
			}
			p.Version, p.Encoding, both = version, encoding, false
		case version == p.Version:
			both = true
		default:
			p.Older = append(p.Older, version)
		}
	}
	if p.Version < 0 {
		return // nothing was written yet
	}
	if both {
		l.stray(dir, "the session has its newest log raw and compressed")
		return
	}
	if p.ID, err = ID(path.Base(dir)); err != nil {
		l.stray(dir, err.Error())
		return
	}
	l.Places = append(l.Places, p)
}

func (l *Layout) stray(path, reason string) {
	l.Strays = append(l.Strays, Stray{path, reason})
}

// MisplacedError says that a log's header is not that of the place where it lies.
type MisplacedError struct {
	Path     string // below the home
	Expected string // what the place says
	Found    string // what the header says
}

func (e *MisplacedError) Error() string {
	return fmt.Sprintf("the log %s is not one of its place: the place says %s, and its header says %s", e.Path, e.Expected, e.Found)
}

// Open opens the log of a place and checks that its header belongs there. Closing
// the file closes the reader. Errors: those of log.NewReader, MisplacedError, and
// those of the file system.
func Open(home fs.FS, p Place, maxRow int) (*log.Reader, fs.File, error) {
	f, err := home.Open(p.Path())
	if err != nil {
		return nil, nil, err
	}
	l, err := log.NewReader(f, log.Options{Encoding: p.Encoding, MaxRow: maxRow})
	if err == nil {
		if err = p.check(l.Header()); err == nil {
			return l, &opened{f, l}, nil
		}
		l.Close()
	}
	return nil, nil, errors.Join(err, f.Close())
}

type opened struct {
	fs.File
	reader *log.Reader
}

func (o *opened) Close() error {
	o.reader.Close()
	return o.File.Close()
}

// Head reads a log's header alone.
func Head(home fs.FS, p Place) (*harness.SessionHeaderLine, error) {
	l, f, err := Open(home, p, 0)
	if err != nil {
		return nil, err
	}
	h := l.Header()
	return h, f.Close()
}

func (p Place) check(h *harness.SessionHeaderLine) error {
	cwd := ""
	if h.CWD != nil {
		cwd = *h.CWD
	}
	project := path.Base(path.Dir(p.Dir))
	switch {
	case int64(p.Version) != h.Version:
		return &MisplacedError{p.Path(), fmt.Sprintf("generation %d", p.Version), fmt.Sprintf("generation %d", h.Version)}
	case p.ID != string(h.ID):
		return &MisplacedError{p.Path(), fmt.Sprintf("the id %q", p.ID), fmt.Sprintf("%q", h.ID)}
	case project != Project(cwd):
		return &MisplacedError{p.Path(), "the project " + project, fmt.Sprintf("the working directory %q, which is in the project %s", cwd, Project(cwd))}
	}
	return nil
}

// ChooseHome returns the home that a host asked for with a flag, else DSH_HOME,
// else a folder for Accord's state of the user's own: never the home of another
// product unasked. getenv is os.Getenv, userHome is os.UserHomeDir.
func ChooseHome(flag string, getenv func(string) string, userHome func() (string, error)) (string, error) {
	for _, dir := range []string{flag, getenv("DSH_HOME")} {
		if strings.TrimSpace(dir) != "" {
			return filepath.Abs(dir)
		}
	}
	switch runtime.GOOS {
	case "windows":
		if dir := getenv("LOCALAPPDATA"); filepath.IsAbs(dir) {
			return filepath.Join(dir, "Accord"), nil
		}
	case "darwin":
	default:
		// A relative one is ignored, as the XDG specification demands.
		if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
			return filepath.Join(dir, "accord"), nil
		}
	}
	home, err := userHome()
	if err != nil {
		return "", fmt.Errorf("there is no folder for sessions: name one with --store or DSH_HOME: %w", err)
	}
	switch runtime.GOOS {
	case "windows":
		return filepath.Join(home, "AppData", "Local", "Accord"), nil
	case "darwin":
		return filepath.Join(home, "Library", "Application Support", "Accord"), nil
	}
	return filepath.Join(home, ".local", "state", "accord"), nil
}
