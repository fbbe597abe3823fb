// SPDX-License-Identifier: Apache-2.0

package golang_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/emit/emittest"
	"github.com/accordkit/accord/generator/emit/golang"
	plain "github.com/accordkit/accord/generator/emit/golang/testdata/plain_client"
	folded "github.com/accordkit/accord/generator/emit/golang/testdata/queue_client"
	"github.com/accordkit/accord/spec/model"
)

const (
	caseWire  = "github.com/accordkit/accord/generator/emit/golang/testdata/"
	queueWire = caseWire + "queue"
)

// clients are the protocols whose clients are checked in.
func clients(t *testing.T) map[string]*model.Protocol {
	t.Helper()
	// The sample announces a capability where no member is for it.
	sample := func() *model.Protocol {
		p := emittest.Queue()
		p.Capabilities[0].Name = "stop"
		for _, m := range p.Methods {
			if m.Needs == "job.stop" {
				m.Needs = "stop"
			}
		}
		return p
	}
	direct := sample()
	direct.Links = nil
	for _, m := range direct.Methods {
		for _, k := range m.Settles {
			// The sample's note names no job: who it is about is known by hand.
			k.By = slices.DeleteFunc(k.By, func(w model.Way) bool { return w.How == model.ByFrame })
			for i := range k.By {
				k.By[i].Link = ""
			}
		}
	}
	return map[string]*model.Protocol{
		"queue_client":  sample(),    // with a fold, which is by hand
		"plain_client":  direct,      // the ticket is the job itself: nothing is by hand
		"editor_client": theEditor(), // no version, no scope
		"lens_client":   loaded(t, "lens"),
		"mill_client":   loaded(t, "mill"),
	}
}

func TestClientGolden(t *testing.T) {
	for name, p := range clients(t) {
		o := golang.ClientOptions{Wire: queueWire, Names: map[string]string{"job/print": "Print"}}
		if of := strings.TrimSuffix(name, "_client"); of == "editor" || of == "lens" || of == "mill" {
			o = golang.ClientOptions{Wire: caseWire + of}
		}
		files, err := golang.Client(p, o)
		require.NoError(t, err)
		dir := filepath.Join("testdata", name)
		if *update {
			writeAll(t, dir, files)
		}
		want := map[string]bool{}
		for _, f := range files {
			want[f.Name] = true
			data, err := os.ReadFile(filepath.Join(dir, f.Name))
			require.NoError(t, err, "run go test ./generator/emit/golang -update")
			if diff := cmp.Diff(strings.Split(string(data), "\n"), strings.Split(string(f.Data), "\n")); diff != "" {
				t.Errorf("%s/%s is not as expected; if it should be, run go test ./generator/emit/golang -update\n%s", name, f.Name, diff)
			}
		}
		for _, old := range glob(t, dir) {
			assert.True(t, want[filepath.Base(old)], "%s is not generated any more", old)
		}
	}
}

func TestAnOverrideThatNothingUsesIsAProblem(t *testing.T) {
	_, err := golang.Client(emittest.Queue(), golang.ClientOptions{Wire: queueWire, Names: map[string]string{"job/prnt": "Print"}})
	require.ErrorContains(t, err, `"job/prnt"`)
	_, err = golang.Client(emittest.Queue(), golang.ClientOptions{})
	require.ErrorContains(t, err, "import path")
}

func TestWhatAClientCannotFollowIsAProblem(t *testing.T) {
	p := emittest.Queue()
	p.Types = append(p.Types, &model.Type{Name: "Printer", Kind: model.KindNamed, Of: &model.Ref{Kind: model.RefString}})
	second := *p.Methods[1]
	second.Name, second.GoName = "job/reprint", "JobReprint"
	second.Settles = []*model.Case{{By: []model.Way{{How: model.ByEnd, Activity: "job", Key: "job"}}}}
	p.Methods = append(p.Methods, &second)
	_, err := golang.Client(p, golang.ClientOptions{Wire: queueWire})
	require.ErrorContains(t, err, "job/print and job/reprint lead to a job in different ways")
	require.ErrorContains(t, err, "the Go name Printer")
}

// A method that would be one that a connection or a handle has anyway is told at
// its place.
func TestMethodsThatAClientHasAnyway(t *testing.T) {
	for name, change := range map[string]func(*model.Protocol){
		"the method Err of": func(p *model.Protocol) {
			p.Methods = append(p.Methods, &model.Method{Name: "err", GoName: "Err", From: model.Client, Runs: model.Shared, Pos: model.Pos{File: "methods.go", Line: 9, Col: 5}})
		},
		"the method ID of Tray": func(p *model.Protocol) { p.Methods[1].GoName = "ID" },
	} {
		p := emittest.Queue()
		change(p)
		_, err := golang.Client(p, golang.ClientOptions{Wire: queueWire})
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
	rt, err := plain.Connect(t.Context(), r, w, plain.Options{Handler: plain.Handler{
		JobInk: func(_ context.Context, p *plain.JobInkParams) { ink <- p.Text },
	}})
	require.NoError(t, err)
	defer func() { assert.NoError(t, rt.Close(context.Background())) }()
	job, err := rt.Tray("a").Print(t.Context(), []plain.Page{&plain.TextPage{Text: "hi"}}, nil)
	require.NoError(t, err)
	assert.Equal(t, plain.JobID("j1"), job.Receipt.Job)
	end, err := job.Settled(t.Context())
	require.NoError(t, err)
	assert.Equal(t, plain.OutcomePrinted, end.Outcome)
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
	rt, err := folded.Connect(t.Context(), r, w, folded.Options{})
	require.NoError(t, err)
	defer func() { assert.NoError(t, rt.Close(context.Background())) }()
	job, err := rt.Tray("a").Print(t.Context(), []folded.Page{&folded.TextPage{Text: "hi"}}, nil)
	require.NoError(t, err)
	end, err := job.Settled(t.Context())
	require.NoError(t, err)
	assert.Equal(t, folded.OutcomePrinted, end.Outcome)
	assert.Equal(t, 1, end.Notes)
}
