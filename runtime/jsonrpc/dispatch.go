// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import "errors"

// messageKind is what a message is.
type messageKind uint8

const (
	noMessage messageKind = iota // what it is was reported
	isRequest
	isNotification
	isCancel
	isResult
	isError
)

// strictKind returns what a message of a peer that negotiated is. What is none is
// refused.
func (c *Conn) strictKind(m *message, size int64) messageKind {
	if !m.hasMethod {
		return c.strictResponse(m, size)
	}
	detail := ""
	switch {
	case !m.version:
		detail = `jsonrpc must be "2.0"`
	case m.hasID && m.badID:
		detail = "id must be a string or an integer"
	case m.badMethod:
		detail = "method must be a string"
	case m.hasResult || m.hasFault:
		detail = "a message has a method, a result or an error"
	case m.hasID:
		return isRequest
	case m.method == cancelMethod:
		return isCancel
	default:
		return isNotification
	}
	c.report(Diagnostic{Kind: InvalidMessage, ID: m.id, Bytes: size})
	c.refuseID(m.id, &Fault{Kind: RequestFault, Detail: detail})
	return noMessage
}

// strictResponse is strictKind of a message without a method.
func (c *Conn) strictResponse(m *message, size int64) messageKind {
	detail := "a response has a result or an error"
	switch {
	case !m.hasID && !m.hasResult && !m.hasFault:
		c.report(Diagnostic{Kind: InvalidMessage, Bytes: size})
		c.refuseID(ID{}, &Fault{Kind: RequestFault, Detail: "a message has a method, a result or an error"})
		return noMessage
	case m.hasID && m.badID && m.hasFault && !m.hasResult:
		c.report(Diagnostic{Kind: PeerRefused, Bytes: size})
		return noMessage
	case !m.hasID || m.badID:
		c.report(Diagnostic{Kind: MalformedResponse, Bytes: size})
		return noMessage
	case m.hasResult && m.hasFault:
		detail += ", and not both"
	case !m.version:
		detail = `jsonrpc must be "2.0"`
	case m.hasFault:
		return isError
	case m.hasResult:
		return isResult
	}
	err := errors.New(detail)
	c.report(Diagnostic{Kind: MalformedResponse, ID: m.id, Bytes: size, Err: err})
	c.failResponse(m.id, err)
	return noMessage
}

// tolerantKind returns what a message of a peer that never negotiated is.
func (c *Conn) tolerantKind(m *message, size int64) messageKind {
	identified := m.hasID && !m.badID
	named := m.hasMethod && !m.badMethod
	switch {
	case identified && named:
		return isRequest
	case identified && len(m.fault) > 0 && m.fault[0] == '{':
		return isError
	case identified:
		return isResult
	case named:
		return isNotification
	}
	c.report(Diagnostic{Kind: InvalidMessage, Bytes: size})
	return noMessage
}

// request hands a request to the handler, and keeps it in the table if it is
// not answered at once.
func (c *Conn) request(m *message, strict bool) *Request {
	c.rd.answers = 0
	reused, full := c.inFlight(m.id.key())
	if strict && reused {
		c.report(Diagnostic{Kind: ReusedID, Method: c.known(m), ID: m.id})
		c.refuseID(m.id, &Fault{Kind: RequestFault, Detail: "the id is that of a request in flight"})
		return nil
	}
	if full {
		c.report(Diagnostic{Kind: Overloaded, Method: c.known(m), ID: m.id})
		c.refuseID(m.id, &Fault{Kind: OverloadFault})
		return nil
	}
	if len(c.rd.slab) == 0 {
		c.rd.slab = make([]Request, requestSlab)
	}
	r := &c.rd.slab[0]
	c.rd.slab = c.rd.slab[1:]
	r.Op, r.Method, r.ID, r.Params, r.Err, r.conn = m.op, m.method, m.id, m.value, m.invalid, c
	r.Raw = m.params
	return r
}

// list keeps a request that was not answered where it was read, to be withdrawn.
func (c *Conn) list(r *Request) {
	key := r.ID.key()
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, taken := c.requests[key]; !taken && !r.answered.Load() {
		c.requests[key] = r
		r.listed = true
	}
}

// inFlight reports whether a request with that id is pending, and whether so many
// are that no other may be.
func (c *Conn) inFlight(key ID) (found, full bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, found = c.requests[key]
	return found, len(c.requests) >= c.limits.Requests
}

// known is the method's name if it is one of the protocol.
func (c *Conn) known(m *message) string {
	if m.op == 0 {
		return ""
	}
	return m.method
}

func (c *Conn) notification(m *message, size int64) {
	c.rd.answers = 0
	if m.op == 0 {
		c.report(Diagnostic{Kind: UnknownMethod, Bytes: size})
		return
	}
	for _, err := range m.mended {
		c.report(Diagnostic{Kind: InvalidMember, Method: m.method, Bytes: size, Err: err})
	}
	if m.invalid != nil {
		c.report(Diagnostic{Kind: InvalidParams, Method: m.method, Bytes: size, Err: m.invalid})
	}
	n := &c.rd.note
	n.Op, n.Method, n.Params, n.Err, n.Raw, n.Bytes, n.Conn = m.op, m.method, m.value, m.invalid, m.params, size, c
	c.handler.Notification(n)
	n.Params, n.Err, n.Raw = nil, nil, nil
}

// cancelled is $/cancel_request.
func (c *Conn) cancelled(m *message, size int64) {
	var id ID
	ok := false
	d := &c.rd.inner
	d.Strict, d.Lax, d.MaxDepth = false, false, c.limits.Depth
	d.Reset(m.params)
	for d.Object(); d.More(); {
		if string(d.Key()) == "requestId" {
			id, ok = ParseID(d.RawBorrowed())
		} else {
			d.Skip()
		}
	}
	if !ok || d.Err() != nil {
		c.report(Diagnostic{Kind: InvalidParams, Method: cancelMethod, Bytes: size})
		return
	}
	c.cancelRequest(id)
}

// response hands an answer to the call that waits for it.
func (c *Conn) response(m *message, size int64, failed bool) {
	c.rd.answers++
	call, diagnosis := c.answered(m.id)
	if call == nil {
		c.report(Diagnostic{Kind: diagnosis, ID: m.id, Bytes: size})
		return
	}
	if failed {
		call.err = c.readError(m.fault)
	} else {
		call.answer = append(call.answer[:0], m.result...)
	}
	call.pass()
}

// failResponse fails the call that a response was for which is none.
func (c *Conn) failResponse(id ID, err error) {
	if call, _ := c.answered(id); call != nil {
		call.err = &ResponseError{Err: err}
		call.pass()
	}
}

// readError reads the error member of a response, as much as is there.
func (c *Conn) readError(raw []byte) error {
	e := &Error{Code: CodeInternal, Message: "JSON-RPC error"}
	d := &c.rd.inner
	d.Strict, d.Lax, d.MaxDepth = false, true, c.limits.Depth
	d.Reset(raw)
	if d.Peek() != '{' {
		c.report(Diagnostic{Kind: MalformedResponse})
		return e
	}
	for d.Object(); d.More(); {
		switch key := string(d.Key()); {
		case key == "code" && isNumber(d.Peek()):
			e.Code = int(d.Int64())
		case key == "message" && d.Peek() == '"':
			e.Message = d.String()
		case key == "data":
			e.Data = d.Raw()
		default:
			d.Skip()
		}
	}
	if d.Err() != nil {
		c.report(Diagnostic{Kind: MalformedResponse, Err: d.Err()})
		e.Code = CodeInternal
	}
	return e
}

func isNumber(c byte) bool { return c == '-' || c >= '0' && c <= '9' }
