// SPDX-License-Identifier: Apache-2.0

package listen

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/coder/websocket"
)

// Dial connects to an endpoint that Open opened: "unix", "unix:PATH"
// or "ws://HOST:PORT". Of the options it takes the token's file.
func Dial(ctx context.Context, endpoint string, o Options) (io.ReadWriteCloser, error) {
	if endpoint == "unix" {
		endpoint = "unix:" + defaultUnix()
	}
	if path, ok := strings.CutPrefix(endpoint, "unix:"); ok {
		var d net.Dialer
		c, err := d.DialContext(ctx, "unix", path)
		if err != nil {
			return nil, fmt.Errorf("nothing answers at %s (does `accord serve --listen %s` run?): %w", endpoint, endpoint, err)
		}
		return c, nil
	}
	if !strings.HasPrefix(endpoint, "ws://") {
		return nil, fmt.Errorf("%q is no endpoint: say unix, unix:PATH or ws://HOST:PORT", endpoint)
	}
	t, file, err := token(o.TokenFile)
	if err != nil {
		return nil, err
	}
	var raw net.Conn
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, addr string) (c net.Conn, err error) {
		raw, err = new(net.Dialer).DialContext(ctx, network, addr)
		return raw, err
	}}
	c, response, err := websocket.Dial(ctx, endpoint, &websocket.DialOptions{
		HTTPClient:   &http.Client{Transport: transport},
		Subprotocols: []string{Subprotocol},
		HTTPHeader:   http.Header{"Authorization": {"Bearer " + t}},
	})
	switch {
	case response != nil && response.StatusCode == http.StatusUnauthorized:
		return nil, fmt.Errorf("%s does not know the token of %s: name the file that the server said", endpoint, file)
	case err != nil:
		return nil, fmt.Errorf("nothing answers at %s (does `accord serve --listen ws:…` run?): %w", endpoint, err)
	}
	return newWebConn(c, raw), nil
}
