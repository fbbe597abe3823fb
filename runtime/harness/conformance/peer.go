// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// ControlEnv names the variable that makes a program a peer: its value is the
// player's socket. A program that may be launched as a peer begins with
//
//	if replay.IsPeer() { os.Exit(replay.PeerMain()) }
const ControlEnv = "ACCORD_REPLAY_CONTROL"

// IsPeer reports whether this process was launched as a player's peer.
func IsPeer() bool { return os.Getenv(ControlEnv) != "" }

// Messages between the player and its peer: a byte, a length in four bytes,
// big-endian, then that many bytes.
const (
	msgStdin       = 'I' // peer to player: bytes read from stdin
	msgStdinEOF    = 'E' // peer to player: stdin ended
	msgWrite       = 'W' // player to peer: write to stdout
	msgStderr      = 'R' // player to peer: write to stderr
	msgCloseStdout = 'C' // player to peer
	msgExit        = 'X' // player to peer: exit with this code (one byte)
	msgKill        = 'K' // player to peer: die by this signal (one byte)
	msgEndAtEOF    = 'Q' // player to peer: the script is over; exit 0 when stdin ends
)

// PeerMain is the child process's whole life: it carries bytes between its
// stdio and the player until the player, or the end of stdin after the script,
// ends it. The result is the exit code.
func PeerMain() int {
	conn, err := net.Dial("unix", os.Getenv(ControlEnv))
	if err != nil {
		fmt.Fprintf(os.Stderr, "replay peer: cannot reach the player: %v\n", err)
		return 2
	}
	// A client that closes the read end of stdout early is part of some cases: the
	// write fails then, and the script continues.
	signal.Ignore(syscall.SIGPIPE)
	p := &peer{conn: conn, eof: make(chan struct{})}
	go p.carryStdin()
	return p.obey()
}

type peer struct {
	conn net.Conn
	mu   sync.Mutex    // guards writes to conn
	eof  chan struct{} // closed when stdin has ended
}

func (p *peer) carryStdin() {
	buf := make([]byte, 64<<10)
	for {
		n, err := os.Stdin.Read(buf)
		if n > 0 {
			p.tell(msgStdin, buf[:n])
		}
		if err != nil {
			close(p.eof)
			p.tell(msgStdinEOF, nil)
			return
		}
	}
}

func (p *peer) tell(kind byte, data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	// The player that is gone is noticed by obey.
	_ = writeMessage(p.conn, kind, data)
}

func (p *peer) obey() int {
	r := bufio.NewReaderSize(p.conn, 64<<10)
	for {
		kind, data, err := readMessage(r)
		if err != nil {
			return 0 // the player is gone
		}
		switch kind {
		case msgWrite:
			_, _ = os.Stdout.Write(data)
		case msgStderr:
			_, _ = os.Stderr.Write(data)
		case msgCloseStdout:
			_ = os.Stdout.Close()
		case msgExit:
			return int(data[0])
		case msgKill:
			if self, err := os.FindProcess(os.Getpid()); err == nil {
				_ = self.Signal(syscall.Signal(data[0]))
			}
		case msgEndAtEOF:
			go func() {
				<-p.eof
				os.Exit(0)
			}()
		}
	}
}

func writeMessage(w io.Writer, kind byte, data []byte) error {
	var head [5]byte
	head[0] = kind
	binary.BigEndian.PutUint32(head[1:], uint32(len(data)))
	bufs := net.Buffers{head[:], data}
	_, err := bufs.WriteTo(w)
	return err
}

func readMessage(r io.Reader) (kind byte, data []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n > 1<<30 {
		return 0, nil, errors.New("message too long")
	}
	data = make([]byte, n)
	if _, err := io.ReadFull(r, data); err != nil {
		return 0, nil, err
	}
	return head[0], data, nil
}
