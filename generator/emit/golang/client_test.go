// SPDX-License-Identifier: Apache-2.0

package golang_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/emit/emittest"
	"github.com/accordkit/accord/generator/emit/golang"
	"github.com/accordkit/accord/generator/emit/golang/testdata/plain"
	"github.com/accordkit/accord/generator/emit/golang/testdata/plainclient"
	"github.com/accordkit/accord/generator/emit/golang/testdata/queue"
	"github.com/accordkit/accord/generator/emit/golang/testdata/queueclient"
	"github.com/accordkit/accord/spec/model"
)

func TestAnOverrideThatNothingUsesIsAProblem(t *testing.T) {
	_, err := golang.Client(emittest.Queue(), golang.ClientOptions{Payloads: payloadsOf("queue"), Names: map[string]string{"job/prnt": "Print"}})
	require.ErrorContains(t, err, `"job/prnt"`)
	_, err = golang.Client(emittest.Queue(), golang.ClientOptions{})
	require.ErrorContains(t, err, "import path")
}

func TestWhatAClientCannotFollowIsAProblem(t *testing.T) {
	p := emittest.Queue()
	p.Activities[0].Handle = "Printer" // which is the connection
	second := *p.Methods[1]
	second.Name, second.GoName = "job/reprint", "JobReprint"
	second.Settles = []*model.Case{{By: []model.Way{{How: model.ByEnd, Activity: "job", Key: "job"}}}}
	p.Methods = append(p.Methods, &second)
	_, err := golang.Client(p, golang.ClientOptions{Payloads: payloadsOf("queue")})
	require.ErrorContains(t, err, "job/print and job/reprint lead to a job in different ways")
	require.ErrorContains(t, err, "the Go name Printer")
}

// A method whose name a connection or a handle has anyway is reported at its
// place.
func TestMethodsThatAClientHasAnyway(t *testing.T) {
	for name, change := range map[string]func(*model.Protocol){
		"the method Err of": func(p *model.Protocol) {
			p.Methods = append(p.Methods, &model.Method{Name: "err", GoName: "Err", From: model.Client, Runs: model.Shared, Pos: model.Pos{File: "methods.go", Line: 9, Col: 5}})
		},
		"the method ID of Tray": func(p *model.Protocol) { p.Methods[1].GoName = "ID" },
	} {
		p := emittest.Queue()
		change(p)
		_, err := golang.Client(p, golang.ClientOptions{Payloads: payloadsOf("queue")})
		require.ErrorContains(t, err, name)
		require.ErrorContains(t, err, "set its GoName")
	}
}

// printer is the other side of a queue: it answers calls, and says what a test
// gives it.
func printer(t *testing.T, answer func(method string) (result string, before, after []string)) (io.Reader, io.Writer) {
	in, w := io.Pipe()
	r, out := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		lines := bufio.NewScanner(in)
		for lines.Scan() {
			var f struct {
				ID     json.RawMessage
				Method string
			}
			assert.NoError(t, json.Unmarshal(lines.Bytes(), &f))
			result, before, after := answer(f.Method)
			for _, s := range before {
				fmt.Fprintln(out, s)
			}
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", f.ID, result)
			for _, s := range after {
				fmt.Fprintln(out, s)
			}
		}
	}()
	t.Cleanup(func() {
		_ = in.Close()
		_ = out.Close()
		<-done
	})
	return r, w
}

func jobEvent(seq int, kind, data string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"job.event","params":{"trayId":"a","job":"j1","event":{"type":%q,"seq":%d,"data":%s}}}`, kind, seq, data)
}

func queueAnswers(method string) (result string, before, after []string) {
	switch method {
	case "hello":
		return `{"version":2,"offers":{"stop":true}}`, nil, nil
	case "job/print":
		return `{"job":"j1"}`, []string{jobEvent(0, "note", `{"text":"j1"}`)},
			[]string{
				`{"jsonrpc":"2.0","method":"job.ink","params":{"trayId":"a","job":"j1","n":0,"text":"black"}}`,
				jobEvent(1, "end", `{"why":"done"}`),
			}
	}
	return `{"effect":"over"}`, nil, nil
}

// The same generator serves a job queue: a protocol without a turn in sight.
func TestAPlainClientAtWork(t *testing.T) {
	r, w := printer(t, queueAnswers)
	ink := make(chan string, 1)
	rt, err := plainclient.Connect(t.Context(), r, w, plainclient.Options{Handler: plainclient.Handler{
		JobInk: func(_ context.Context, p *plain.JobInkParams) { ink <- p.Text },
	}})
	require.NoError(t, err)
	defer func() { assert.NoError(t, rt.Close(context.Background())) }()
	job, err := rt.Tray("a").Print(t.Context(), []plain.Page{&plain.TextPage{Text: "hi"}}, nil)
	require.NoError(t, err)
	assert.Equal(t, plain.JobID("j1"), job.Receipt.Job)
	end, err := job.Settled(t.Context())
	require.NoError(t, err)
	assert.Equal(t, plainclient.OutcomePrinted, end.Outcome)
	assert.True(t, end.Outcome.OK())
	events := 0
	for e := range job.Events(t.Context()) {
		assert.Equal(t, plain.TrayID("a"), e.TrayID)
		events++
	}
	assert.Equal(t, 1, events, "the end; a note bears no job here")
	assert.Equal(t, "black", <-ink)
}

func TestAFoldedClientAtWork(t *testing.T) {
	r, w := printer(t, queueAnswers)
	rt, err := queueclient.Connect(t.Context(), r, w, queueclient.Options{})
	require.NoError(t, err)
	defer func() { assert.NoError(t, rt.Close(context.Background())) }()
	job, err := rt.Tray("a").Print(t.Context(), []queue.Page{&queue.TextPage{Text: "hi"}}, nil)
	require.NoError(t, err)
	end, err := job.Settled(t.Context())
	require.NoError(t, err)
	assert.Equal(t, queueclient.OutcomePrinted, end.Outcome)
	assert.Equal(t, 1, end.Notes)
}
