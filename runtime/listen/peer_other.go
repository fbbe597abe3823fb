// SPDX-License-Identifier: Apache-2.0

//go:build unix && !linux

package listen

import "net"

// peerUser is not known here; the folder's mode is what protects the socket.
func peerUser(*net.UnixConn) (uid int, known bool) { return 0, false }
