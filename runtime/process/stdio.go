// SPDX-License-Identifier: Apache-2.0

package process

import (
	"io"
	"os"
	"sync"
)

// Stdio is this process's own standard input and output, taken for frames
// alone. Closing either end releases a Read or Write on it that hangs.
type Stdio struct {
	In  io.ReadCloser
	Out io.WriteCloser
}

// TakeStdio takes the standard streams for frames: stdout moves to a private
// descriptor that no child inherits, and descriptor 1 becomes another name of
// stderr, so that a stray print, of a library or of a child process, cannot
// get between frames. It may be called once, before anything writes.
func TakeStdio() (*Stdio, error) {
	out, err := moveStdout()
	if err != nil {
		return nil, err
	}
	return &Stdio{In: Stdin(), Out: out}, nil
}

// pump makes any file a reader whose Close releases a hanging Read. Its
// goroutine may stay in the file's own Read until the process ends, which is
// why it serves only what nothing better does: terminals and plain files.
func pump(f *os.File) io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, f)
		_ = w.CloseWithError(err)
	}()
	return r
}

// restored is a descriptor that was made non-blocking for our own use. The
// mode belongs to the open file, which a shell may share, and is set back.
type restored struct {
	*os.File
	restore func()
	once    sync.Once
	err     error
}

func (r *restored) Close() error {
	r.once.Do(func() {
		r.err = r.File.Close()
		r.restore()
	})
	return r.err
}
