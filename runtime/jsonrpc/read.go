// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/accordkit/accord/runtime/codec"
)

// cancelMethod abandons a request, in both directions, between peers that
// negotiated.
const cancelMethod = "$/cancel_request"

// requestSlab is how many requests are allocated at once.
const requestSlab = 32

// envelope are the members of a message, in the order in which they are
// written. All may be null, and this package distinguishes it from absence.
var envelope = codec.NewMembers(
	codec.Nullish("jsonrpc"),
	codec.Nullish("id"),
	codec.Nullish("method"),
	codec.Nullish("params"),
	codec.Nullish("result"),
	codec.Nullish("error"),
)

// message is what one line says, before it is known what it is.
type message struct {
	version bool // jsonrpc is "2.0"

	hasID bool // the member is there
	badID bool // it is neither string nor number
	id    ID

	hasMethod bool // the member is there
	badMethod bool // it is not a string
	op        Op
	method    string

	params    []byte // as written; nil: absent
	badParams bool   // not an object
	misfit    bool   // not as the method wants them
	decoded   bool   // value is that of the last op and the last params
	value     any
	invalid   error   // why not
	mended    []error // what is wrong with members that were taken for missing ones

	hasResult bool   // the member is there
	result    []byte // as written
	hasFault  bool   // the member error is there
	fault     []byte // as written
}

// reader is what the goroutine that reads uses.
type reader struct {
	dec     codec.Decoder // the line
	inner   codec.Decoder // parts of it, once more
	strings codec.Interner
	names   []string // of methods, by Op
	last    begun    // the last message that fast read
	slab    []Request
	current *Request // being dispatched
	note    Notification
	message message
	lines   uint64 // not counted yet
	bytes   uint64
	corked  bool
	untold  int // reads since the last drain
	answers int // responses since anything else came
}

// readsUntold is after how many reads at most it is notified of what they
// brought.
const readsUntold = 4

// read handles lines until the input ends or the connection is closed.
func (c *Conn) read() error {
	defer c.drain()
	tick := time.NewTimer(leadTick)
	defer tick.Stop()
	for !c.lines(nil) {
		c.rest(tick)
	}
	if c.in.err != nil && !c.stopped.Load() {
		return c.in.err
	}
	return ErrClosed
}

// lines handles lines: for Serve's goroutine until the input ends, which it
// reports, or callers may read; for a call until it has its answer, or reading is
// Serve's again.
func (c *Conn) lines(call *Call) (ended bool) {
	for !c.stopped.Load() {
		line := c.in.next()
		if line == nil {
			if call != nil {
				return false
			}
			continue
		}
		if line.kind == lineEnd {
			if call != nil {
				return false // Serve's goroutine finds it, too
			}
			if len(trim(line.text, false)) > 0 {
				c.report(Diagnostic{Kind: UnterminatedLine, Bytes: line.size})
			}
			c.uncork()
			return true
		}
		c.cork()
		if line.kind == lineOver {
			c.tooLong(line)
		} else if text := trim(line.text, c.Strict()); len(text) > 0 {
			c.rd.lines++
			c.rd.bytes += uint64(line.size) + 1
			c.handle(text)
		}
		if c.in.buffered() {
			continue
		}
		c.uncork()
		// In a flood those who wait for messages are not notified after each read.
		if c.rd.untold++; c.rd.untold == readsUntold || !c.in.more() {
			c.drain()
		}
		if call == nil {
			c.pause()
			if c.alone() {
				return false
			}
		} else if len(call.done) > 0 || c.rd.answers == 0 || c.out.owesTooMuch() != nil {
			return false
		}
	}
	return true
}

// drain reports that all lines so far have been handled.
func (c *Conn) drain() {
	c.rd.untold = 0
	c.count()
	if c.drained != nil {
		c.drained()
	}
}

// count publishes what was read since it was called last.
func (c *Conn) count() {
	if c.rd.lines > 0 {
		c.counts.linesIn.Add(c.rd.lines)
		c.counts.bytesIn.Add(c.rd.bytes)
		c.rd.lines, c.rd.bytes = 0, 0
	}
}

// cork has answers gather while more lines are there to be handled.
func (c *Conn) cork() {
	if more := c.in.buffered(); more != c.rd.corked {
		c.rd.corked = more
		c.out.cork(more)
	}
}

func (c *Conn) uncork() {
	c.rd.corked = false
	c.out.uncork()
}

// pause stops reading while the peer does not take its answers. Only answers
// count, so two ends of this kind cannot wait for each other because of what
// else they send.
func (c *Conn) pause() {
	for {
		room := c.out.owesTooMuch()
		if room == nil {
			return
		}
		select {
		case <-room:
		case <-c.out.broken:
			return
		case <-c.closed:
			return
		}
	}
}

// handle reads one line and acts on it. It survives a handler that panics.
func (c *Conn) handle(line []byte) {
	defer func() {
		if v := recover(); v != nil {
			c.panicked(v)
		}
		if len(line) > readBuffer { // a connection at rest keeps nothing of it
			c.rd.message, c.rd.dec = message{}, codec.Decoder{}
		}
	}()
	strict := c.Strict()
	m := &c.rd.message
	*m = message{}
	var err error
	if !c.fast(m, line, strict) {
		err = c.parse(m, line, strict)
	}
	if err != nil {
		c.refuse(m, line, err, strict)
		return
	}
	size, kindOf := int64(len(line)), c.tolerantKind
	if strict {
		kindOf = c.strictKind
	}
	switch kind := kindOf(m, size); kind {
	case isRequest:
		r := c.request(m, strict)
		if r == nil {
			return
		}
		c.rd.current = r
		c.handler.Request(r)
		c.rd.current = nil
		if r.Params, r.Raw = nil, nil; !r.answered.Load() {
			c.list(r)
		}
	case isNotification:
		c.notification(m, size)
	case isCancel:
		c.cancelled(m, size)
	case isResult, isError:
		c.response(m, size, kind == isError)
	}
}

func (c *Conn) panicked(v any) {
	r := c.rd.current
	c.rd.current = nil
	if r != nil {
		r.panicked(v)
		return
	}
	c.report(Diagnostic{Kind: HandlerPanic, Err: fmt.Errorf("handler panicked: %v\n%s", v, debug.Stack())})
}

// parse reads the line in one pass: params go straight into their type when
// the method came before them.
func (c *Conn) parse(m *message, line []byte, strict bool) error {
	err := c.scan(&c.rd.dec, m, line, strict, true)
	if m.misfit {
		// Params are not as they should be, which ended the pass. What else
		// the line says is still to be read.
		err = c.scan(&c.rd.dec, m, line, strict, false)
	}
	if err == nil {
		c.late(m, strict)
	}
	return err
}

// scan reads the members of the envelope. The error is a *codec.Error about
// the text, or a *Fault; with m.misfit set it is about params.
func (c *Conn) scan(d *codec.Decoder, m *message, line []byte, strict, decode bool) error {
	*m = message{}
	c.prepare(d, line, strict, 0)
	if d.Peek() != '{' {
		d.Skip()
		if d.End(); d.Err() != nil {
			return d.Err()
		}
		return &Fault{Kind: RequestFault, Detail: "a message is one object; batches are not served"}
	}
	for d.Struct(envelope); d.More(); {
		switch string(d.Key()) {
		case "jsonrpc":
			if d.Peek() == '"' {
				m.version = string(d.StringBytes()) == "2.0"
			} else {
				d.Skip()
			}
		case "id":
			m.id, m.badID = ID{}, true
			if raw := d.RawBorrowed(); d.Err() == nil && d.Offset() < len(line) {
				m.hasID = true
				c.readID(m, raw, strict)
			}
		case "method":
			m.hasMethod = true
			if m.badMethod = d.Peek() != '"'; m.badMethod {
				d.Skip()
			} else if name := d.StringBytes(); d.Err() == nil {
				m.op = c.handler.Lookup(name)
				m.method = c.name(m.op, name)
			}
		case "params":
			c.scanParams(d, m, line, decode)
			if m.misfit {
				return d.Err()
			}
		case "result":
			m.hasResult = true
			m.result = d.RawBorrowed()
		case "error":
			// Encoders that write null for what is absent write it next to a result.
			m.fault = d.RawBorrowed()
			m.hasFault = string(m.fault) != "null"
		default:
			d.Skip()
		}
	}
	if m.hasFault && string(m.result) == "null" {
		m.hasResult, m.result = false, nil
	}
	d.End()
	return d.Err()
}

func (c *Conn) readID(m *message, raw []byte, strict bool) {
	id, ok := ParseID(raw)
	if !ok || strict && !id.exact() {
		return
	}
	if !strict {
		id = id.sanitised()
	}
	m.id, m.badID = id, false
}

// scanParams reads params in place if their type is known by now, and else
// passes over them.
func (c *Conn) scanParams(d *codec.Decoder, m *message, line []byte, decode bool) {
	first := d.Peek()
	m.badParams = first != '{' && (first != 'n' || c.Strict())
	start := d.Offset()
	m.decoded, m.value = false, nil
	if !decode || first != '{' || m.op == 0 || m.badMethod {
		d.Skip()
		m.params = line[start:d.Offset()]
		return
	}
	m.value = c.handler.Params(m.op, d)
	m.decoded = true
	if err := d.Err(); err != nil {
		var wrong *codec.Error
		m.misfit = errors.As(err, &wrong) && !wrong.Kind.OfText()
		return
	}
	m.decoded = d.Lacking() == nil
	m.params = line[start:d.Offset()]
}

// late reads params that came before their method, and once more those that
// are not as they should be: from here on paths begin below params. Params that
// are not there are {}. A request can be refused; a notification cannot, and is
// handed on without the members that cannot be read.
func (c *Conn) late(m *message, strict bool) {
	if m.badParams {
		m.invalid = &Fault{Kind: ParamsFault, Detail: "params must be an object"}
		return
	}
	if string(m.params) == "null" {
		m.params = nil
	}
	if m.decoded || m.op == 0 || m.badMethod {
		return
	}
	d := &c.rd.inner
	params := m.params
	if params == nil {
		params = []byte("{}")
	}
	c.prepare(d, params, strict, 1)
	d.Mend = !m.hasID || m.badID
	m.value = c.handler.Params(m.op, d)
	for err := d.Err(); err != nil; err = d.Err() {
		if !d.Mended() {
			m.invalid = err
			break
		}
		m.mended = append(m.mended, err)
		m.value = c.handler.Params(m.op, d)
	}
	if m.invalid == nil {
		m.invalid = d.Lacking()
	}
	m.decoded, d.Mend = true, false
}

// name is the method's name, from a table if the handler knows it.
func (c *Conn) name(op Op, name []byte) string {
	if op == 0 {
		return string(name)
	}
	if int(op) >= len(c.rd.names) {
		c.rd.names = append(c.rd.names, make([]string, int(op)+1-len(c.rd.names))...)
	}
	if known := &c.rd.names[op]; *known != string(name) {
		*known = string(name)
	}
	return c.rd.names[op]
}

// refuse deals with a line that is no message.
func (c *Conn) refuse(m *message, line []byte, err error, strict bool) {
	kind, fault := InvalidMessage, &Fault{Kind: RequestFault, Err: err}
	id := ID{}
	var text *codec.Error
	if !errors.As(err, &text) {
		_ = errors.As(err, &fault)
	} else {
		switch text.Kind {
		case codec.Duplicate:
			kind, fault.Detail = DuplicateMember, text.Path+" comes twice in one object: send it once"
		case codec.Depth:
			kind, fault.Kind, fault.Limit, fault.Value = TooDeep, LimitFault, LimitDepth, int64(c.limits.Depth)
			fault.Detail = "the message nests too deep"
			if m.hasID && !m.badID {
				id = m.id
			}
		default:
			kind, fault.Kind = MalformedLine, ParseFault
		}
	}
	c.report(Diagnostic{Kind: kind, ID: id, Bytes: int64(len(line)), Err: err})
	if c.spoiled(line, err) && kind != MalformedLine {
		return
	}
	if strict || kind == TooDeep && !id.IsZero() {
		c.refuseID(id, fault)
	}
}

// deepest is how deep a line that is refused may nest to be looked at once more.
const deepest = 10000

// spoiled reports whether a line that is no message was to be a response. The
// call that it answers fails: no other answer will come.
func (c *Conn) spoiled(line []byte, err error) bool {
	var id ID
	identified, method, answer := false, false, false
	d := &c.rd.inner
	c.prepare(d, line, false, c.limits.Depth-deepest)
	if d.Peek() != '{' {
		return false
	}
	for d.Object(); d.More(); {
		switch string(d.Key()) {
		case "id":
			if raw := d.RawBorrowed(); d.Err() == nil && d.Offset() < len(line) {
				id, identified = ParseID(raw)
			}
			continue
		case "method":
			method = true
		case "result", "error":
			answer = true
		}
		d.Skip()
	}
	if method || !answer {
		return false
	}
	if identified {
		c.failResponse(id, err)
	}
	return true
}

// refuseID answers a line that became no request.
func (c *Conn) refuseID(id ID, fault error) {
	code, message, data := c.encode(fault, c.Strict())
	_ = c.out.answer(nil, func(b []byte) []byte { return appendError(b, id, code, message, data) })
}

// tooLong deals with a line over the limit, of which only the beginning is
// there.
func (c *Conn) tooLong(line *inputLine) {
	c.rd.lines++
	c.rd.bytes += uint64(line.size) + 1
	var m message
	_ = c.scan(&c.rd.dec, &m, trim(line.text, false), false, false)
	id := ID{}
	if m.hasID && !m.badID {
		id = m.id
	}
	fault := &Fault{Kind: LimitFault, Limit: LimitLine, Value: int64(c.limits.Line), Detail: "the line is longer than the line limit"}
	if !m.hasMethod && (m.hasResult || m.hasFault) {
		c.report(Diagnostic{Kind: ResponseTooLong, ID: id, Bytes: line.size, Err: fault})
		return
	}
	c.report(Diagnostic{Kind: LineTooLong, ID: id, Bytes: line.size, Err: fault})
	if c.Strict() || m.hasMethod && !id.IsZero() {
		c.refuseID(id, fault)
	}
}
