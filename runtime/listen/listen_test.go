// SPDX-License-Identifier: Apache-2.0

//go:build unix

package listen

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// echo serves connections until the listener is closed.
func echo(t *testing.T, l Listener) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept(context.Background())
			if err != nil {
				return
			}
			_, _ = io.Copy(struct{ io.Writer }{c}, struct{ io.Reader }{c})
			_ = c.Close()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-done })
}

func private(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "l") // a socket's path must be short
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func TestUnix(t *testing.T) {
	path := filepath.Join(private(t), "deeper", "s")
	l, err := Open("unix:"+path, Options{})
	require.NoError(t, err)
	assert.Equal(t, "unix:"+path, l.Addr())
	echo(t, l)
	c, err := net.Dial("unix", path)
	require.NoError(t, err)
	defer c.Close()
	_, err = io.WriteString(c, "hello\n")
	require.NoError(t, err)
	line, err := bufio.NewReader(c).ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, "hello\n", line)

	_, err = Open("unix:"+path, Options{})
	require.ErrorContains(t, err, "another process serves")
}

func TestUnixGuards(t *testing.T) {
	dir := private(t)
	for mode, safe := range map[os.FileMode]bool{0o700: true, 0o755: true, 0o777 | os.ModeSticky: true, 0o777: false, 0o775: false} {
		require.NoError(t, os.Chmod(dir, mode))
		l, err := Open("unix:"+dir+"/s", Options{})
		if !safe {
			require.ErrorContains(t, err, "others may write to", mode)
			continue
		}
		require.NoError(t, err, mode)
		info, err := os.Lstat(dir + "/s")
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "the socket itself is this user's alone")
		require.NoError(t, l.Close())
	}

	require.NoError(t, os.Chmod(dir, 0o700))
	require.NoError(t, os.WriteFile(dir+"/s", []byte("precious"), 0o600))
	_, err := Open("unix:"+dir+"/s", Options{})
	require.ErrorContains(t, err, "not a socket")
	text, err := os.ReadFile(dir + "/s")
	require.NoError(t, err)
	assert.Equal(t, "precious", string(text))

	// A process that died left its socket: it is replaced.
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: dir + "/dead", Net: "unix"})
	require.NoError(t, err)
	dead.SetUnlinkOnClose(false)
	require.NoError(t, dead.Close())
	l, err := Open("unix:"+dir+"/dead", Options{})
	require.NoError(t, err)
	require.NoError(t, l.Close())
	assert.NoFileExists(t, dir+"/dead")
}

// Of several that find a stale socket one serves, and can be reached.
func TestOneTakesAStaleSocket(t *testing.T) {
	for range 20 {
		path := private(t) + "/s"
		dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		require.NoError(t, err)
		dead.SetUnlinkOnClose(false)
		require.NoError(t, dead.Close())
		var won []Listener
		var mu sync.Mutex
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if l, err := Open("unix:"+path, Options{}); err == nil {
					mu.Lock()
					defer mu.Unlock()
					won = append(won, l)
				} else {
					assert.ErrorContains(t, err, "another process serves")
				}
			})
		}
		all.Wait()
		require.Len(t, won, 1)
		require.NoError(t, won[0].Close())
	}
}

// A socket that another has put at the path since is not removed.
func TestCloseRemovesItsOwnSocketAlone(t *testing.T) {
	path := private(t) + "/s"
	one, err := Open("unix:"+path, Options{})
	require.NoError(t, err)
	require.NoError(t, os.Remove(path))
	two, err := Open("unix:"+path, Options{})
	require.NoError(t, err)
	echo(t, two)
	require.NoError(t, one.Close())
	c, err := net.Dial("unix", path)
	require.NoError(t, err)
	require.NoError(t, c.Close())
}

func TestDefaultUnix(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("TMPDIR", private(t))
	l, err := Open("unix", Options{})
	require.NoError(t, err)
	echo(t, l)
	c, err := Dial(t.Context(), "unix", Options{})
	require.NoError(t, err)
	require.NoError(t, c.Close())
}

// What passes is waited for: accepting continues when descriptors are back.
func TestAcceptOutlastsAWantOfDescriptors(t *testing.T) {
	l, err := Open("unix:"+private(t)+"/s", Options{})
	require.NoError(t, err)
	defer l.Close()
	var old syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &old))
	client, err := net.Dial("unix", strings.TrimPrefix(l.Addr(), "unix:"))
	require.NoError(t, err)
	defer client.Close()
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 3, Max: old.Max}))
	restored := time.AfterFunc(50*time.Millisecond, func() { _ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old) })
	defer restored.Stop()
	c, err := l.Accept(t.Context())
	_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old)
	require.NoError(t, err)
	require.NoError(t, c.Close())
}

func TestAcceptEnds(t *testing.T) {
	for _, endpoint := range []string{"unix:" + private(t) + "/s", "ws:0"} {
		l, err := Open(endpoint, Options{TokenFile: filepath.Join(private(t), "token")})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err = l.Accept(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.NoError(t, l.Close())
		_, err = l.Accept(context.Background())
		require.ErrorIs(t, err, ErrClosed)
	}
}

func openWeb(t *testing.T, origins ...string) (addr, secret string) {
	t.Helper()
	file := filepath.Join(private(t), "token")
	l, err := Open("ws:localhost:0", Options{TokenFile: file, Origins: origins})
	require.NoError(t, err)
	echo(t, l)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	return l.Addr(), strings.TrimSpace(string(text))
}

func dial(t *testing.T, addr string, change func(*websocket.DialOptions)) (*websocket.Conn, int) {
	t.Helper()
	o := &websocket.DialOptions{HTTPHeader: http.Header{}, HTTPClient: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	change(o)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	c, r, err := websocket.Dial(ctx, addr, o)
	if err != nil {
		require.NotNil(t, r, "%v", err)
		return nil, r.StatusCode
	}
	c.SetReadLimit(-1)
	t.Cleanup(func() { _ = c.CloseNow() })
	return c, r.StatusCode
}

func TestWebSocketCarriesLines(t *testing.T) {
	addr, secret := openWeb(t)
	c, status := dial(t, addr, func(o *websocket.DialOptions) { o.HTTPHeader.Set("Authorization", "Bearer "+secret) })
	require.Equal(t, http.StatusSwitchingProtocols, status)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	long := strings.Repeat("x", 300_000)
	for _, message := range []string{`{"a":1}`, long, "语", ""} {
		require.NoError(t, c.Write(ctx, websocket.MessageText, []byte(message)))
		kind, got, err := c.Read(ctx)
		require.NoError(t, err)
		assert.Equal(t, websocket.MessageText, kind)
		assert.Equal(t, message, string(got))
	}
	require.NoError(t, c.Close(websocket.StatusNormalClosure, ""))
}

func TestWebSocketGuards(t *testing.T) {
	addr, secret := openWeb(t, "http://localhost:5173")
	right := func(o *websocket.DialOptions) { o.HTTPHeader.Set("Authorization", "Bearer "+secret) }
	with := func(more ...func(*websocket.DialOptions)) func(*websocket.DialOptions) {
		return func(o *websocket.DialOptions) {
			right(o)
			for _, f := range more {
				f(o)
			}
		}
	}
	host := func(h string) func(*websocket.DialOptions) {
		return func(o *websocket.DialOptions) { o.Host = h }
	}
	origin := func(v string) func(*websocket.DialOptions) {
		return func(o *websocket.DialOptions) { o.HTTPHeader.Set("Origin", v) }
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(addr, "ws://"), ":")
	for name, c := range map[string]struct {
		change func(*websocket.DialOptions)
		status int
	}{
		"no token":              {func(*websocket.DialOptions) {}, http.StatusUnauthorized},
		"wrong token":           {func(o *websocket.DialOptions) { o.HTTPHeader.Set("Authorization", "Bearer "+secret+"0") }, http.StatusUnauthorized},
		"beginning of token":    {func(o *websocket.DialOptions) { o.HTTPHeader.Set("Authorization", "Bearer "+secret[:20]) }, http.StatusUnauthorized},
		"token":                 {right, http.StatusSwitchingProtocols},
		"token by subprotocol":  {func(o *websocket.DialOptions) { o.Subprotocols = []string{Subprotocol, subprotocolToken + secret} }, http.StatusSwitchingProtocols},
		"localhost":             {with(host("localhost:" + port)), http.StatusSwitchingProtocols},
		"rebound name":          {with(host("evil.example:" + port)), http.StatusForbidden},
		"rebound name, origin":  {with(host("evil.example:"+port), origin("http://evil.example:"+port)), http.StatusForbidden},
		"other port":            {with(host("localhost:1")), http.StatusForbidden},
		"allowed origin":        {with(origin("http://localhost:5173")), http.StatusSwitchingProtocols},
		"its own origin":        {with(origin("http://localhost:" + port)), http.StatusForbidden},
		"null origin":           {with(origin("null")), http.StatusForbidden},
		"allowed origin's evil": {with(origin("http://localhost:5173.evil.example")), http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			conn, status := dial(t, addr, c.change)
			assert.Equal(t, c.status, status)
			if conn != nil {
				_ = conn.Close(websocket.StatusNormalClosure, "")
			}
		})
	}
}

// A client that never answers the Close frame delays its end by an instant: the
// library alone would wait for 5 s.
func TestWebSocketCloseDoesNotWaitForTheClient(t *testing.T) {
	file := filepath.Join(private(t), "token")
	l, err := Open("ws:0", Options{TokenFile: file})
	require.NoError(t, err)
	defer l.Close()
	secret, err := os.ReadFile(file)
	require.NoError(t, err)
	silent, err := net.Dial("tcp", strings.TrimPrefix(l.Addr(), "ws://"))
	require.NoError(t, err)
	defer silent.Close()
	_, err = io.WriteString(silent, "GET / HTTP/1.1\r\nHost: "+strings.TrimPrefix(l.Addr(), "ws://")+"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer "+strings.TrimSpace(string(secret))+"\r\n\r\n")
	require.NoError(t, err)
	c, err := l.Accept(t.Context())
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- c.Close() }()
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(4 * time.Second):
		t.Fatal("Close waits for the client")
	}
}

// Connections without a token are closed once they are refused, and of too many
// the oldest go: one with a token finds its place.
func TestWebSocketBoundsThoseWithoutAToken(t *testing.T) {
	addr, secret := openWeb(t)
	at := strings.TrimPrefix(addr, "ws://")
	refused, err := net.Dial("tcp", at)
	require.NoError(t, err)
	defer refused.Close()
	_, err = io.WriteString(refused, "GET / HTTP/1.1\r\nHost: "+at+"\r\n\r\n")
	require.NoError(t, err)
	answer, err := io.ReadAll(refused) // to the end of the connection
	require.NoError(t, err)
	assert.Contains(t, string(answer), "401 Unauthorized")

	silent := make([]net.Conn, mostRequests+1)
	for i := range silent {
		silent[i], err = net.Dial("tcp", at)
		require.NoError(t, err)
		defer silent[i].Close()
	}
	_, err = silent[0].Read(make([]byte, 1))
	require.Error(t, err, "the oldest was closed")
	c, status := dial(t, addr, func(o *websocket.DialOptions) { o.HTTPHeader.Set("Authorization", "Bearer "+secret) })
	require.Equal(t, http.StatusSwitchingProtocols, status)
	require.NoError(t, c.CloseNow())
}

// Every loopback address that can be listened at is served under its own name.
func TestWebSocketServesTheAddressItListensAt(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has all of 127.0.0.0/8")
	}
	file := filepath.Join(private(t), "token")
	l, err := Open("ws:127.0.0.2:0", Options{TokenFile: file})
	require.NoError(t, err)
	echo(t, l)
	c, err := Dial(t.Context(), l.Addr(), Options{TokenFile: file})
	require.NoError(t, err)
	require.NoError(t, c.Close())
}

func TestWebSocketBindsToLoopbackAlone(t *testing.T) {
	for _, addr := range []string{"ws:0.0.0.0:0", "ws::0", "ws:192.0.2.1:80", "ws:example.com:80"} {
		_, err := Open(addr, Options{TokenFile: filepath.Join(private(t), "token")})
		require.Error(t, err, addr)
		assert.Contains(t, err.Error(), "loopback", addr)
	}
}

func TestTokenOfOthersIsRefused(t *testing.T) {
	file := filepath.Join(private(t), "token")
	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("a", 64)), 0o644))
	_, err := Open("ws:0", Options{TokenFile: file})
	require.ErrorContains(t, err, "chmod 600")
	require.NoError(t, os.Chmod(file, 0o600))
	require.NoError(t, os.WriteFile(file, []byte("short"), 0o600))
	_, err = Open("ws:0", Options{TokenFile: file})
	require.ErrorContains(t, err, "holds no token")
}

func TestEndpoints(t *testing.T) {
	for _, e := range []string{"", "unix:", "ws:", "tcp:127.0.0.1:0", "/path"} {
		_, err := Open(e, Options{})
		assert.ErrorContains(t, err, "no endpoint", e)
	}
}

func TestDial(t *testing.T) {
	file := filepath.Join(private(t), "token")
	for _, endpoint := range []string{"unix:" + private(t) + "/s", "ws:0"} {
		l, err := Open(endpoint, Options{TokenFile: file})
		require.NoError(t, err)
		echo(t, l)
		c, err := Dial(t.Context(), l.Addr(), Options{TokenFile: file})
		require.NoError(t, err)
		_, err = io.WriteString(c, "{\"a\":1}\n{\"b\"")
		require.NoError(t, err)
		_, err = io.WriteString(c, ":2}\n")
		require.NoError(t, err)
		lines := bufio.NewReader(c)
		for _, want := range []string{"{\"a\":1}\n", "{\"b\":2}\n"} {
			got, err := lines.ReadString('\n')
			require.NoError(t, err)
			assert.Equal(t, want, got)
		}
		require.NoError(t, c.Close())
	}
}

func TestDialSaysWhatToDo(t *testing.T) {
	file := filepath.Join(private(t), "token")
	l, err := Open("ws:0", Options{TokenFile: file})
	require.NoError(t, err)
	echo(t, l)
	_, err = Dial(t.Context(), l.Addr(), Options{TokenFile: filepath.Join(private(t), "other")})
	require.ErrorContains(t, err, "does not know the token")
	_, err = Dial(t.Context(), "unix:/nowhere/s", Options{})
	require.ErrorContains(t, err, "accord serve --listen")
	_, err = Dial(t.Context(), "http://x", Options{})
	require.ErrorContains(t, err, "no endpoint")
}
