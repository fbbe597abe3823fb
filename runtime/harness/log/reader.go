// SPDX-License-Identifier: Apache-2.0

package log

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/accordkit/accord/runtime/harness"
)

// Encoding is how a log's text lies in its file.
type Encoding int

// The encodings. All logs of one root have the same.
const (
	Raw  Encoding = iota // as it is
	Zstd                 // in zstd frames
)

// Defaults of Options.
const (
	DefaultMaxRow = 64 << 20
	maxHeader     = 1 << 20
)

// Options say how a log is read.
type Options struct {
	Encoding Encoding

	// Skim has the reader look for the end of a row's data without checking what is
	// inside, which is several times as fast: for readers of many logs that read
	// the data which they need by themselves. A row whose data is broken may then
	// be taken for a sound one.
	Skim bool

	// MaxRow is the greatest length of a row in bytes; 0 is DefaultMaxRow. A
	// longer one is a SizeError.
	MaxRow int
}

// Tail describes the end of a log that a crash left behind, and that is not read.
// A writer truncates the file to Offset, and writes the last Recovered rows that
// it has read again, before it appends.
type Tail struct {
	Offset    int64  // where the sound part of the file ends
	Line      int64  // of the text, from 1: the first that is not read
	Recovered int    // rows that were read from beyond Offset: those of a frame that was cut off
	Reason    string // what is wrong with the first row that is not read
}

// Reader reads a log from its beginning. It belongs to one goroutine.
type Reader struct {
	header   *harness.SessionHeaderLine
	headLine []byte // the header as it was read
	encoding Encoding
	max      int
	parser   *rowParser
	in       *bufio.Reader
	frames   *frames // nil: the text is not compressed
	long     []byte  // a line that is longer than the buffer

	line     int64 // of the text, of the row that was read last
	offset   int64 // in the text, of the row that comes next
	next     int64 // sequence that the next row should have
	expanded []Row
	blockers []Blocker
	more     int64
	err      error // what Next returns from now on
	tail     *Tail

	// frames that the buffer has read ahead of the row that comes next.
	ahead []frameStart
	// rows that were read from the frame that the next row lies in.
	inFrame int
	current frameStart
}

type frameStart struct{ file, text int64 }

// NewReader reads a log's header. Errors: DamagedError, IncompatibleError,
// SizeError, and what r returns. Close must be called if there is none.
func NewReader(r io.Reader, o Options) (*Reader, error) {
	l := &Reader{encoding: o.Encoding, max: o.MaxRow}
	if l.max == 0 {
		l.max = DefaultMaxRow
	}
	line, err := l.first(r)
	if err == nil {
		l.headLine = bytes.Clone(line)
		l.header, err = parseHeader(line)
		var newer *IncompatibleError
		if err != nil && !errors.As(err, &newer) {
			err = l.damaged(1, 0, err.Error())
		}
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	l.parser = newRowParser(l.header.Version)
	l.parser.skim = o.Skim
	return l, nil
}

// first reads the first line.
func (l *Reader) first(r io.Reader) ([]byte, error) {
	const headless = "the log is empty or has no whole header"
	if l.encoding == Raw {
		l.in = bufio.NewReaderSize(r, 64<<10)
		line, err := l.read(maxHeader)
		if errors.Is(err, io.EOF) || errors.Is(err, errUnended) {
			err = l.damaged(1, 0, headless)
		}
		return line, err
	}
	f := newFrames(r)
	l.frames = f
	b, err := f.readFrame(maxHeader)
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, l.damaged(1, 0, headless)
	case err != nil:
		return nil, err
	case bytes.IndexByte(b, '\n') != len(b)-1:
		return nil, l.damaged(1, 0, "the first frame is not exactly the header's line")
	}
	f.begun = func(start, content int64) {
		if n := len(l.ahead); n > 0 && l.ahead[n-1].text == content {
			l.ahead[n-1].file = start // the one before is empty
			return
		}
		l.ahead = append(l.ahead, frameStart{start, content})
	}
	l.in = bufio.NewReaderSize(f, 64<<10)
	l.line, l.offset = 1, int64(len(b))
	return b[:len(b)-1], nil
}

// Close frees what the reader holds. The io.Reader is the caller's.
func (l *Reader) Close() {
	if l.frames != nil {
		l.frames.close()
	}
}

// Header is the log's first line.
func (l *Reader) Header() *harness.SessionHeaderLine { return l.header }

// Tail is the torn end of the log; nil: it has none, or has not been reached.
func (l *Reader) Tail() *Tail { return l.tail }

// Encoding is how the log's text lies in its file.
func (l *Reader) Encoding() Encoding { return l.encoding }

// HeaderLine is the log's first line as it was read, without its end: what a copy
// writes.
func (l *Reader) HeaderLine() []byte { return l.headLine }

// Line is the number of the line that the last row was read from; the header's is
// 1.
func (l *Reader) Line() int64 { return l.line }

// Seq is the sequence that the next row should have: how many have been read.
func (l *Reader) Seq() int64 { return l.next }

// Rows yields the rows that have not been read. An error is the last that it
// yields.
func (l *Reader) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for {
			r, err := l.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// Next returns the next event, which is valid until the one after it. Events that
// are not known are returned too; if one may not be skipped, the end is an
// IncompatibleError instead of io.EOF. Other errors: DamagedError, SizeError, and
// what the io.Reader returns.
func (l *Reader) Next() (Row, error) {
	if len(l.expanded) > 0 {
		r := l.expanded[0]
		l.expanded = l.expanded[1:]
		l.next++
		return r, nil
	}
	if l.err != nil {
		return Row{}, l.err
	}
	row, err := l.advance()
	if err != nil {
		l.err = l.ended(err)
		return Row{}, l.err
	}
	return row, nil
}

// ended is what the reading ends with after err.
func (l *Reader) ended(err error) error {
	if len(l.blockers) == 0 {
		return err
	}
	blocked := &IncompatibleError{Version: int(l.header.Version), Newest: Newest, Blockers: l.blockers, More: l.more}
	if errors.Is(err, io.EOF) {
		return blocked
	}
	return errors.Join(err, blocked)
}

var errUnended = errors.New("the last line has no end")

func (l *Reader) advance() (Row, error) {
	start := l.offset
	line, err := l.read(l.max)
	l.enter(start)
	switch {
	case errors.Is(err, errUnended):
		return Row{}, l.broken(Row{Seq: -1}, start, err)
	case err != nil:
		return Row{}, l.finish(start, err)
	}
	row, err := l.decode(line)
	if err != nil {
		return Row{}, l.broken(row, start, err)
	}
	l.inFrame++
	l.next++
	if !row.Ignorable && !l.parser.understood(row.Type) {
		if len(l.blockers) < maxBlockers {
			l.blockers = append(l.blockers, Blocker{l.line, row.Seq, row.Type})
		} else {
			l.more++
		}
	}
	return row, nil
}

// decode reads a line's events, and returns the first of them.
func (l *Reader) decode(line []byte) (Row, error) {
	row, err := l.parser.row(line)
	if err != nil {
		return row, err
	}
	if row.Seq != l.next {
		return row, fmt.Errorf("the row has sequence %d instead of %d", row.Seq, l.next)
	}
	if !l.parser.isPacked(row.Type) {
		return row, nil
	}
	if l.expanded, err = l.parser.expand(l.expanded[:0], row); err != nil {
		l.expanded = nil
		return row, err
	}
	row = l.expanded[0]
	l.expanded = l.expanded[1:]
	return row, nil
}

// enter goes to the frame in which the text at an offset begins.
func (l *Reader) enter(offset int64) {
	for len(l.ahead) > 0 && l.ahead[0].text <= offset {
		l.current = l.ahead[0]
		l.ahead = append(l.ahead[:0], l.ahead[1:]...)
		l.inFrame = 0
	}
}

// finish ends the reading where no row begins any more.
func (l *Reader) finish(offset int64, err error) error {
	if !errors.Is(err, io.EOF) || l.frames == nil || !l.frames.cut {
		return err
	}
	if l.frames.start != l.current.file {
		l.inFrame = 0 // nothing of the frame was read
	}
	l.tail = &Tail{Offset: l.frames.start, Line: l.line, Recovered: l.inFrame, Reason: "the last frame is cut off"}
	return io.EOF
}

// broken ends the reading at a row that cannot be read, and looks at what follows:
// with a turn's end in it, or in a frame that is whole, it is damage, and otherwise
// a torn tail.
func (l *Reader) broken(row Row, offset int64, reason error) error {
	line, frame, rows := l.line, l.current, l.inFrame
	committed := row.Type == harness.EventTypeTurnEnd
	lost := appendTurn(nil, row)
	err := error(nil)
	for text := []byte(nil); ; {
		if text, err = l.read(l.max); err != nil {
			break
		}
		if later, bad := l.parser.row(text); bad == nil && later.Type == harness.EventTypeTurnEnd {
			committed = true
			lost = appendTurn(lost, later)
		}
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, errUnended) {
		return err
	}
	at := offset
	if l.frames != nil {
		at = frame.file
	}
	torn := !committed
	if l.frames != nil {
		// Rows of the last frame alone may be torn, and only if it is cut off.
		torn = torn && l.frames.cut && l.frames.start == frame.file
	}
	if torn {
		l.tail = &Tail{Offset: at, Line: line, Reason: reason.Error()}
		if l.frames != nil {
			l.tail.Recovered = rows
		}
		return io.EOF
	}
	damage := l.damaged(line, at, reason.Error())
	damage.Expected, damage.Found, damage.CommittedAfter = l.next, row.Seq, committed
	damage.LostTurns = lost
	return damage
}

// appendTurn appends the turn that a row ends, if it does.
func appendTurn(list []int64, r Row) []int64 {
	if r.Type != harness.EventTypeTurnEnd || len(list) >= maxLost {
		return list
	}
	var end struct {
		Turn int64 `json:"turn"`
	}
	if json.Unmarshal(r.Data, &end) != nil {
		return list
	}
	return append(list, end.Turn)
}

func (l *Reader) damaged(line, offset int64, reason string) *DamagedError {
	return &DamagedError{Line: line, Offset: offset, Expected: -1, Found: -1, Reason: reason}
}

// read reads a line of at most limit bytes, without its end, and counts it. It
// is valid until the next one. At the end of the text it is io.EOF, and after a
// last line without an end errUnended.
func (l *Reader) read(limit int) ([]byte, error) {
	line, err := l.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		l.long = l.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) && len(l.long) <= limit {
			l.long = append(l.long, line...)
			line, err = l.in.ReadSlice('\n')
		}
		l.long = append(l.long, line...)
		line = l.long
	}
	l.offset += int64(len(line))
	switch {
	case len(line) > limit+1:
		return nil, &SizeError{Line: l.line + 1, Max: limit}
	case errors.Is(err, io.EOF) && len(line) == 0:
		l.line++
		return nil, io.EOF
	case errors.Is(err, io.EOF):
		l.line++
		return nil, errUnended
	case err != nil:
		return nil, err
	}
	l.line++
	line = line[:len(line)-1]
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1] // some files have passed through an editor
	}
	return line, nil
}
