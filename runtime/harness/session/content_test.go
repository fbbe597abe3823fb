// SPDX-License-Identifier: Apache-2.0

package session_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/session"
	"github.com/accordkit/accord/runtime/store/memory"
)

func picture(t testing.TB) string {
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 4, 3))))
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// What no model could take is refused at the request, and creates nothing.
func TestContentIsChecked(t *testing.T) {
	good := picture(t)
	for name, blocks := range map[string]string{
		"no blocks":            `[]`,
		"not a list":           `"hello"`,
		"null":                 `[null]`,
		"no text":              `[{"type":"text"}]`,
		"unknown kind":         `[{"type":"hologram","x":1}]`,
		"no kind":              `[{"text":"x"}]`,
		"a tool call":          `[{"type":"tool-call","id":"a","name":"b","arguments":"{}"}]`,
		"an empty image":       `[{"type":"image"}]`,
		"not base64":           `[{"type":"image","mimeType":"image/png","data":"data:image/png;base64,xx"}]`,
		"not canonical base64": fmt.Sprintf(`[{"type":"image","mimeType":"image/png","data":"%s "}]`, good),
		"another type":         fmt.Sprintf(`[{"type":"image","mimeType":"image/gif","data":%q}]`, good),
		"a type not taken":     fmt.Sprintf(`[{"type":"image","mimeType":"image/bmp","data":%q}]`, good),
		"the second is bad":    `[{"type":"text","text":"x"},{"type":"image"}]`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := newEngine(t)
				c, old := dialMore(t, e, initV2), dialMore(t, e, initOld)
				params := `{"sessionId":"s","contentBlocks":` + blocks + `}`
				assert.Equal(t, "invalid-params", c.fails("session/prompt", params))
				f := old.call("session/prompt", params)
				require.NotNil(t, f.Error)
				assert.Equal(t, -32603, f.Error.Code)
				assert.Equal(t, "session-not-found", c.fails("session/status", `{"sessionId":"s"}`), "nothing was created")
				c.hangUp()
				old.hangUp()
			})
		})
	}
}

// The texts that DSH has for images.
func TestTextsForImages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dialOld(t, newEngine(t))
		for data, want := range map[string][2]string{
			"!!":       {"image/png", "Image upload is not canonical base64."},
			"aGVsbG8=": {"image/png", "Declared image type does not match its bytes."},
			"aGVsbG8":  {"image/bmp", "Image type image/bmp is not accepted by this deployment."},
		} {
			f := c.call("session/prompt", fmt.Sprintf(`{"sessionId":"s","contentBlocks":[{"type":"image","mimeType":%q,"data":%q}]}`, want[0], data))
			assert.Equal(t, want[1], f.Error.Message)
		}
		c.hangUp()
	})
}

// An image is kept next to the log, which has its digest.
func TestImagesAreStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(memory.Store)
		c := dial(t, newEngine(t, func(o *session.Options) { o.Store = s }))
		data := picture(t)
		c.ok("session/prompt", fmt.Sprintf(`{"sessionId":"s","contentBlocks":[{"type":"text","text":"say ok"},{"type":"image","mimeType":"image/png","data":%q}]}`, data))
		insert := c.events("s")[0].Data.(*harness.InboxSpliced)
		block := insert.Inserted[0].Content[1].(*harness.ImageBlock)
		require.NotNil(t, block.Attachment)
		assert.Nil(t, block.Data)
		assert.EqualValues(t, 4, block.Attachment.Width)
		assert.EqualValues(t, 3, block.Attachment.Height)
		kept, err := s.Find(t.Context(), block.Attachment.AttachmentID)
		require.NoError(t, err)
		assert.Equal(t, data, base64.StdEncoding.EncodeToString(kept))
		assert.EqualValues(t, len(kept), block.Attachment.Bytes)
		assert.Equal(t, []string{"ok"}, c.texts("s"))
		c.hangUp()
	})
}

func TestInitialize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newEngine(t), true).read()
		assert.Equal(t, "not-initialized", c.fails("session/wait", `{"sessionId":"s"}`))
		assert.Equal(t, "acp-client", c.fails("initialize", `{"protocolVersion":1}`))
		f := c.call("initialize", `{"cwd":"/w","provider":"demo","model":"m","protocolVersion":1}`)
		assert.Equal(t, -32022, f.Error.Code)
		assert.Contains(t, string(f.Error.Data), `"supported":[2]`)
		f = c.call("initialize", `{"cwd":"/w","provider":"zzz","model":"m"}`)
		assert.Equal(t, `no adapter registered for provider "zzz"`, f.Error.Message)
		r := c.ok("initialize", `{"cwd":"/w","provider":"demo","model":"m","protocolVersion":7}`)
		assert.Equal(t, 2.0, r["protocolVersion"])
		all := map[string]any{"cancel": true, "close": true, "load": true, "resume": true, "wait": true, "status": true, "list": true, "workingDirectory": true}
		assert.Equal(t, map[string]any{"session": all, "deltas": true}, r["capabilities"])
		// A second one changes what sessions start with, or nothing at all.
		c.prompted("a", "say hi")
		assert.Equal(t, "invalid-params", c.fails("initialize", `{"cwd":"/x","provider":"demo","model":"m"}`))
		for path, members := range map[string]string{
			"provider":        `"provider":"zzz","model":"m"`,
			"model":           `"provider":"demo","model":""`,
			"reasoningEffort": `"provider":"demo","model":"m","reasoningEffort":"zzz"`,
		} {
			f := c.call("initialize", `{"cwd":"/x",`+members+`,"protocolVersion":2}`)
			assert.Equal(t, "invalid-params", c.kind(f))
			assert.Contains(t, string(f.Error.Data), `"path":"`+path+`"`)
		}
		c.prompted("b", "say hi")
		c.ok("initialize", `{"cwd":"/x","provider":"demo","model":"n","protocolVersion":2}`)
		c.prompted("c", "say hi")
		cwd := func(id string) any {
			return c.ok("session/working-directory/get", fmt.Sprintf(`{"sessionId":%q}`, id))["cwd"]
		}
		assert.Equal(t, []any{"/w", "/w", "/x"}, []any{cwd("a"), cwd("b"), cwd("c")})
		c.hangUp()
	})
}

// Rule N2.
func TestInitializeForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newEngine(t), true).read()
		r := c.ok("initialize", initOld)
		assert.Equal(t, map[string]any{"serverInfo": map[string]any{"name": "deepseek-harness-sdk-runtime", "version": "0.0.1"}}, r)
		c.hangUp()
	})
}

// Who gets deltas is an option.
func TestDeltas(t *testing.T) {
	for policy, want := range map[session.Deltas][3]int{
		session.DeltasAlways:     {2, 2, 2},
		session.DeltasNegotiated: {2, 0, 0},
		session.DeltasNever:      {0, 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			e := newEngine(t, func(o *session.Options) { o.Deltas = policy })
			all := []*wire{
				dialMore(t, e, initV2),
				dialMore(t, e, `{"cwd":"/w","provider":"demo","model":"m","protocolVersion":2}`),
				dialMore(t, e, initOld),
			}
			for _, c := range all {
				c.ok("session/working-directory/get", `{"sessionId":"s"}`)
			}
			all[0].prompted("s", "say hello there")
			for i, c := range all {
				assert.Len(t, c.deltas("s"), want[i])
				c.hangUp()
			}
		})
	}
}
