// SPDX-License-Identifier: Apache-2.0

package jobsclient_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/accordkit/accord/clients/go/jobsclient"
	"github.com/accordkit/accord/runtime/client"
	"github.com/accordkit/accord/runtime/jobs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// test runs f against a new broker, in time that passes when all wait.
func test(t *testing.T, f func(t *testing.T, b *broker)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, newBroker()) })
}

// hired is a worker: it hands out what it is asked to run.
type hired struct {
	*jobsclient.Queue
	asked   chan *jobs.RunParams
	changed chan *jobs.Changed
}

// hire connects a worker to queue "mail" that accepts what it is asked.
func (b *broker) hire(t *testing.T, slots int64) *hired {
	t.Helper()
	w := &hired{asked: make(chan *jobs.RunParams, 16), changed: make(chan *jobs.Changed, 64)}
	c := b.connect(t, jobsclient.Options{
		JobRun: func(_ context.Context, p *jobs.RunParams) (*jobs.RunResult, error) {
			w.asked <- p
			return &jobs.RunResult{Accepted: true}, nil
		},
		Handler: jobsclient.Handler{JobChanged: func(_ context.Context, p *jobs.Changed) { w.changed <- p }},
	})
	w.Queue = c.Queue("mail")
	if slots > 0 {
		r, err := w.Work(t.Context(), slots)
		require.NoError(t, err)
		assert.Equal(t, slots, r.Slots)
	}
	return w
}

func (w *hired) becomes(t *testing.T, s jobs.State) {
	t.Helper()
	for p := range w.changed {
		if p.State == s {
			return
		}
	}
}

// A job goes both ways through the broker: a client asks it, it asks a worker,
// the worker reports and finishes, and the client sees all of it.
func TestAJob(t *testing.T) {
	test(t, func(t *testing.T, b *broker) {
		w := b.hire(t, 1)
		mail := b.connect(t, jobsclient.Options{}).Queue("mail")
		input := make([]byte, 256) // any bytes at all
		for i := range input {
			input[i] = byte(i)
		}
		job, err := mail.Submit(t.Context(), "welcome-42", "send", &jobs.SubmitOptions{Input: input})
		require.NoError(t, err)
		assert.Equal(t, jobs.JobID("welcome-42"), job.ID())
		assert.Zero(t, job.Receipt.Ahead)

		run := <-w.asked
		assert.Equal(t, input, run.Input)
		require.NoError(t, w.Report(run.Lease, 1, &jobs.ReportOptions{Total: new(int64(2)), Note: "half"}))
		synctest.Wait() // else the two may be one
		require.NoError(t, w.Report(run.Lease, 2, nil))
		require.NoError(t, w.Finish(t.Context(), run.Lease, jobs.ResultSucceeded, &jobs.FinishOptions{Output: []byte("250 OK")}))

		end, err := job.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, jobsclient.OutcomeSucceeded, end.Outcome)
		assert.True(t, end.Outcome.OK())
		assert.Equal(t, []byte("250 OK"), end.Last.Output)

		var states []jobs.State
		for c := range job.Changes(t.Context()) {
			states = append(states, c.State)
		}
		assert.Equal(t, []jobs.State{jobs.StateWaiting, jobs.StateRunning}, states)
		var done []int64
		for p := range job.Progress(t.Context()) {
			done = append(done, p.Done)
		}
		assert.Equal(t, []int64{1, 2}, done)
	})
}

// A submit may be repeated by the name that its client chose: while the job is
// under way, after its end, and from another connection.
func TestSubmitIsRepeatable(t *testing.T) {
	test(t, func(t *testing.T, b *broker) {
		mail := b.connect(t, jobsclient.Options{}).Queue("mail")
		first, err := mail.Submit(t.Context(), "a", "send", nil)
		require.NoError(t, err)
		assert.False(t, first.Receipt.Again)
		second, err := b.connect(t, jobsclient.Options{}).Queue("mail").Submit(t.Context(), "a", "send", nil)
		require.NoError(t, err)
		assert.True(t, second.Receipt.Again)

		var differs *jobs.DiffersError
		_, err = mail.Submit(t.Context(), "a", "print", nil)
		require.ErrorAs(t, err, &differs)

		w := b.hire(t, 1)
		run := <-w.asked
		require.NoError(t, w.Finish(t.Context(), run.Lease, jobs.ResultFailed, &jobs.FinishOptions{Message: "no such mailbox"}))
		require.NoError(t, w.Finish(t.Context(), run.Lease, jobs.ResultFailed, nil), "the lease that ended the job may do so again")
		for _, job := range []*jobsclient.Job{first, second} {
			end, err := job.Settled(t.Context())
			require.NoError(t, err)
			assert.Equal(t, jobsclient.OutcomeFailed, end.Outcome)
		}

		late, err := mail.Submit(t.Context(), "a", "send", nil)
		require.NoError(t, err)
		end, err := late.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, jobsclient.OutcomeFailed, end.Outcome, "the answer tells the end")
		assert.Equal(t, "no such mailbox", end.Last.Message)
	})
}

// Giving up a submit does not withdraw it: the job continues, since the same
// submit finds it again.
func TestASubmitThatIsGivenUpGoesOn(t *testing.T) {
	test(t, func(t *testing.T, b *broker) {
		r, w := b.link(t)
		held, out := io.Pipe() // what the broker answers comes late
		c, err := jobsclient.Connect(t.Context(), held, w, jobsclient.Options{})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error)
		go func() {
			_, err := c.Queue("mail").Submit(ctx, "a", "send", nil)
			failed <- err
		}()
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-failed, context.Canceled)
		copied := make(chan struct{})
		go func() {
			defer close(copied)
			_, _ = io.Copy(out, r)
		}()
		synctest.Wait()
		require.NoError(t, c.Close(context.Background()))
		<-copied

		again, err := b.connect(t, jobsclient.Options{}).Queue("mail").Submit(t.Context(), "a", "send", nil)
		require.NoError(t, err)
		assert.True(t, again.Receipt.Again)
		assert.Nil(t, again.Receipt.Ended)
	})
}

func TestCancel(t *testing.T) {
	test(t, func(t *testing.T, b *broker) {
		mail := b.connect(t, jobsclient.Options{}).Queue("mail")

		waiting, err := mail.Submit(t.Context(), "a", "send", nil)
		require.NoError(t, err)
		stop, err := waiting.Cancel(t.Context())
		require.NoError(t, err)
		assert.Equal(t, jobs.EffectStopping, stop.Result.Effect)
		require.NoError(t, stop.Settled(t.Context()))
		end, err := waiting.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, jobsclient.OutcomeCancelled, end.Outcome)

		// A worker is notified, and may finish.
		w := b.hire(t, 2)
		polite, err := mail.Submit(t.Context(), "b", "send", nil)
		require.NoError(t, err)
		run := <-w.asked
		stop, err = polite.Cancel(t.Context())
		require.NoError(t, err)
		w.becomes(t, jobs.StateStopping)
		require.NoError(t, w.Finish(t.Context(), run.Lease, jobs.ResultSucceeded, nil))
		require.NoError(t, stop.Settled(t.Context()))
		end, err = polite.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, jobsclient.OutcomeSucceeded, end.Outcome, "it was done all the same")

		// One that does not is not waited for.
		stubborn, err := mail.Submit(t.Context(), "c", "send", nil)
		require.NoError(t, err)
		run = <-w.asked
		begun := time.Now()
		stop, err = mail.Cancel(t.Context(), stubborn.ID())
		require.NoError(t, err)
		require.NoError(t, stop.Settled(t.Context()))
		assert.Equal(t, graceTime, time.Since(begun))
		var lost *jobs.LeaseLostError
		require.ErrorAs(t, w.Finish(t.Context(), run.Lease, jobs.ResultSucceeded, nil), &lost)

		over, err := mail.Cancel(t.Context(), "c")
		require.NoError(t, err)
		assert.Equal(t, jobs.EffectOver, over.Result.Effect)
		require.NoError(t, over.Settled(t.Context()))
		unknown, err := mail.Cancel(t.Context(), "never")
		require.NoError(t, err)
		assert.Equal(t, jobs.EffectUnknown, unknown.Result.Effect)
	})
}

// J1: a job has one lease at a time. One that is not used runs out, and its
// worker is fenced.
func TestALeaseRunsOut(t *testing.T) {
	test(t, func(t *testing.T, b *broker) {
		mail := b.connect(t, jobsclient.Options{}).Queue("mail")
		silent := b.hire(t, 1)
		job, err := mail.Submit(t.Context(), "a", "send", &jobs.SubmitOptions{Attempts: 2})
		require.NoError(t, err)
		first := <-silent.asked

		time.Sleep(leaseTime - time.Second)
		require.NoError(t, silent.Report(first.Lease, 1, nil)) // keeps it
		time.Sleep(leaseTime - time.Second)
		synctest.Wait()
		diligent := b.hire(t, 1)
		assert.Empty(t, diligent.asked, "the lease still holds")
		silent.becomes(t, jobs.StateWaiting)

		second := <-diligent.asked
		assert.Equal(t, int64(2), second.Attempt)
		assert.NotEqual(t, first.Lease, second.Lease)
		var lost *jobs.LeaseLostError
		require.ErrorAs(t, silent.Finish(t.Context(), first.Lease, jobs.ResultSucceeded, nil), &lost)
		require.NoError(t, silent.Report(first.Lease, 99, nil)) // does nothing

		begun := time.Now()
		end, err := job.Settled(t.Context()) // the last lease runs out too
		require.NoError(t, err)
		assert.Equal(t, leaseTime, time.Since(begun))
		assert.Equal(t, jobsclient.OutcomeExpired, end.Outcome)
		for p := range job.Progress(t.Context()) {
			assert.NotEqual(t, int64(99), p.Done)
		}
	})
}

// J2: jobs are taken in order. J3: a worker is asked as often as it offered.
// Slots add up.
func TestWorkersTakeInOrderAndNoMoreThanTheyOffer(t *testing.T) {
	test(t, func(t *testing.T, b *broker) {
		mail := b.connect(t, jobsclient.Options{}).Queue("mail")
		for i := range 5 {
			job, err := mail.Submit(t.Context(), jobs.JobID(fmt.Sprint("j", i)), "send", nil)
			require.NoError(t, err)
			assert.Equal(t, int64(i), job.Receipt.Ahead)
		}
		w := b.hire(t, 2)
		synctest.Wait()
		require.Len(t, w.asked, 2)
		r, err := w.Work(t.Context(), 1)
		require.NoError(t, err)
		assert.Equal(t, int64(1), r.Slots)
		synctest.Wait()
		require.Len(t, w.asked, 3)
		assert.ElementsMatch(t, []jobs.JobID{"j0", "j1"}, []jobs.JobID{(<-w.asked).Job, (<-w.asked).Job})
		assert.Equal(t, jobs.JobID("j2"), (<-w.asked).Job)
	})
}

// A client that takes no jobs says so without a word of its host.
func TestAClientThatRunsNothing(t *testing.T) {
	test(t, func(t *testing.T, b *broker) {
		idle := b.connect(t, jobsclient.Options{})
		_, err := idle.Queue("mail").Work(t.Context(), 1)
		require.NoError(t, err)
		job, err := idle.Queue("mail").Submit(t.Context(), "a", "send", &jobs.SubmitOptions{Attempts: 1})
		require.NoError(t, err)
		end, err := job.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, jobsclient.OutcomeExpired, end.Outcome)
	})
}

// A question that has no use any more is withdrawn, without any negotiation.
func TestAQuestionIsWithdrawn(t *testing.T) {
	test(t, func(t *testing.T, b *broker) {
		asked, withdrawn := make(chan struct{}), make(chan struct{})
		c := b.connect(t, jobsclient.Options{JobRun: func(ctx context.Context, _ *jobs.RunParams) (*jobs.RunResult, error) {
			close(asked)
			<-ctx.Done()
			close(withdrawn)
			return nil, ctx.Err()
		}})
		_, err := c.Queue("mail").Work(t.Context(), 1)
		require.NoError(t, err)
		job, err := c.Queue("mail").Submit(t.Context(), "a", "send", nil)
		require.NoError(t, err)
		<-asked
		require.NoError(t, c.Queue("mail").NotifyCancel("a"))
		<-withdrawn
		end, err := job.Settled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, jobsclient.OutcomeCancelled, end.Outcome)
	})
}

func TestListGoesThroughAllPages(t *testing.T) {
	test(t, func(t *testing.T, b *broker) {
		c := b.connect(t, jobsclient.Options{})
		mail := c.Queue("mail")
		var want []jobs.JobID
		for i := range 7 {
			id := jobs.JobID(fmt.Sprint("j", i))
			_, err := mail.Submit(t.Context(), id, "send", nil)
			require.NoError(t, err)
			want = append(want, id)
		}
		before := c.Counters().LinesOut
		var got []jobs.JobID
		for info, err := range mail.List(t.Context(), &jobs.ListOptions{Limit: 3}) {
			require.NoError(t, err)
			assert.Equal(t, jobs.StateWaiting, info.State)
			got = append(got, info.Job)
		}
		assert.Equal(t, want, got)
		assert.Equal(t, before+3, c.Counters().LinesOut)
	})
}

// A producer that wants no answers needs none: what it writes is all there is,
// and nothing is written back.
func TestAClientThatOnlyNotifies(t *testing.T) {
	test(t, func(t *testing.T, b *broker) {
		r, w := b.link(t)
		heard := make(chan []byte)
		go func() {
			all, _ := io.ReadAll(r)
			heard <- all
		}()
		for _, line := range []string{
			`{"jsonrpc":"2.0","method":"queue/submit","params":{"queue":"mail","job":"a","task":"send","input":"aGk="}}`,
			`{"jsonrpc":"2.0","method":"queue/submit","params":{"queue":"mail","job":"b","task":"send"}}`,
			`{"jsonrpc":"2.0","method":"queue/submit","params":{"queue":"mail","job":"a","task":"differs"}}`,
			`{"jsonrpc":"2.0","method":"queue/list","params":{"queue":"mail"}}`, // wants an answer, so it does nothing
			`{"jsonrpc":"2.0","method":"queue/cancel","params":{"queue":"mail","job":"b"}}`,
		} {
			_, err := fmt.Fprintln(w, line)
			require.NoError(t, err)
		}
		synctest.Wait()
		worker := b.hire(t, 2)
		run := <-worker.asked
		assert.Equal(t, []byte("hi"), run.Input)
		require.NoError(t, worker.Finish(t.Context(), run.Lease, jobs.ResultSucceeded, nil))
		require.NoError(t, w.Close())
		assert.Empty(t, <-heard)
		assert.Empty(t, worker.asked, "the other was cancelled")
	})
}

// The generated client writes just that.
func TestNotificationsAsTheyAreWritten(t *testing.T) {
	test(t, func(t *testing.T, _ *broker) {
		in, w := io.Pipe()
		r, out := io.Pipe()
		c, err := jobsclient.Connect(t.Context(), r, w, jobsclient.Options{})
		require.NoError(t, err)
		lines := bufio.NewScanner(in)
		mail := c.Queue("mail")
		for _, each := range []struct {
			send func() error
			want string
		}{
			{
				func() error { return mail.NotifySubmit("a", "send", &jobs.SubmitOptions{Input: []byte("hi")}) },
				`{"jsonrpc":"2.0","method":"queue/submit","params":{"queue":"mail","job":"a","task":"send","input":"aGk="}}`,
			},
			{func() error { return mail.NotifyCancel("a") }, `{"jsonrpc":"2.0","method":"queue/cancel","params":{"queue":"mail","job":"a"}}`},
			{
				func() error { return mail.Report("l-7", 50, &jobs.ReportOptions{Total: new(int64(100))}) },
				`{"jsonrpc":"2.0","method":"queue.report","params":{"queue":"mail","lease":"l-7","done":50,"total":100}}`,
			},
		} {
			require.NoError(t, each.send())
			require.True(t, lines.Scan())
			assert.Equal(t, each.want, lines.Text())
		}
		require.NoError(t, out.Close())
		require.NoError(t, in.Close())
		require.NoError(t, c.Close(context.Background()))
		var gone *jobs.GoneError
		require.ErrorAs(t, mail.NotifyCancel("a"), &gone)
	})
}

// Both sides are strict from the first byte.
func TestWhatIsRefused(t *testing.T) {
	test(t, func(t *testing.T, b *broker) {
		c := b.connect(t, jobsclient.Options{})
		var params *jobs.ParamsError
		_, err := c.Queue("").Submit(t.Context(), "a", "send", nil)
		require.ErrorAs(t, err, &params)
		assert.Equal(t, "queue", params.Path)
		_, err = c.Queue("mail").Submit(t.Context(), "a", "send", &jobs.SubmitOptions{Input: make([]byte, 1<<16+1)})
		require.ErrorAs(t, err, &params)
		assert.Equal(t, "input", params.Path)
		_, err = c.Queue("mail").Work(t.Context(), 65)
		require.ErrorAs(t, err, &params)
		assert.Equal(t, "slots", params.Path)
		var method *jobs.MethodError
		_, err = c.Call(t.Context(), "queue/purge", nil)
		require.ErrorAs(t, err, &method)
		assert.Equal(t, "queue/purge", method.Method)

		r, w := b.link(t)
		answer := bufio.NewReader(r)
		_, err = fmt.Fprintln(w, `{"jsonrpc":"2.0","id":1,"method":"queue/cancel","params":{"queue":"mail","queue":"mail","job":"a"}}`)
		require.NoError(t, err)
		line, err := answer.ReadString('\n')
		require.NoError(t, err)
		assert.Contains(t, line, `"error":{"code":-32600`, "a key that stands twice")
	})
}

func TestAFullQueueIsTriedAgain(t *testing.T) {
	test(t, func(t *testing.T, b *broker) {
		c := b.connect(t, jobsclient.Options{Retry: client.Retry{Attempts: 2}})
		mail := c.Queue("mail")
		for i := range maxWaiting {
			require.NoError(t, mail.NotifySubmit(jobs.JobID(fmt.Sprint("j", i)), "send", nil))
		}
		go func() {
			time.Sleep(40 * time.Millisecond)
			_ = mail.NotifyCancel("j0")
		}()
		begun := time.Now()
		_, err := mail.Submit(t.Context(), "last", "send", nil)
		require.NoError(t, err)
		assert.Equal(t, 50*time.Millisecond, time.Since(begun), "when the broker said")
		var full *jobs.FullError
		_, err = mail.Submit(t.Context(), "too many", "send", nil)
		require.ErrorAs(t, err, &full)
	})
}

// A lost connection ends what follows a job, not the job.
func TestALostConnection(t *testing.T) {
	test(t, func(t *testing.T, b *broker) {
		r, w := b.link(t)
		c, err := jobsclient.Connect(t.Context(), r, w, jobsclient.Options{})
		require.NoError(t, err)
		job, err := c.Queue("mail").Submit(t.Context(), "a", "send", nil)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		end, err := job.Settled(t.Context())
		var gone *jobs.GoneError
		require.ErrorAs(t, err, &gone)
		assert.Equal(t, jobsclient.OutcomeLost, end.Outcome)
		require.NoError(t, c.Close(context.Background()))

		found, err := b.connect(t, jobsclient.Options{}).Queue("mail").Submit(t.Context(), "a", "send", nil)
		require.NoError(t, err)
		assert.True(t, found.Receipt.Again)
	})
}

// A reader that does not keep up gets the latest progress, in few messages.
func TestProgressIsMergedForASlowReader(t *testing.T) {
	test(t, func(t *testing.T, b *broker) {
		w := b.hire(t, 1)
		r, slow := b.link(t)
		lines := bufio.NewReader(r)
		_, err := fmt.Fprintln(slow, `{"jsonrpc":"2.0","id":1,"method":"queue/submit","params":{"queue":"mail","job":"a","task":"send"}}`)
		require.NoError(t, err)
		run := <-w.asked
		const reports = 20000
		for i := range int64(reports) {
			for {
				if err := w.Report(run.Lease, i+1, nil); err == nil {
					break
				}
				synctest.Wait()
			}
			if i%100 == 0 {
				synctest.Wait()
			}
		}
		synctest.Wait()
		require.NoError(t, w.Finish(t.Context(), run.Lease, jobs.ResultSucceeded, nil))
		var seen []int64
		for {
			line, err := lines.ReadBytes('\n')
			require.NoError(t, err)
			var f struct {
				Method string
				Params struct{ Done int64 }
			}
			require.NoError(t, json.Unmarshal(line, &f))
			if f.Method == "job.ended" {
				break
			}
			if f.Method == "job.progress" {
				seen = append(seen, f.Params.Done)
			}
		}
		assert.True(t, slices.IsSorted(seen))
		assert.Less(t, len(seen), reports/2)
		assert.Equal(t, int64(reports), seen[len(seen)-1])
	})
}
