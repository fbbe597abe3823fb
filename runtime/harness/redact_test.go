// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/accordkit/accord/runtime/harness"
)

// What is declared sensitive is in no log that a message is put into by Redact.
func TestRedact(t *testing.T) {
	for in, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","contentBlocks":[{"type":"text","text":"secret"}],"idempotencyKey":"k"}}`: `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","contentBlocks":"…","idempotencyKey":"k"}}`,
		`{"method":"session.delta","params":{"turn":1,"n":0,"text":"secret","later":{"arguments":"secret"}}}`:                                                  `{"method":"session.delta","params":{"turn":1,"n":0,"text":"…","later":{"arguments":"…"}}}`,
		`{"method":"session.event","params":{"event":{"type":"turn/end","seq":9,"data":{"turn":1,"later":{"data":"secret"}}},"turn":1}}`:                       `{"method":"session.event","params":{"event":{"type":"turn/end","seq":9,"data":{"turn":1,"later":{"data":"…"}}},"turn":1}}`,
		`{"id":1,"error":{"code":1003,"message":"m","data":{"kind":"session-locked","sessionId":"s"}}}`:                                                        `{"id":1,"error":{"code":1003,"message":"m","data":{"kind":"session-locked","sessionId":"s"}}}`,
	} {
		assert.Equal(t, want, string(harness.Redact([]byte(in))))
	}
}
