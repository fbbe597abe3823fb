// SPDX-License-Identifier: Apache-2.0

package listen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Listener takes connections until it is closed.
type Listener interface {
	// Accept waits for the next connection, for Close (ErrClosed) or for ctx.
	Accept(ctx context.Context) (io.ReadWriteCloser, error)
	// Addr is how a client reaches it: "unix:/path" or "ws://127.0.0.1:1234".
	Addr() string
	// Close stops accepting connections; those that were accepted continue.
	Close() error
}

// ErrClosed is what Accept returns after Close.
var ErrClosed = errors.New("listen: closed")

// Options are for WebSockets alone.
type Options struct {
	// TokenFile holds the bearer token; it is made, for its owner alone, if it
	// is not there. Empty: accord/token in the user's configuration folder.
	TokenFile string
	// Origins are the Origin headers that may connect besides requests that
	// have none: "http://localhost:5173". "null" never may.
	Origins []string
}

// Open listens at "unix:PATH" or "ws:ADDR", ADDR being host:port with a
// loopback host, or a port alone. "unix" without a path is a socket of this
// user's in XDG_RUNTIME_DIR, or else in a folder of its own below the system's
// temporary one. How long a message may be is for its reader to say.
func Open(endpoint string, o Options) (Listener, error) {
	kind, at, _ := strings.Cut(endpoint, ":")
	switch {
	case endpoint == "unix":
		return openUnix(defaultUnix())
	case at == "":
	case kind == "unix":
		return openUnix(at)
	case kind == "ws":
		return openWebSocket(at, o)
	}
	return nil, fmt.Errorf("listen: %q is no endpoint: say stdio, unix, unix:PATH or ws:HOST:PORT", endpoint)
}
