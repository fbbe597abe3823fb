// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"encoding/gob"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"
)

// ControlEnv names the variable that makes a program a peer: its value is the
// player's socket. A program that may be launched as a peer begins with
//
//	if conformance.IsPeer() { os.Exit(conformance.PeerMain()) }
const ControlEnv = "ACCORD_REPLAY_CONTROL"

// IsPeer reports whether this process was launched as a player's peer.
func IsPeer() bool { return os.Getenv(ControlEnv) != "" }

// carried is what the player and its peer send each other, in gob: the peer what it
// reads from stdin, the player what the peer is to do.
type carried struct {
	Kind carriage
	Data []byte
	Code int // of an exit
}

type carriage byte

const (
	toStdout carriage = iota + 1
	toStderr
	exit
)

// PeerMain is the child process's whole life: it carries bytes between its
// stdio and the player until the player ends it. The result is the exit code.
func PeerMain() int {
	conn, err := net.Dial("unix", os.Getenv(ControlEnv))
	if err != nil {
		fmt.Fprintf(os.Stderr, "replay peer: cannot reach the player: %v\n", err)
		return 2
	}
	// A client that closes the read end of stdout early is part of some cases: the
	// write fails then, and the script continues.
	signal.Ignore(syscall.SIGPIPE)
	go func() { // ends with the process
		to := gob.NewEncoder(conn)
		buf := make([]byte, 64<<10)
		for {
			n, err := os.Stdin.Read(buf)
			// That the player is gone is noticed below.
			_ = to.Encode(carried{Data: buf[:n]})
			if err != nil {
				return
			}
		}
	}()
	from := gob.NewDecoder(conn)
	for {
		var c carried
		if err := from.Decode(&c); err != nil {
			return 0 // the player is gone
		}
		switch c.Kind {
		case toStdout:
			_, _ = os.Stdout.Write(c.Data)
		case toStderr:
			_, _ = os.Stderr.Write(c.Data)
		case exit:
			return c.Code
		}
	}
}
