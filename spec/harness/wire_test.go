// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/spec"
)

// frame is one line of a recorded conversation with a peer of the generation
// dsh-0.2.
type frame struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// recorded calls f with each frame of a file, and with the method of the
// request that an answer belongs to.
func recorded(t *testing.T, file string, f func(sent bool, fr frame, request frame)) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	requests := map[string]frame{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct {
			Dir   string `json:"dir"`
			Frame *frame `json:"frame"`
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line))
		if line.Frame == nil {
			continue
		}
		sent := line.Dir == ">"
		if sent {
			requests[string(line.Frame.ID)] = *line.Frame
		}
		f(sent, *line.Frame, requests[string(line.Frame.ID)])
	}
	require.NoError(t, lines.Err())
}

func recordings(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../runtime/harness/testdata/recordings/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

var payloads = map[string][2]reflect.Type{
	"initialize":                    {reflect.TypeFor[InitializeParams](), reflect.TypeFor[InitializeResult]()},
	"session/prompt":                {reflect.TypeFor[PromptParams](), reflect.TypeFor[PromptReceipt]()},
	"session/resume":                {reflect.TypeFor[ResumeParams](), reflect.TypeFor[LoadResult]()},
	"session/wait":                  {reflect.TypeFor[WaitParams](), reflect.TypeFor[WaitResult]()},
	"session/working-directory/get": {reflect.TypeFor[GetWorkingDirectoryParams](), reflect.TypeFor[WorkingDirectoryResult]()},
	"session/working-directory/set": {reflect.TypeFor[SetWorkingDirectoryParams](), reflect.TypeFor[WorkingDirectoryResult]()},
	"session.event":                 {reflect.TypeFor[SessionEventParams]()},
	"session.status":                {reflect.TypeFor[SessionStatusParams]()},
	"subagent.started":              {reflect.TypeFor[SubagentStarted]()},
	"subagent.finished":             {reflect.TypeFor[SubagentFinished]()},
}

// Whatever a real peer says is declared, member by member.
func TestRecordedFramesAreDeclared(t *testing.T) {
	for _, file := range recordings(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			recorded(t, file, func(_ bool, fr, request frame) {
				switch {
				case fr.Error != nil:
				case fr.Method == "shutdown" || request.Method == "shutdown":
				case fr.Method != "":
					if p, ok := payloads[fr.Method]; ok {
						covers(t, p[0], fr.Params, fr.Method)
					}
				case request.Method != "":
					covers(t, payloads[request.Method][1], fr.Result, request.Method)
				}
			})
		})
	}
}

var (
	rawType   = reflect.TypeFor[spec.Raw]()
	unionType = reflect.TypeFor[spec.Union]()
)

// covers reports members of value, a JSON text, that t does not declare, and
// values of another JSON type.
func covers(t *testing.T, typ reflect.Type, value json.RawMessage, at string) {
	t.Helper()
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	value = bytes.TrimSpace(value)
	if typ == rawType || len(value) == 0 {
		return
	}
	want := map[byte][]reflect.Kind{
		'{': {reflect.Struct}, '[': {reflect.Slice}, '"': {reflect.String}, 't': {reflect.Bool}, 'f': {reflect.Bool},
	}[value[0]]
	if want == nil {
		want = []reflect.Kind{reflect.Int64, reflect.Float64}
	}
	if !assert.Containsf(t, want, typ.Kind(), "%s is %s, declared as %s", at, value, typ) {
		return
	}
	switch value[0] {
	case '[':
		var items []json.RawMessage
		require.NoError(t, json.Unmarshal(value, &items))
		for _, x := range items {
			covers(t, typ.Elem(), x, at+"[]")
		}
	case '{':
		var got map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(value, &got))
		members := declaredMembers(t, typ, got, at)
		for name, v := range got {
			m, ok := members[name]
			if assert.Truef(t, ok, "%s.%s is not declared in %s", at, name, typ.Name()) {
				covers(t, m, v, at+"."+name)
			}
		}
	}
}

// declaredMembers are the members that an object of a type may have; of a
// union, those of the variant that the object names.
func declaredMembers(t *testing.T, typ reflect.Type, object map[string]json.RawMessage, at string) map[string]reflect.Type {
	t.Helper()
	out := map[string]reflect.Type{}
	tag, content, found := "", "", ""
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Type == unionType {
			tag, content = f.Tag.Get("tag"), f.Tag.Get("content")
			out[tag] = reflect.TypeFor[string]()
			require.NoError(t, json.Unmarshal(object[tag], &found), at)
			continue
		}
		if v := f.Tag.Get("variant"); v != "" {
			if v != found {
				continue
			}
			if content != "" {
				out[content] = f.Type
				continue
			}
			for i := range f.Type.Elem().NumField() {
				m := f.Type.Elem().Field(i)
				name, _, _ := strings.Cut(m.Tag.Get("json"), ",")
				out[name] = m.Type
			}
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		out[name] = f.Type
	}
	return out
}

// Each text with which a real peer refused something is one that we can say.
func TestRecordedErrorTextsAreDeclared(t *testing.T) {
	m := theModel(t)
	general := []string{}
	for _, e := range m.Errors {
		general = append(general, e.Legacy...)
	}
	refused := 0
	for _, file := range recordings(t) {
		recorded(t, file, func(_ bool, fr, request frame) {
			if fr.Error == nil {
				return
			}
			refused++
			texts := slices.Clone(general)
			for _, x := range m.Methods {
				if x.Name != request.Method {
					continue
				}
				for _, r := range x.Refusals {
					texts = append(texts, r.Text, r.Wrong, r.Blank)
				}
				if x.Legacy != nil {
					for _, l := range x.Legacy.Texts {
						texts = append(texts, l.Text)
					}
				}
			}
			said := slices.ContainsFunc(texts, func(text string) bool { return says(text, fr.Error.Message) })
			assert.Truef(t, said, "%s: no declared text gives %q", request.Method, fr.Error.Message)
			assert.Equal(t, legacyCode, fr.Error.Code)
		})
	}
	assert.Greater(t, refused, 15)
}

var placeholder = regexp.MustCompile(`\\\{\w+\\\}`)

// says reports whether a text with {members} gives a message.
func says(text, message string) bool {
	pattern := placeholder.ReplaceAllString(regexp.QuoteMeta(text), "(?s:.*)")
	return text != "" && regexp.MustCompile("^"+pattern+"$").MatchString(message)
}
