// SPDX-License-Identifier: Apache-2.0

package log

import (
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// encoder makes frames; it may be used from several goroutines and has none.
var encoder = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2), zstd.WithEncoderCRC(true))
	if err != nil {
		panic(err) // an option is wrong
	}
	return e
})

// AppendBatch appends text to b as it lies in a file: whole lines with their ends,
// which one write adds to the log. The header is a batch of its own.
func AppendBatch(b []byte, e Encoding, text []byte) []byte {
	if e == Raw {
		return append(b, text...)
	}
	return encoder().EncodeAll(text, b)
}

// Rows of ours. DSH keeps rows that are ignorable, skips them, and sends them to its
// provider like the others: no secrets in them.
const (
	TypeOwner   = "plugin:accord/owner"   // a process begins to write
	TypeReceipt = "plugin:accord/receipt" // a prompt was accepted under a key
	TypePartial = "plugin:accord/partial" // text of a message that is not finished
)

// Owner is the data of a TypeOwner row.
type Owner struct {
	Epoch int64  // counts the processes that wrote the session, from 1
	PID   int64  // of the process
	Host  string // it ran on
}

// Row is the row of o.
func (o Owner) Row(seq, time int64) Row {
	b := codec.AppendInt([]byte(`{"epoch":`), o.Epoch)
	b = codec.AppendInt(append(b, `,"pid":`...), o.PID)
	b = codec.AppendString(append(b, `,"host":`...), o.Host)
	return Row{Type: TypeOwner, Seq: seq, Time: time, Data: append(b, '}'), Ignorable: true}
}

// Receipt is the data of a TypeReceipt row, which precedes the row that puts the
// message into the inbox.
type Receipt struct {
	Key         string            // the idempotency key
	Fingerprint string            // of the params: the same key with others is refused
	MessageID   harness.MessageID // that the receipt names
}

// Row is the row of r.
func (r Receipt) Row(seq, time int64) Row {
	b := codec.AppendString([]byte(`{"key":`), r.Key)
	b = codec.AppendString(append(b, `,"fingerprint":`...), r.Fingerprint)
	b = codec.AppendString(append(b, `,"messageId":`...), string(r.MessageID))
	return Row{Type: TypeReceipt, Seq: seq, Time: time, Data: append(b, '}'), Ignorable: true}
}

// Partial is the data of a TypePartial row: a piece of an answer, written before
// the answer is finished. Pieces of one step follow each other.
type Partial struct {
	Turn, Step int64
	Text       string
}

// Row is the row of p.
func (p Partial) Row(seq, time int64) Row {
	b := codec.AppendInt([]byte(`{"turn":`), p.Turn)
	b = codec.AppendInt(append(b, `,"step":`...), p.Step)
	b = codec.AppendString(append(b, `,"text":`...), p.Text)
	return Row{Type: TypePartial, Seq: seq, Time: time, Data: append(b, '}'), Ignorable: true}
}

// Ours reads the data of a row that Owner, Receipt or Partial wrote: a pointer to
// one of them; nil: it is none.
func Ours(r Row) any {
	var o Owner
	var k Receipt
	var p Partial
	d := codec.Decoder{Lax: true, MaxDepth: maxDepth}
	d.Reset(r.Data)
	object(&d, func(key string) {
		switch key {
		case "epoch":
			o.Epoch = number(&d)
		case "pid":
			o.PID = number(&d)
		case "host":
			o.Host = text(&d)
		case "key":
			k.Key = text(&d)
		case "fingerprint":
			k.Fingerprint = text(&d)
		case "messageId":
			k.MessageID = harness.MessageID(text(&d))
		case "turn":
			p.Turn = number(&d)
		case "step":
			p.Step = number(&d)
		case "text":
			p.Text = text(&d)
		default:
			d.Skip()
		}
	})
	switch {
	case d.Err() != nil || !r.Ignorable:
		return nil
	case r.Type == TypeOwner:
		return &o
	case r.Type == TypeReceipt:
		return &k
	case r.Type == TypePartial:
		return &p
	}
	return nil
}
