// SPDX-License-Identifier: Apache-2.0

package log

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// maxWindow is the largest zstd window that is read, 128 MiB, as in the zstd
// command line tool. DSH writes windows of 2 MiB.
const maxWindow = 128 << 20

const zstdMagic = 0xFD2FB528

// frames reads the contents of zstd frames that follow each other, and nothing
// else: other frames, and bytes that are none, are damage. It stops at the frame
// that the file's end cuts off, after what can be decompressed of it.
type frames struct {
	in  frameReader
	dec *zstd.Decoder

	started bool  // a frame has begun and has not ended
	start   int64 // offset in the file of the frame that was begun last
	content int64 // bytes of content before what Read returns next
	cut     bool  // the file ends inside of the last frame

	// begun is called with the offset of each frame and that of its content.
	begun func(start, content int64)
}

// decoders keeps decoders from one log to the next: each has buffers of twice the
// window. With a concurrency of 1 they have no goroutines.
var decoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		panic(err) // an option is wrong
	}
	return d
}}

func newFrames(r io.Reader) *frames {
	return &frames{in: frameReader{r: bufio.NewReaderSize(r, 64<<10)}, dec: decoders.Get().(*zstd.Decoder)}
}

// close gives the decoder back.
func (f *frames) close() {
	if f.dec == nil {
		return
	}
	if f.dec.Reset(nil) == nil {
		decoders.Put(f.dec)
	}
	f.dec = nil
}

// Read reads on through the frames. At a frame that is cut off it sets cut and
// ends.
func (f *frames) Read(p []byte) (int, error) {
	if f.dec == nil {
		return 0, io.ErrClosedPipe
	}
	for {
		if !f.started {
			if err := f.begin(); err != nil {
				return 0, err
			}
		}
		n, err := f.dec.Read(p)
		f.content += int64(n)
		switch {
		case n > 0:
			return n, nil
		case f.in.err != nil:
			return 0, f.in.err
		case f.in.cut:
			f.cut = true
			return 0, io.EOF
		case errors.Is(err, io.EOF):
			f.started = false
		case err != nil:
			return 0, f.in.broken(fmt.Sprintf("the zstd frame cannot be read: %v", err))
		}
	}
}

// readFrame reads the content of the next frame, which may have at most max bytes.
func (f *frames) readFrame(limit int) ([]byte, error) {
	if err := f.begin(); err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f.dec, int64(limit)+1))
	switch {
	case f.in.err != nil:
		return nil, f.in.err
	case f.in.cut:
		f.cut = true
		return nil, io.ErrUnexpectedEOF
	case err != nil:
		return nil, f.in.broken(fmt.Sprintf("the zstd frame cannot be read: %v", err))
	case len(b) > limit:
		return nil, &SizeError{Line: 1, Max: limit}
	}
	f.started = false
	f.content += int64(len(b))
	return b, nil
}

func (f *frames) begin() error {
	if _, err := f.in.r.Peek(1); err != nil {
		return err
	}
	f.start = f.in.next()
	if f.begun != nil {
		f.begun(f.start, f.content)
	}
	f.started = true
	return f.dec.Reset(&f.in)
}

// frameReader gives the bytes of one zstd frame and then io.EOF. It follows the
// frame's structure (RFC 8878 section 3.1.1), which alone says where it ends.
type frameReader struct {
	r     *bufio.Reader
	taken int64 // bytes that were taken from r
	start int64 // the frame's first byte

	head  []byte // of the frame's headers and checksum, not given yet
	body  int    // bytes of a block, not given yet
	stage func(*frameReader) error

	checksum, last bool
	cut            bool  // r ended inside of the frame
	err            error // r failed, or the frame's structure is broken
}

// next begins a frame and returns its offset.
func (f *frameReader) next() int64 {
	*f = frameReader{r: f.r, taken: f.taken, start: f.taken, stage: (*frameReader).frameHeader}
	return f.start
}

func (f *frameReader) broken(reason string) *DamagedError {
	return &DamagedError{Offset: f.start, Expected: -1, Found: -1, Reason: reason}
}

// Read gives the next bytes of the frame.
func (f *frameReader) Read(p []byte) (int, error) {
	for len(f.head) == 0 && f.body == 0 {
		if f.err != nil {
			return 0, f.err
		}
		if f.stage == nil {
			return 0, io.EOF
		}
		if err := f.stage(f); err != nil {
			return 0, f.ended(err)
		}
	}
	if len(f.head) > 0 {
		n := copy(p, f.head)
		f.head = f.head[n:]
		return n, nil
	}
	n, err := f.r.Read(p[:min(len(p), f.body)])
	f.taken += int64(n)
	f.body -= n
	if err != nil && n == 0 {
		return 0, f.ended(err)
	}
	return n, nil
}

func (f *frameReader) ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		f.cut = true
		return io.ErrUnexpectedEOF
	}
	f.err = err
	return err
}

// take takes n bytes of a header from the file into head and returns them.
func (f *frameReader) take(n int) ([]byte, error) {
	start := len(f.head)
	f.head = append(f.head, make([]byte, n)...)
	got, err := io.ReadFull(f.r, f.head[start:])
	f.taken += int64(got)
	return f.head[start:], err
}

func (f *frameReader) frameHeader() error {
	var magic [4]byte
	binary.LittleEndian.PutUint32(magic[:], zstdMagic)
	b, err := f.take(4)
	for i, c := range b[:min(int(f.taken-f.start), 4)] {
		if c != magic[i] {
			f.err = f.broken("a zstd frame should begin here, and its magic number is another one")
			return f.err
		}
	}
	if err != nil {
		return err
	}
	if b, err = f.take(1); err != nil {
		return err
	}
	descriptor := b[0]
	if descriptor&0x18 != 0 {
		f.err = f.broken("the zstd frame's header has a reserved bit")
		return f.err
	}
	single := descriptor&0x20 != 0
	size := []int{0, 2, 4, 8}[descriptor>>6]
	if size == 0 && single {
		size = 1
	}
	size += []int{0, 1, 2, 4}[descriptor&3]
	if !single {
		size++
	}
	f.checksum = descriptor&4 != 0
	f.stage = (*frameReader).blockHeader
	_, err = f.take(size)
	return err
}

func (f *frameReader) blockHeader() error {
	if f.last {
		f.stage = nil
		if !f.checksum {
			return nil
		}
		_, err := f.take(4)
		return err
	}
	f.head = nil
	b, err := f.take(3)
	if err != nil {
		return err
	}
	header := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
	f.last = header&1 != 0
	f.body = header >> 3
	switch header >> 1 & 3 {
	case 1: // one byte that repeats
		f.body = 1
	case 3:
		f.err = f.broken("the zstd frame has a block of a reserved type")
		return f.err
	}
	return nil
}
