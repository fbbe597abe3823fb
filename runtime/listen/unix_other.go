// SPDX-License-Identifier: Apache-2.0

//go:build !unix || solaris || illumos || aix

package listen

import "errors"

func openUnix(string) (Listener, error) {
	return nil, errors.New("listen: Unix sockets are not served on this system: use ws:HOST:PORT")
}

func defaultUnix() string { return "accord.sock" }
