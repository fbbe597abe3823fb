// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"context"
	"io"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/codec"
)

// The payloads of the benchmarks: a call by id, and an event of a session.
type stop struct{ SessionID string }

type stopped struct{ Cancelled bool }

func (v *stop) AppendJSON(b []byte) []byte {
	b = append(b, `{"sessionId":`...)
	return append(codec.AppendString(b, v.SessionID), '}')
}

func (v *stopped) AppendJSON(b []byte) []byte {
	return append(codec.AppendBool(append(b, `{"cancelled":`...), v.Cancelled), '}')
}

type chunk struct {
	SessionID string
	Seq, Time int64
	Type      string
	Text      string
}

func (v *chunk) AppendJSON(b []byte) []byte {
	b = append(b, `{"sessionId":`...)
	b = codec.AppendString(b, v.SessionID)
	b = append(b, `,"event":{"seq":`...)
	b = codec.AppendInt(b, v.Seq)
	b = append(b, `,"time":`...)
	b = codec.AppendInt(b, v.Time)
	b = append(b, `,"type":`...)
	b = codec.AppendString(b, v.Type)
	b = append(b, `,"data":{"turn":1,"step":1,"index":0,"text":`...)
	b = codec.AppendString(b, v.Text)
	return append(b, `}}}`...)
}

var (
	stopMembers    = codec.NewMembers(codec.Required("sessionId"))
	stoppedMembers = codec.NewMembers(codec.Required("cancelled"))
	chunkMembers   = codec.NewMembers(codec.Required("sessionId"), codec.Required("event"))
	eventMembers   = codec.NewMembers(codec.Required("seq"), codec.Required("time"), codec.Required("type"), codec.Required("data"))
	dataMembers    = codec.NewMembers(codec.Required("turn"), codec.Required("step"), codec.Required("index"), codec.Required("text"))
)

func (v *stop) decode(d *codec.Decoder) {
	for d.Struct(stopMembers); d.More(); {
		switch string(d.Key()) {
		case "sessionId":
			v.SessionID = d.String()
		default:
			d.Skip()
		}
	}
}

func (v *stopped) decode(d *codec.Decoder) {
	for d.Struct(stoppedMembers); d.More(); {
		switch string(d.Key()) {
		case "cancelled":
			v.Cancelled = d.Bool()
		default:
			d.Skip()
		}
	}
}

func (v *chunk) decode(d *codec.Decoder) {
	for d.Struct(chunkMembers); d.More(); {
		switch string(d.Key()) {
		case "sessionId":
			v.SessionID = d.Shared()
		case "event":
			for d.Struct(eventMembers); d.More(); {
				switch string(d.Key()) {
				case "seq":
					v.Seq = d.Int64()
				case "time":
					v.Time = d.Int64()
				case "type":
					v.Type = d.Shared()
				case "data":
					for d.Struct(dataMembers); d.More(); {
						if string(d.Key()) == "text" {
							v.Text = d.String()
						} else {
							d.Skip()
						}
					}
				default:
					d.Skip()
				}
			}
		default:
			d.Skip()
		}
	}
}

const (
	opStop Op = iota + 1
	opStart
	opChunk
)

// side is both halves of the benchmarks' protocol.
type side struct {
	lane   *Lane
	want   int64
	seen   int64
	done   chan struct{}
	credit chan struct{} // one for each window of events that may be on its way
	chunk  chunk
}

// window is how many events are sent on one credit.
const window = 1024

func (*side) Lookup(method []byte) Op {
	switch string(method) {
	case "session/cancel":
		return opStop
	case "start":
		return opStart
	case "session.event":
		return opChunk
	}
	return 0
}

func (s *side) Params(op Op, d *codec.Decoder) any {
	switch op {
	case opStop:
		v := new(stop)
		v.decode(d)
		return v
	case opChunk:
		s.chunk.decode(d)
		return &s.chunk
	}
	v := new(params)
	v.decode(d)
	return v
}

var yes = &stopped{Cancelled: true}

func (s *side) Request(r *Request) {
	switch r.Op {
	case opStop:
		r.Reply(yes)
	case opStart:
		n := r.Params.(*params).N
		r.Go(func(context.Context) {
			v := chunk{SessionID: "0d1ef3b8-5b1e-4c5a-9d6e-6a1d0f6f2a11", Type: "assistant/chunk", Text: "the quick brown fox jumps over the lazy d"}
			append := func(b []byte) []byte { return AppendNotification(b, "session.event", v.AppendJSON) }
			for i := range n {
				v.Seq, v.Time = i, 1795990899437
				if i%window == 0 {
					<-s.credit
				}
				s.lane.Event(i, 0, append)
			}
			r.Reply(yes)
		})
	}
}

func (s *side) Notification(*Notification) {
	if s.seen++; s.seen == s.want {
		s.done <- struct{}{}
	}
	if s.seen%window == 0 {
		s.credit <- struct{}{}
	}
}

// transports are the pairs of pipes that the benchmarks run over.
var transports = map[string]func(b *testing.B) (r1 io.Reader, w1 io.Writer, r2 io.Reader, w2 io.Writer){
	"io.Pipe": func(*testing.B) (io.Reader, io.Writer, io.Reader, io.Writer) {
		abR, abW := io.Pipe()
		baR, baW := io.Pipe()
		return baR, abW, abR, baW
	},
	"os.Pipe": func(b *testing.B) (io.Reader, io.Writer, io.Reader, io.Writer) {
		abR, abW, err := os.Pipe()
		require.NoError(b, err)
		baR, baW, err := os.Pipe()
		require.NoError(b, err)
		return baR, abW, abR, baW
	},
}

func overPipes(b *testing.B, run func(b *testing.B, client *Conn, c, s *side)) {
	for name, open := range transports {
		b.Run(name, func(b *testing.B) {
			r1, w1, r2, w2 := open(b)
			credit := make(chan struct{}, 4)
			credit <- struct{}{}
			credit <- struct{}{}
			c, s := &side{done: make(chan struct{}, 1), credit: credit}, &side{credit: credit}
			client := NewConn(r1, w1, Config{Handler: c, Strict: true})
			server := NewConn(r2, w2, Config{Handler: s, Strict: true, Limits: Limits{Lane: 8 << 20}})
			s.lane = server.NewLane(nil)
			var wg sync.WaitGroup
			wg.Go(func() { _ = client.Serve(context.Background()) })
			wg.Go(func() { _ = server.Serve(context.Background()) })
			b.ReportAllocs()
			b.ResetTimer()
			run(b, client, c, s)
			b.StopTimer()
			_ = client.Close()
			_ = server.Close()
			wg.Wait()
		})
	}
}

func cancel(ctx context.Context, conn *Conn, params *stop) error {
	call := conn.Begin("session/cancel")
	call.Buf = params.AppendJSON(call.Buf)
	err := call.Send(ctx)
	if err == nil {
		var v stopped
		v.decode(call.Result())
		err = call.Result().Err()
	}
	call.Release()
	return err
}

func BenchmarkRoundTrip(b *testing.B) {
	overPipes(b, func(b *testing.B, client *Conn, _, _ *side) {
		ctx, end := context.WithCancel(context.Background())
		defer end()
		p := &stop{SessionID: "0d1ef3b8-5b1e-4c5a-9d6e-6a1d0f6f2a11"}
		for range b.N {
			if err := cancel(ctx, client, p); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func Benchmark64Callers(b *testing.B) {
	overPipes(b, func(b *testing.B, client *Conn, _, _ *side) {
		ctx, end := context.WithCancel(context.Background())
		defer end()
		b.SetParallelism(64)
		b.RunParallel(func(pb *testing.PB) {
			p := &stop{SessionID: "0d1ef3b8-5b1e-4c5a-9d6e-6a1d0f6f2a11"}
			for pb.Next() {
				if err := cancel(ctx, client, p); err != nil {
					b.Error(err)
					return
				}
			}
		})
	})
}

func BenchmarkStream(b *testing.B) {
	overPipes(b, func(b *testing.B, client *Conn, c, _ *side) {
		c.want = int64(b.N)
		call := client.Begin("start")
		call.Buf = (&params{N: int64(b.N)}).AppendJSON(call.Buf)
		if err := call.Send(context.Background()); err != nil {
			b.Fatal(err)
		}
		call.Release()
		<-c.done
	})
}
