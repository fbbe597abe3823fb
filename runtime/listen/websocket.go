// SPDX-License-Identifier: Apache-2.0

package listen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
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
	pingEvery     = 30 * time.Second
	pingWithin    = 30 * time.Second
	requestWithin = 5 * time.Second // a request and its answer
	mostRequests  = 64              // connections that have not shown a token yet
	goodbyeWithin = 100 * time.Millisecond
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
	err     error // why serving ended, once served is closed
	closed  chan struct{}
	once    sync.Once

	mu       sync.Mutex // guards requests
	requests []net.Conn // those that are no WebSocket yet, oldest first
}

// rawKey is the key of a request's connection in its context.
type rawKey struct{}

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
	_, port, _ := net.SplitHostPort(l.Addr().String())
	w := &webListener{
		l: l, options: o, token: t, file: file,
		hosts:  []string{"localhost:" + port, "127.0.0.1:" + port, "[::1]:" + port, l.Addr().String()},
		conns:  make(chan *webConn),
		served: make(chan struct{}),
		closed: make(chan struct{}),
	}
	w.server = &http.Server{
		Handler: w, ReadTimeout: requestWithin, WriteTimeout: requestWithin,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, rawKey{}, c) },
		ConnState:   w.bound,
		ErrorLog:    log.New(io.Discard, "", 0), // standard error is the process's
	}
	w.server.SetKeepAlivesEnabled(false) // a refusal ends its connection
	go func() {
		defer close(w.served)
		w.err = w.server.Serve(l)
	}()
	return w, nil
}

func (w *webListener) Addr() string { return "ws://" + w.l.Addr().String() }

// bound keeps those that have shown no token from taking all descriptors: of too
// many the oldest is closed.
func (w *webListener) bound(c net.Conn, state http.ConnState) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch state {
	case http.StateNew:
		w.requests = append(w.requests, c)
		if len(w.requests) > mostRequests {
			_ = w.requests[0].Close()
			w.requests = w.requests[1:]
		}
	case http.StateHijacked, http.StateClosed:
		w.requests = slices.DeleteFunc(w.requests, func(o net.Conn) bool { return o == c })
	}
}

// TokenFile is where a client finds the token.
func (w *webListener) TokenFile() string { return w.file }

func (w *webListener) Accept(ctx context.Context) (io.ReadWriteCloser, error) {
	select {
	case c := <-w.conns:
		return c, nil
	case <-w.closed:
		return nil, ErrClosed
	case <-w.served:
		if errors.Is(w.err, http.ErrServerClosed) {
			return nil, ErrClosed
		}
		return nil, fmt.Errorf("listen: %w", w.err)
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
	raw, _ := r.Context().Value(rawKey{}).(net.Conn)
	conn := newWebConn(c, raw)
	select {
	case w.conns <- conn:
		<-conn.done
	case <-w.closed:
		_ = conn.Close()
	}
}

// webConn is a stream of lines over a WebSocket: a text message is a line.
type webConn struct {
	c      *websocket.Conn
	raw    net.Conn // below c
	ctx    context.Context
	cancel context.CancelFunc
	once   sync.Once
	done   chan struct{} // closed when the connection is

	in  io.Reader // rest of the message being read, and its newline
	out []byte    // a line that has no end yet
}

func newWebConn(c *websocket.Conn, raw net.Conn) *webConn {
	c.SetReadLimit(-1) // a line that is too long is answered by who reads lines
	w := &webConn{c: c, raw: raw, done: make(chan struct{})}
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

// Close says goodbye, and does not wait long for the answer. The connection
// below ends the wait: the library's own CloseNow would join it.
func (w *webConn) Close() error {
	late := time.AfterFunc(goodbyeWithin, func() { _ = w.raw.Close() })
	_ = w.c.Close(websocket.StatusNormalClosure, "")
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
