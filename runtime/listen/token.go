// SPDX-License-Identifier: Apache-2.0

package listen

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// tokenBytes is how much randomness a token has.
const tokenBytes = 32

// subprotocolToken begins the WebSocket subprotocol by which a browser, which
// cannot set headers, shows its token.
const subprotocolToken = "accord.token."

// token reads the token of a file; it is made if it is not there.
func token(path string) (string, string, error) {
	if path == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return "", "", fmt.Errorf("listen: no folder for the token; name a file: %w", err)
		}
		path = filepath.Join(dir, "accord", "token")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return "", "", fmt.Errorf("listen: the token's folder: %w", err)
		}
	}
	var random [tokenBytes]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", "", fmt.Errorf("listen: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = f.WriteString(hex.EncodeToString(random[:]) + "\n")
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return "", "", fmt.Errorf("listen: the token's file: %w", err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return "", "", fmt.Errorf("listen: the token's file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return "", "", fmt.Errorf("listen: %s is no file: name one for the token, which is made if it is not there", path)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", "", fmt.Errorf("listen: others may read %s (mode %o): chmod 600 it, or remove it and let it be made", path, info.Mode().Perm())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", "", fmt.Errorf("listen: the token's file: %w", err)
	}
	t := strings.TrimSpace(string(text))
	if len(t) < 2*tokenBytes {
		return "", "", fmt.Errorf("listen: %s holds no token of %d hexadecimal digits: remove it and let it be made", path, 2*tokenBytes)
	}
	return t, path, nil
}

// shown is the token that a request shows: by its Authorization header, or by
// a subprotocol.
func shown(r *http.Request) string {
	if t, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return t
	}
	for _, list := range r.Header.Values("Sec-WebSocket-Protocol") {
		for _, p := range strings.Split(list, ",") {
			if t, ok := strings.CutPrefix(strings.TrimSpace(p), subprotocolToken); ok {
				return t
			}
		}
	}
	return ""
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
