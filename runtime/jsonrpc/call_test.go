// SPDX-License-Identifier: Apache-2.0

package jsonrpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// link connects two ends by pipes without buffers and serves both.
func link(t testing.TB, a, b Config) (ca, cb *Conn, end func()) {
	t.Helper()
	abR, abW := io.Pipe()
	baR, baW := io.Pipe()
	ca, cb = NewConn(baR, abW, a), NewConn(abR, baW, b)
	var wg sync.WaitGroup
	for _, c := range []*Conn{ca, cb} {
		wg.Go(func() { _ = c.Serve(context.Background()) })
	}
	return ca, cb, func() {
		_ = ca.Close()
		_ = cb.Close()
		wg.Wait()
	}
}

func ask(ctx context.Context, c *Conn, method, text string) (string, error) {
	call := c.Begin(method)
	defer call.Release()
	call.Buf = (&params{Text: text}).AppendJSON(call.Buf)
	if err := call.Send(ctx); err != nil {
		return "", err
	}
	var p params
	p.decode(call.Result())
	return p.Text, call.Result().Err()
}

func TestCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, end := link(t, Config{Handler: &handler{}, Strict: true}, Config{Handler: &handler{}, Strict: true})
		defer end()
		for _, c := range []*Conn{a, b} { // both ends may call
			got, err := ask(context.Background(), c, "echo", "größe\n")
			require.NoError(t, err)
			assert.Equal(t, "größe\n", got)
		}
		_, err := ask(context.Background(), a, "nope", "")
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, &Error{Code: CodeUnknownMethod, Message: "unknown: nope"}, e)
	})
}

func TestCallWithoutParams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		raw := []byte("not asked")
		a, _, end := link(t, Config{}, Config{Handler: &handler{request: func(r *Request) { raw = r.Raw; r.Reply(nil) }}})
		defer end()
		call := a.Begin("echo")
		defer call.Release()
		require.NoError(t, call.Send(context.Background()))
		assert.Nil(t, raw, "none is not the same as {}")
		d := call.Result()
		d.Object()
		assert.False(t, d.More())
		assert.NoError(t, d.Err())
	})
}

func TestManyCallers(t *testing.T) {
	a, b, end := link(t, Config{Handler: &handler{}, Strict: true}, Config{Handler: &handler{}, Strict: true})
	defer end()
	var wg sync.WaitGroup
	for i := range 64 {
		for _, c := range []*Conn{a, b} {
			wg.Go(func() {
				for j := range 50 {
					text := fmt.Sprint(i, " ", j, strings.Repeat("x", i*j))
					got, err := ask(context.Background(), c, "echo", text)
					if !assert.NoError(t, err) || !assert.Equal(t, text, got) {
						return
					}
				}
			})
		}
	}
	wg.Wait()
}

func TestCallerGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &handler{}
		a, b, end := link(t, Config{Strict: true}, Config{Handler: h, Strict: true})
		defer end()
		ctx, cancel := context.WithCancel(context.Background())
		result := make(chan error)
		go func() { _, err := ask(ctx, a, "block", ""); result <- err }()
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-result, context.Canceled)
		synctest.Wait() // the peer was notified, and has answered -32800
		counts := a.Counters()
		assert.EqualValues(t, 1, counts.Of(LateResponse))
		assert.Zero(t, counts.Of(UnknownResponse))
		assert.Empty(t, a.calls)
		assert.Empty(t, b.requests)
		got, err := ask(context.Background(), a, "echo", "still")
		require.NoError(t, err)
		assert.Equal(t, "still", got)
	})
}

func TestTolerantPeersAreNotToldOfGivingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &handler{}
		a, b, end := link(t, Config{}, Config{Handler: h})
		defer end()
		ctx, cancel := context.WithCancel(context.Background())
		result := make(chan error)
		go func() { _, err := ask(ctx, a, "hold", ""); result <- err }()
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-result, context.Canceled)
		synctest.Wait()
		counts := b.Counters()
		assert.Zero(t, counts.Of(UnknownMethod))
		held := h.take()
		require.Len(t, held, 1)
		assert.False(t, held[0].Cancelled())
		held[0].Reply(nil)
	})
}

func TestCancelOfAHeldRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &handler{}
		p := dial(t, Config{Handler: h, Strict: true})
		p.send(call("1", "hold", "{}"), call(`"1"`, "hold", "{}"))
		synctest.Wait()
		held := h.take()
		require.Len(t, held, 2)
		var told []string
		for _, r := range held {
			r.OnCancel(func() { told = append(told, r.ID.String()); r.Fail(r.Context().Err()) })
		}
		p.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"1"}}`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":"1","error":{"code":-32800,"message":"the request was cancelled"}}`, p.next())
		p.send(
			`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"1"}}`, // over: no error
			`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":7}}`,   // unknown: no error
			`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1.0}}`, // the same as 1
		)
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"the request was cancelled"}}`, p.next())
		assert.Equal(t, []string{`"1"`, "1"}, told)
		p.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{}}`, `{"jsonrpc":"2.0","method":"$/cancel_request"}`)
		assert.Empty(t, p.until())
		assert.Equal(t, 2, p.count(InvalidParams))
		assert.NoError(t, p.close())
	})
}

func TestOnCancelAfterwards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &handler{}
		p := dial(t, Config{Handler: h, Strict: true})
		p.send(call("1", "hold", "{}"), `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`)
		synctest.Wait()
		r := h.take()[0]
		told := 0
		r.OnCancel(func() { told++ })
		assert.Equal(t, 1, told, "it was abandoned before")
		assert.Error(t, r.Context().Err())
		r.Reply(&params{Text: "what was accepted is the answer"})
		assert.Equal(t, echoed("1", "what was accepted is the answer"), p.next())
		r.OnCancel(func() { told++ })
		assert.Equal(t, 1, told, "it is answered")
		assert.NoError(t, p.close())
	})
}

func TestReusedID(t *testing.T) { // WP-09
	synctest.Test(t, func(t *testing.T) {
		h := &handler{}
		p := dial(t, Config{Handler: h, Strict: true})
		refused := `{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"the id is that of a request in flight"}}`
		p.send(call("1", "hold", "{}"), call("1", "echo", "{}"))
		assert.Equal(t, fmt.Sprintf(refused, "1"), p.next())
		p.send(call("1.0", "echo", "{}"))
		assert.Equal(t, fmt.Sprintf(refused, "1.0"), p.next())
		p.send(call(`"1"`, "echo", "{}"))
		assert.Equal(t, echoed(`"1"`, ""), p.next(), "another id")
		p.send(call(`"a"`, "hold", "{}"), call(`"\u0061"`, "echo", "{}"))
		assert.Equal(t, fmt.Sprintf(refused, `"\u0061"`), p.next())
		for _, r := range h.take() {
			r.Reply(&params{Text: "first"})
		}
		assert.Equal(t, []string{echoed("1", "first"), echoed(`"a"`, "first")}, []string{p.next(), p.next()})
		p.send(call("1", "echo", "{}"))
		assert.Equal(t, echoed("1", ""), p.next(), "the id is free again")
		assert.Equal(t, 3, p.count(ReusedID))
		assert.NoError(t, p.close())
	})
}

func TestAnsweredTwice(t *testing.T) { // E8
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, Config{Strict: true, Handler: &handler{request: func(r *Request) {
			r.Reply(&params{})
			r.Reply(&params{Text: "again"})
			r.Fail(errors.New("again"))
		}}})
		assert.Empty(t, p.until())
		synctest.Wait() // the answer is there before what comes after it
		assert.Equal(t, 2, p.count(AnsweredTwice))
		assert.NoError(t, p.close())
	})
}

func TestOverload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &handler{}
		p := dial(t, Config{Handler: h, Strict: true, Limits: Limits{InFlight: 2}})
		for id := 1; id <= 4; id++ {
			p.send(call(fmt.Sprint(id), "block", "{}"))
		}
		refused := `{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"too many requests are in flight; try again later"}}`
		assert.Equal(t, fmt.Sprintf(refused, 3), p.next())
		assert.Equal(t, fmt.Sprintf(refused, 4), p.next())
		p.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":2}}`) // is read all the same
		assert.Contains(t, p.next(), `"id":2,"error":{"code":-32800`)
		synctest.Wait()
		p.send(call("5", "block", "{}"), call("6", "block", "{}"))
		assert.Equal(t, fmt.Sprintf(refused, 6), p.next())
		assert.Equal(t, 3, p.count(Overloaded))
		require.NoError(t, p.to.Close())
		for range 2 {
			assert.Contains(t, p.next(), "the connection ended")
		}
		assert.NoError(t, <-p.ended)
	})
}

func TestPanicInAGoroutine(t *testing.T) { // WP-17
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, Config{Strict: true, Handler: &handler{request: func(r *Request) {
			r.Go(func(context.Context) {
				if r.Method == "boom" {
					panic("secret")
				}
				r.Reply(&params{})
			})
		}}})
		p.send(call("1", "boom", "{}"))
		assert.Equal(t, internal, p.next())
		assert.Empty(t, p.until())
		require.Len(t, p.diags, 1)
		assert.Equal(t, HandlerPanic, p.diags[0].Kind)
		assert.ErrorContains(t, p.diags[0].Err, "secret")
		assert.NoError(t, p.close())
	})
}

// unencodable panics when it is written.
type unencodable struct{}

func (unencodable) AppendJSON(b []byte) []byte { _ = append(b, "half"...); panic("cannot") }

func TestResultThatCannotBeEncoded(t *testing.T) { // WP-17
	synctest.Test(t, func(t *testing.T) {
		var lane *Lane
		p := dial(t, Config{Strict: true, Handler: &handler{request: func(r *Request) {
			if r.Method == "boom" {
				if r.ID == IntID(2) {
					r.Via(lane)
				}
				r.Reply(unencodable{})
				return
			}
			r.Reply(&params{})
		}}})
		lane = p.conn.NewLane(nil)
		p.send(call("1", "boom", "{}"))
		assert.Equal(t, internal, p.next())
		p.send(call("2", "boom", "{}"))
		assert.Equal(t, strings.Replace(internal, `"id":1`, `"id":2`, 1), p.next())
		assert.Empty(t, p.until())
		assert.NoError(t, p.close())
	})
}

func TestErrorsThatSayNothingAreReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, Config{Handler: &handler{request: func(r *Request) { r.Fail(errors.New("secret path")) }}})
		p.send(call("1", "echo", "{}"))
		assert.Equal(t, internal, p.next())
		require.Len(t, p.diags, 1)
		assert.Equal(t, HandlerFailed, p.diags[0].Kind)
		assert.EqualError(t, p.diags[0].Err, "secret path")
		assert.NoError(t, p.close())
	})
}

func TestLostConnectionFailsCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, end := link(t, Config{}, Config{Handler: &handler{}})
		result := make(chan error)
		for range 3 {
			go func() { _, err := ask(context.Background(), a, "hold", ""); result <- err }()
		}
		synctest.Wait()
		require.NoError(t, b.Close())
		for range 3 {
			var lost *ConnectionLostError
			require.ErrorAs(t, <-result, &lost)
			assert.ErrorIs(t, lost, io.EOF)
		}
		<-a.Done()
		_, err := ask(context.Background(), a, "echo", "")
		var lost *ConnectionLostError
		assert.ErrorAs(t, err, &lost)
		end()
	})
}

// slowGate holds answers back until it is opened.
type slowGate struct{ calls chan *Call }

func (g slowGate) Pass(c *Call) { g.calls <- c }

func TestGateHoldsAnswersBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _, end := link(t, Config{}, Config{Handler: &handler{}})
		defer end()
		gate := slowGate{make(chan *Call, 1)}
		result := make(chan string)
		go func() {
			call := a.Begin("echo")
			defer call.Release()
			call.Gate = gate
			call.Buf = (&params{Text: "later"}).AppendJSON(call.Buf)
			assert.NoError(t, call.Send(context.Background()))
			var p params
			p.decode(call.Result())
			result <- p.Text
		}()
		synctest.Wait()
		select {
		case <-result:
			t.Fatal("handed out too early")
		default:
		}
		(<-gate.calls).Finish()
		assert.Equal(t, "later", <-result)
	})
}

func TestCallerGivesUpAtTheGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _, end := link(t, Config{}, Config{Handler: &handler{}})
		defer end()
		gate := slowGate{make(chan *Call, 1)}
		late := make(chan string, 1)
		ctx, cancel := context.WithCancel(context.Background())
		call := a.Begin("echo")
		call.Gate = gate
		call.Late = func(c *Call) {
			var p params
			p.decode(c.Result())
			late <- p.Text
		}
		call.Buf = (&params{Text: "late"}).AppendJSON(call.Buf)
		require.NoError(t, call.Start(ctx))
		held := <-gate.calls
		cancel()
		require.ErrorIs(t, call.Wait(ctx), context.Canceled)
		call.Release()
		held.Finish()
		assert.Equal(t, "late", <-late)
	})
}

func TestLateAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &handler{}
		a, b, end := link(t, Config{Strict: true}, Config{Handler: h, Strict: true})
		defer end()
		late := make(chan error, 2)
		give := func() {
			ctx, cancel := context.WithCancel(context.Background())
			call := a.Begin("hold")
			call.Late = func(c *Call) { late <- c.Err() }
			require.NoError(t, call.Start(ctx))
			synctest.Wait()
			cancel()
			require.ErrorIs(t, call.Wait(ctx), context.Canceled)
			call.Release()
		}
		give()
		synctest.Wait()
		r := h.take()[0]
		assert.True(t, r.Cancelled())
		r.Reply(&params{Text: "was accepted"})
		assert.NoError(t, <-late)

		give()
		require.NoError(t, b.Close())
		var lost *ConnectionLostError
		assert.ErrorAs(t, <-late, &lost)
	})
}

func TestCallsWaitForAPeerThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, Config{Limits: Limits{Unsent: 8 << 10}})
		big := strings.Repeat("x", 4<<10)
		ctx, cancel := context.WithCancel(context.Background())
		result := make(chan error)
		for range 10 {
			go func() { _, err := ask(ctx, p.conn, "echo", big); result <- err }()
		}
		synctest.Wait()
		p.conn.out.mu.Lock()
		assert.Less(t, p.conn.out.unsent(), 16<<10)
		p.conn.out.mu.Unlock()
		assert.ErrorIs(t, p.conn.Notify("note", nil), ErrFull)
		cancel()
		for range 10 {
			assert.ErrorIs(t, <-result, context.Canceled)
		}
		require.NoError(t, p.conn.Close())
		<-p.ended
	})
}

func TestCallOverTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _, end := link(t, Config{Limits: Limits{Line: 1000}}, Config{Handler: &handler{}})
		defer end()
		_, err := ask(context.Background(), a, "echo", strings.Repeat("x", 1000))
		var fault *Fault
		require.ErrorAs(t, err, &fault)
		assert.Equal(t, LimitFault, fault.Kind)
		got, err := ask(context.Background(), a, "echo", "x")
		require.NoError(t, err)
		assert.Equal(t, "x", got)
	})
}

func TestNotificationsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []int64
		a, _, end := link(t, Config{}, Config{Handler: &handler{note: func(n *Notification) {
			got = append(got, n.Params.(*params).N)
			assert.Positive(t, n.Bytes)
		}}})
		for i := range int64(1000) {
			require.NoError(t, a.Notify("note", (&params{N: i + 1}).AppendJSON))
		}
		require.NoError(t, a.Flush(context.Background()))
		synctest.Wait()
		end()
		require.Len(t, got, 1000)
		for i, n := range got {
			require.EqualValues(t, i+1, n)
		}
	})
}
