// SPDX-License-Identifier: Apache-2.0

package session

import (
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// envelope is what a frame has in addition to its event, about.
const envelope = 256

// appendEvent appends a session.event whose event is encoded already, as the
// log has it.
func appendEvent(b []byte, id harness.SessionID, event []byte, turn harness.TurnID, replay bool) []byte {
	b = append(b, `{"jsonrpc":"2.0","method":"`+harness.NotificationSessionEvent+`","params":{"sessionId":`...)
	b = codec.AppendString(b, string(id))
	b = append(b, `,"event":`...)
	b = append(b, event...)
	if turn != 0 {
		b = append(b, `,"turn":`...)
		b = codec.AppendInt(b, int64(turn))
	}
	if replay {
		b = append(b, `,"replay":true`...)
	}
	return append(b, "}}"...)
}

// frameOf returns the frame of a notification.
func frameOf(method string, params codec.Appender) func(b []byte) []byte {
	return func(b []byte) []byte { return jsonrpc.AppendNotification(b, method, params.AppendJSON) }
}
