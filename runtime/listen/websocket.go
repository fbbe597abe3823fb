// SPDX-License-Identifier: Apache-2.0

package listen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// Subprotocol is the name that a WebSocket client may ask for.
const Subprotocol = "accord"

const (
	defaultMaxMessage = 64 << 20
	pingEvery         = 30 * time.Second
	pingWithin        = 30 * time.Second
	headersWithin     = 5 * time.Second
	goodbyeWithin     = 200 * time.Millisecond
)

type webListener struct {
	l       net.Listener
	server  *http.Server
	options Options
	token   string
	file    string
	hosts   []string
	conns   chan *webConn
	served  chan struct{}
	closed  chan struct{}
	once    sync.Once
}

func openWebSocket(addr string, o Options) (Listener, error) {
	if !strings.Contains(addr, ":") {
		addr = "127.0.0.1:" + addr
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("listen: %q is no address: say HOST:PORT: %w", addr, err)
	}
	if host == "localhost" {
		addr = "127.0.0.1" + strings.TrimPrefix(addr, host)
	} else if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("listen: %s is not this machine's loopback address: say 127.0.0.1:PORT or [::1]:PORT (a tunnel or a proxy can carry it further)", host)
	}
	t, file, err := token(o.TokenFile)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if o.MaxMessage <= 0 {
		o.MaxMessage = defaultMaxMessage
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	w := &webListener{
		l: l, options: o, token: t, file: file,
		hosts:  []string{"localhost:" + port, "127.0.0.1:" + port, "[::1]:" + port},
		conns:  make(chan *webConn),
		served: make(chan struct{}),
		closed: make(chan struct{}),
	}
	w.server = &http.Server{Handler: w, ReadHeaderTimeout: headersWithin}
	go func() {
		defer close(w.served)
		_ = w.server.Serve(l)
	}()
	return w, nil
}

func (w *webListener) Addr() string { return "ws://" + w.l.Addr().String() }

// TokenFile is where a client finds the token.
func (w *webListener) TokenFile() string { return w.file }

func (w *webListener) Accept(ctx context.Context) (io.ReadWriteCloser, error) {
	select {
	case c := <-w.conns:
		return c, nil
	case <-w.closed:
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close leaves accepted connections alone: the server no longer knows them.
func (w *webListener) Close() error {
	w.once.Do(func() { close(w.closed) })
	err := w.server.Close()
	<-w.served
	return err
}

// ServeHTTP checks a request, makes it a WebSocket, and hands it over.
func (w *webListener) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	origin, hasOrigin := r.Header.Get("Origin"), len(r.Header.Values("Origin")) > 0
	switch {
	case !slices.Contains(w.hosts, strings.ToLower(r.Host)):
		http.Error(rw, "this host is not served here", http.StatusForbidden)
		return
	case hasOrigin && (origin == "null" || !slices.Contains(w.options.Origins, origin)):
		http.Error(rw, "this origin may not connect", http.StatusForbidden)
		return
	case !same(shown(r), w.token):
		rw.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(rw, "the token is missing or wrong", http.StatusUnauthorized)
		return
	}
	// The origin was checked by the exact list above; the library's own check
	// compares host names, so it gets those of the list.
	c, err := websocket.Accept(rw, r, &websocket.AcceptOptions{Subprotocols: []string{Subprotocol}, OriginPatterns: w.options.Origins})
	if err != nil {
		return // Accept has answered
	}
	c.SetReadLimit(w.options.MaxMessage)
	conn := newWebConn(c)
	select {
	case w.conns <- conn:
		<-conn.done
	case <-w.closed:
		_ = c.Close(websocket.StatusGoingAway, "")
		conn.stop()
	}
}

// webConn is a stream of lines over a WebSocket: a text message is a line.
type webConn struct {
	c      *websocket.Conn
	ctx    context.Context
	cancel context.CancelFunc
	once   sync.Once
	done   chan struct{} // closed when the connection is

	in  io.Reader // rest of the message being read, and its newline
	out []byte    // a line that has no end yet
}

func newWebConn(c *websocket.Conn) *webConn {
	w := &webConn{c: c, done: make(chan struct{})}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	go w.ping()
	return w
}

// ping ends a connection whose peer is gone without a word.
func (w *webConn) ping() {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return
		case <-tick.C:
		}
		ctx, cancel := context.WithTimeout(w.ctx, pingWithin)
		err := w.c.Ping(ctx)
		cancel()
		if err != nil {
			_ = w.Close()
			return
		}
	}
}

func (w *webConn) Read(p []byte) (int, error) {
	for {
		if w.in == nil {
			_, r, err := w.c.Reader(w.ctx)
			if err != nil {
				return 0, ended(err)
			}
			w.in = io.MultiReader(r, strings.NewReader("\n"))
		}
		n, err := w.in.Read(p)
		if errors.Is(err, io.EOF) {
			w.in = nil
			err = nil
			if n == 0 {
				continue
			}
		}
		return n, ended(err)
	}
}

// ended makes the ordinary ends of a WebSocket the end of a stream.
func ended(err error) error {
	switch websocket.CloseStatus(err) {
	case websocket.StatusNormalClosure, websocket.StatusGoingAway, websocket.StatusNoStatusRcvd:
		return io.EOF
	}
	return err
}

// Write sends each whole line as a message and keeps the rest.
func (w *webConn) Write(p []byte) (int, error) {
	written := 0
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			w.out = append(w.out, p...)
			return written + len(p), nil
		}
		line := p[:i]
		if len(w.out) > 0 {
			line = append(w.out, line...)
		}
		if err := w.c.Write(w.ctx, websocket.MessageText, line); err != nil {
			return written, err
		}
		w.out = w.out[:0]
		written += i + 1
		p = p[i+1:]
	}
}

// Close says goodbye, and does not wait long for the answer.
func (w *webConn) Close() error {
	said := make(chan struct{})
	go func() {
		defer close(said)
		_ = w.c.Close(websocket.StatusNormalClosure, "")
	}()
	late := time.AfterFunc(goodbyeWithin, func() { _ = w.c.CloseNow() })
	<-said
	late.Stop()
	w.stop()
	return nil
}

func (w *webConn) stop() {
	w.once.Do(func() {
		w.cancel()
		close(w.done)
	})
}
