// SPDX-License-Identifier: Apache-2.0

package jobsclient_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/clients/go/jobsclient"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/jobs"
	"github.com/accordkit/accord/runtime/jobs/jobsserver"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// The broker's times and bounds, as the protocol has them.
const (
	leaseTime  = 30 * time.Second
	graceTime  = 2 * time.Second
	maxWaiting = 1000
)

// broker keeps queues in memory: the least that serves the protocol.
type broker struct {
	mu     sync.Mutex // guards all below, and everything that hangs on it
	queues map[jobs.QueueID]*queue
	leases int
	asks   sync.WaitGroup // questions to workers that are under way
}

func newBroker() *broker { return &broker{queues: map[jobs.QueueID]*queue{}} }

// queue is jobs in the order in which they came, and who listens and works.
type queue struct {
	b       *broker
	id      jobs.QueueID
	jobs    []*job
	members []*member
}

type job struct {
	jobs.SubmitParams
	state   jobs.State
	attempt int64
	worker  *member
	lease   jobs.Lease
	timer   *time.Timer        // of the lease, or of the time to finish
	asked   context.CancelFunc // ends the question to its worker
	ended   *jobs.Ended
}

// member is one client in one queue.
type member struct {
	peer  *jobsserver.Peer
	lane  *jsonrpc.Lane
	slots int64
}

// queue is called with the lock held, as are all methods of queue.
func (b *broker) queue(id jobs.QueueID) *queue {
	if b.queues[id] == nil {
		b.queues[id] = &queue{b: b, id: id}
	}
	return b.queues[id]
}

// member of a peer; one that is attached gets the queue's frames.
func (q *queue) member(p *jobsserver.Peer) *member {
	i := slices.IndexFunc(q.members, func(m *member) bool { return m.peer == p })
	if i < 0 {
		i = len(q.members)
		q.members = append(q.members, &member{peer: p, lane: p.Conn().NewLane(nil)})
	}
	return q.members[i]
}

func (q *queue) find(is func(*job) bool) *job {
	if i := slices.IndexFunc(q.jobs, is); i >= 0 {
		return q.jobs[i]
	}
	return nil
}

func (q *queue) byID(id jobs.JobID) *job { return q.find(func(j *job) bool { return j.Job == id }) }

func (q *queue) byLease(l jobs.Lease) *job { return q.find(func(j *job) bool { return j.lease == l }) }

// attempts is how many leases a job may use up.
func (j *job) attempts() int64 {
	if j.Attempts == 0 {
		return 3
	}
	return j.Attempts
}

func (j *job) waits() bool { return j.ended == nil && j.state == jobs.StateWaiting }

func (q *queue) waiting() (n int) {
	for _, j := range q.jobs {
		if j.waits() {
			n++
		}
	}
	return n
}

// become moves a job to a state and says so.
func (q *queue) become(j *job, s jobs.State) {
	j.state = s
	for _, m := range q.members {
		m.peer.JobChanged(m.lane, &jobs.Changed{Queue: q.id, Job: j.Job, State: s, Attempt: j.attempt})
	}
}

// end ends a job and whatever its worker does.
func (q *queue) end(j *job, e jobs.Ended) {
	q.release(j)
	e.Queue, e.Job = q.id, j.Job
	j.ended = &e
	for _, m := range q.members {
		m.peer.JobEnded(m.lane, &e)
	}
}

func (q *queue) release(j *job) {
	if j.timer != nil {
		j.timer.Stop()
	}
	if j.asked != nil {
		j.asked()
	}
	j.worker, j.timer, j.asked = nil, nil, nil
}

// after has f called with the lock held, unless the job was released before.
func (q *queue) after(j *job, d time.Duration, f func()) {
	if j.timer != nil {
		j.timer.Stop()
	}
	var t *time.Timer
	t = time.AfterFunc(d, func() {
		q.b.mu.Lock()
		defer q.b.mu.Unlock()
		if j.timer == t {
			f()
		}
	})
	j.timer = t
}

// giveBack takes a job from a worker whose lease is over.
func (q *queue) giveBack(j *job) {
	if j.state == jobs.StateStopping {
		q.end(j, jobs.Ended{Result: jobs.ResultCancelled})
		return
	}
	if j.attempt >= j.attempts() {
		q.end(j, jobs.Ended{Result: jobs.ResultExpired})
		return
	}
	q.release(j)
	j.lease = ""
	q.become(j, jobs.StateWaiting)
	q.dispatch()
}

// dispatch gives waiting jobs to workers that have slots.
func (q *queue) dispatch() {
	for {
		j := q.find((*job).waits)
		i := slices.IndexFunc(q.members, func(m *member) bool { return m.slots > 0 })
		if j == nil || i < 0 {
			return
		}
		q.assign(j, q.members[i])
	}
}

func (q *queue) assign(j *job, m *member) {
	m.slots--
	q.b.leases++
	j.attempt++
	j.worker, j.lease = m, jobs.Lease(fmt.Sprintf("l-%d", q.b.leases))
	q.become(j, jobs.StateRunning)
	q.after(j, leaseTime, func() { q.giveBack(j) })
	ask := &jobs.RunParams{
		Queue: q.id, Job: j.Job, Lease: j.lease, LeaseMS: leaseTime.Milliseconds(), Attempt: j.attempt, Task: j.Task, Input: j.Input,
	}
	ctx, cancel := context.WithCancel(m.peer.Conn().Context())
	j.asked = cancel
	q.b.asks.Go(func() {
		r, err := m.peer.JobRun(ctx, ask)
		q.b.mu.Lock()
		defer q.b.mu.Unlock()
		if j.lease == ask.Lease && j.ended == nil && (err != nil || !r.Accepted) {
			q.giveBack(j)
		}
	})
}

// server is the broker as one client sees it.
type server struct {
	jobsserver.UnimplementedServer
	b    *broker
	peer *jobsserver.Peer
}

func (s *server) QueueSubmit(c jobsserver.Call[*jobs.SubmitResult], p *jobs.SubmitParams) {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	q := s.b.queue(p.Queue)
	if !c.Silent() {
		c.Via(q.member(s.peer).lane)
	}
	ahead := q.waiting()
	switch j := q.byID(p.Job); {
	case j != nil && (j.Task != p.Task || string(j.Input) != string(p.Input)):
		c.Fail(&jobs.DiffersError{})
	case j != nil:
		c.Reply(&jobs.SubmitResult{Ahead: int64(ahead), Again: true, Ended: j.ended})
	case ahead >= maxWaiting:
		c.Fail(&jobs.FullError{RetryAfterMS: 50})
	default:
		c.Reply(&jobs.SubmitResult{Ahead: int64(ahead)})
		j = &job{SubmitParams: *p}
		q.jobs = append(q.jobs, j)
		q.become(j, jobs.StateWaiting)
		q.dispatch()
	}
}

func (s *server) QueueCancel(c jobsserver.Call[*jobs.CancelResult], p *jobs.CancelParams) {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	q := s.b.queue(p.Queue)
	switch j := q.byID(p.Job); {
	case j == nil:
		c.Reply(&jobs.CancelResult{Effect: jobs.EffectUnknown})
	case j.ended != nil:
		c.Reply(&jobs.CancelResult{Effect: jobs.EffectOver})
	default:
		c.Reply(&jobs.CancelResult{Effect: jobs.EffectStopping})
		switch j.state {
		case jobs.StateWaiting:
			q.end(j, jobs.Ended{Result: jobs.ResultCancelled})
		case jobs.StateRunning:
			q.become(j, jobs.StateStopping)
			q.after(j, graceTime, func() { q.giveBack(j) })
		}
	}
}

func (s *server) QueueFinish(c jobsserver.Call[codec.Appender], p *jobs.FinishParams) {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	q := s.b.queue(p.Queue)
	c.Via(q.member(s.peer).lane)
	j := q.byLease(p.Lease)
	if j == nil || j.ended != nil && j.ended.Result != p.Result {
		c.Fail(&jobs.LeaseLostError{})
		return
	}
	if j.ended == nil {
		q.end(j, jobs.Ended{Result: p.Result, Output: p.Output, Message: p.Message})
	}
	c.Reply(nil)
}

func (s *server) QueueReport(p *jobs.Report) {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	q := s.b.queue(p.Queue)
	j := q.byLease(p.Lease)
	if j == nil || j.ended != nil {
		return
	}
	if j.state == jobs.StateRunning {
		q.after(j, leaseTime, func() { q.giveBack(j) })
	}
	for _, m := range q.members {
		m.peer.JobProgress(m.lane, &jobs.Progress{Queue: q.id, Job: j.Job, Attempt: j.attempt, Done: p.Done, Total: p.Total, Note: p.Note})
	}
}

func (s *server) QueueWork(_ context.Context, p *jobs.WorkParams) (*jobs.WorkResult, error) {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	q := s.b.queue(p.Queue)
	m := q.member(s.peer)
	m.slots += p.Slots
	r := &jobs.WorkResult{Slots: m.slots}
	q.dispatch()
	return r, nil
}

func (s *server) QueueList(_ context.Context, p *jobs.ListParams) (*jobs.ListResult, error) {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	limit := p.Limit
	if limit == 0 {
		limit = 50
	}
	r := &jobs.ListResult{}
	past := p.Cursor == ""
	for _, j := range s.b.queue(p.Queue).jobs {
		switch {
		case !past:
			past = string(j.Job) == p.Cursor
		case j.ended != nil:
		case int64(len(r.Jobs)) == limit:
			r.Next = string(r.Jobs[limit-1].Job)
			return r, nil
		default:
			r.Jobs = append(r.Jobs, jobs.Info{Job: j.Job, Task: j.Task, State: j.state, Attempt: j.attempt})
		}
	}
	return r, nil
}

// serve runs a connection until its streams end, and then forgets its client.
func (b *broker) serve(ctx context.Context, r io.Reader, w io.Writer) {
	// A worker's report must not wait for who reads its progress slowly.
	p := jobsserver.NewPeer(r, w, jsonrpc.Config{Limits: jsonrpc.Limits{LiveWait: -1}}, func(p *jobsserver.Peer) jobsserver.Server { return &server{b: b, peer: p} })
	_ = p.Serve(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, q := range b.queues {
		q.members = slices.DeleteFunc(q.members, func(m *member) bool { return m.peer == p })
	}
}

// link is a broker's end of a new connection, and a client's.
func (b *broker) link(t *testing.T) (io.ReadCloser, io.WriteCloser) {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		defer toClient.Close()
		b.serve(context.Background(), fromClient, toClient)
	}()
	t.Cleanup(func() {
		_ = toServer.Close()
		_ = fromServer.Close()
		<-served
		b.asks.Wait()
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, q := range b.queues {
			for _, j := range q.jobs {
				q.release(j)
			}
		}
	})
	return fromServer, toServer
}

// connect is a client of the broker.
func (b *broker) connect(t *testing.T, o jobsclient.Options) *jobsclient.Broker {
	t.Helper()
	r, w := b.link(t)
	c, err := jobsclient.Connect(t.Context(), r, w, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close(context.Background())) })
	return c
}
