// SPDX-License-Identifier: Apache-2.0

package golang_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	wire "github.com/accordkit/accord/generator/emit/golang/testdata/mill"
	client "github.com/accordkit/accord/generator/emit/golang/testdata/mill_client"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// mill is a queue in memory, for one peer: enough to play each word of its
// declaration.
type mill struct {
	wire.UnimplementedServer
	peer *wire.Peer
	lane *jsonrpc.Lane

	mu      sync.Mutex // guards all below
	tasks   []*millTask
	keys    map[string]*millTask
	log     []wire.Event
	about   []wire.TaskID // of each event
	export  wire.ExportID
	exports int
	beats   int
	reports int
	closed  bool
}

type millTask struct {
	wire.Task
	fence wire.Fence
	until time.Time // of its lease
	ready time.Time
}

// tell is called with the lock held, as are all below.
func (m *mill) tell(id wire.TaskID, e wire.Event) {
	e.Seq = int64(len(m.log))
	m.log, m.about = append(m.log, e), append(m.about, id)
	m.peer.TaskTold(m.lane, &wire.Told{Queue: "q", Task: id, Event: e})
}

func (m *mill) add(load []byte, rank wire.Rank, delay int64) *millTask {
	t := &millTask{ready: time.Now().Add(time.Duration(delay) * time.Millisecond)}
	t.Task = wire.Task{ID: wire.TaskID(fmt.Sprint("t", len(m.tasks))), State: wire.StateReady, Rank: rank, Load: load, Why: codec.Null[string]()}
	if delay > 0 {
		t.State = wire.StateDelayed
	}
	m.tasks = append(m.tasks, t)
	return t
}

func (m *mill) find(id wire.TaskID) *millTask {
	if i := slices.IndexFunc(m.tasks, func(t *millTask) bool { return t.ID == id }); i >= 0 {
		return m.tasks[i]
	}
	return nil
}

func (m *mill) over(t *millTask, state wire.State, why string) {
	t.State, t.Why = state, codec.Some(why)
	m.tell(t.ID, wire.Event{Of: &wire.Over{State: state, Why: why}})
}

func (t *millTask) isOver() bool {
	return t.State == wire.StateDone || t.State == wire.StateDead || t.State == wire.StateCancelled
}

func (m *mill) TaskPut(c wire.TaskPutCall, p *wire.Put) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c.Via(m.lane)
	if p.Key != nil {
		if t := m.keys[*p.Key]; t != nil {
			switch {
			case string(t.Load) != string(p.Load):
				c.Fail(&wire.KeyError{Task: t.ID})
			case t.isOver():
				c.Reply(&wire.PutResult{Task: t.ID, Again: true, Over: &wire.Over{State: t.State}})
			default:
				c.Reply(&wire.PutResult{Task: t.ID, Again: true})
			}
			return
		}
	}
	t := m.add(p.Load, p.Rank, p.DelayMS)
	if p.Key != nil {
		m.keys[*p.Key] = t
	}
	m.tell(t.ID, wire.Event{Of: &wire.In{Rank: p.Rank}})
	c.Reply(&wire.PutResult{Task: t.ID})
}

func (m *mill) TaskRetry(c wire.TaskRetryCall, p *wire.Retry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := m.find(p.Task)
	if old == nil || old.State != wire.StateDead {
		c.Fail(&wire.NoTaskError{})
		return
	}
	t := m.add(old.Load, old.Rank, 0) // another: nothing follows the end of a task
	t.Tries = old.Tries
	c.Via(m.lane)
	c.Reply(&wire.RetryResult{Task: t.ID, Tries: t.Tries})
}

func (m *mill) TaskCancel(c wire.TaskCancelCall, p *wire.Cancel) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.find(p.Task)
	if t == nil {
		c.Fail(&wire.NoTaskError{})
		return
	}
	c.Via(m.lane)
	c.Reply()
	if !t.isOver() {
		m.over(t, wire.StateCancelled, "")
	}
}

func (m *mill) TaskTake(_ context.Context, p *wire.Take) (*wire.Lease, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var best *millTask
	for _, t := range m.tasks {
		free := t.State == wire.StateReady || t.State == wire.StateDelayed || t.State == wire.StateLeased && !time.Now().Before(t.until)
		if free && !time.Now().Before(t.ready) && (best == nil || t.Rank > best.Rank) {
			best = t
		}
	}
	if best == nil {
		return nil, nil
	}
	return m.lease(best, p.Hand, p.ForMS), nil
}

func (m *mill) lease(t *millTask, hand wire.HandID, ms int64) *wire.Lease {
	t.fence++
	t.Tries++
	t.State, t.until = wire.StateLeased, time.Now().Add(time.Duration(ms)*time.Millisecond)
	m.tell(t.ID, wire.Event{Of: &wire.Leased{Hand: hand, Try: t.Tries}})
	return &wire.Lease{Task: t.Task, Fence: t.fence, UntilMS: t.until.UnixMilli()}
}

func (m *mill) held(id wire.TaskID, fence wire.Fence) (*millTask, error) {
	t := m.find(id)
	switch {
	case t == nil:
		return nil, &wire.NoTaskError{}
	case t.State != wire.StateLeased || t.fence != fence:
		return nil, &wire.FenceError{Current: t.fence}
	}
	return t, nil
}

func (m *mill) TaskDone(_ context.Context, p *wire.Held) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, err := m.held(p.Task, p.Fence)
	if err == nil {
		m.over(t, wire.StateDone, "")
	}
	return err
}

func (m *mill) TaskFail(_ context.Context, p *wire.Fail) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, err := m.held(p.Task, p.Fence)
	switch {
	case err != nil:
		return err
	case p.AfterMS == nil:
		m.over(t, wire.StateDead, p.Why)
	default:
		t.State, t.ready = wire.StateDelayed, time.Now().Add(time.Duration(*p.AfterMS)*time.Millisecond)
	}
	return nil
}

func (m *mill) TaskExtend(_ context.Context, p *wire.Held) (*wire.Extended, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, err := m.held(p.Task, p.Fence)
	if err != nil {
		return nil, err
	}
	t.until = t.until.Add(time.Minute)
	return &wire.Extended{UntilMS: t.until.UnixMilli()}, nil
}

func (m *mill) TaskList(_ context.Context, p *wire.List) (*wire.Listed, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	from := 0
	if p.Cursor != nil {
		if _, err := fmt.Sscan(*p.Cursor, &from); err != nil || from > len(m.tasks) {
			return nil, &wire.ParamsError{}
		}
	}
	r := &wire.Listed{}
	for i, t := range m.tasks[from:] {
		if len(r.Tasks) == 2 {
			r.Next = new(fmt.Sprint(from + i))
			break
		}
		if len(p.States) == 0 || slices.Contains(p.States, t.State) {
			r.Tasks = append(r.Tasks, t.Task)
		}
	}
	return r, nil
}

func (m *mill) QueueWatch(c wire.QueueWatchCall, p *wire.Watch) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p.After != nil {
		for i, e := range m.log {
			if e.Seq > *p.After {
				m.peer.TaskTold(m.lane, &wire.Told{Queue: p.Queue, Task: m.about[i], Replay: true, Event: e})
			}
		}
	}
	c.Via(m.lane)
	c.Reply(&wire.Watching{Next: int64(len(m.log))})
}

func (m *mill) QueueExport(c wire.QueueExportCall, p *wire.Export) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.exports++
	m.export = wire.ExportID(fmt.Sprint("e", m.exports))
	c.Via(m.lane)
	c.Reply(&wire.Exporting{Export: m.export})
	m.peer.ExportChunk(m.lane, &wire.Chunk{Queue: p.Queue, Export: m.export, Data: []byte{0, 0xff}})
	if len(m.tasks) > 0 {
		m.exported(false)
	}
}

func (m *mill) exported(stopped bool) {
	m.peer.ExportOver(m.lane, &wire.Exported{Queue: "q", Export: m.export, Stopped: stopped, Tasks: int64(len(m.tasks))})
	m.export = ""
}

func (m *mill) QueueExportStop(c wire.QueueExportStopCall, p *wire.StopExport) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c.Via(m.lane)
	if m.export != p.Export {
		c.Reply(&wire.Stopped{Effect: wire.EffectOver})
		return
	}
	c.Reply(&wire.Stopped{Effect: wire.EffectStopping})
	m.exported(true)
}

func (m *mill) HandBeat(*wire.Beat) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.beats++
}

func (m *mill) TaskReport(p *wire.Report) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reports++
	if t, err := m.held(p.Task, p.Fence); err == nil {
		m.tell(t.ID, wire.Event{Of: &wire.Working{Percent: p.Percent}})
	}
}

func (m *mill) HandJoin(context.Context, *wire.Join) error { return nil }

func (m *mill) Close(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

// grind connects a client to a mill over pipes.
func grind(t *testing.T, o client.Options) (*client.Mill, *client.Queue, *mill) {
	t.Helper()
	toServer, w := io.Pipe()
	r, toClient := io.Pipe()
	m := &mill{keys: map[string]*millTask{}}
	m.peer = wire.NewPeer(toServer, toClient, jsonrpc.Config{}, func(*wire.Peer) wire.Server { return m })
	m.lane = m.peer.Conn().NewLane(nil)
	served := make(chan error, 1)
	go func() {
		served <- m.peer.Serve(context.Background())
		_ = toClient.Close()
	}()
	c, err := client.Connect(t.Context(), r, w, o)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, c.Close(context.Background()))
		assert.NoError(t, <-served)
	})
	return c, c.Queue("q"), m
}

// A task is put in, taken, worked on and done; who holds an old lease holds nothing.
func TestMillTakesAndFences(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, q, m := grind(t, client.Options{})
		ctx := t.Context()
		none, err := q.TaskTake(ctx, "h", 1000)
		require.NoError(t, err)
		assert.Nil(t, none, "nothing is ready")

		late, err := q.TaskPut(ctx, []byte("late"), &wire.PutOptions{DelayMS: 5000, Rank: client.RankFirst})
		require.NoError(t, err)
		low, err := q.TaskPut(ctx, []byte{0, 1, 0xfe}, &wire.PutOptions{Rank: client.RankLast})
		require.NoError(t, err)
		first, err := q.TaskTake(ctx, "h", 1000)
		require.NoError(t, err)
		assert.Equal(t, low.ID(), first.Task.ID)
		assert.Equal(t, []byte{0, 1, 0xfe}, first.Task.Load)
		assert.Equal(t, client.RankLast, first.Task.Rank)
		assert.True(t, first.Task.Why.Null)
		require.NoError(t, c.TaskReport(first.Task.ID, first.Fence, 50))

		time.Sleep(2 * time.Second) // the lease is over
		second, err := q.TaskTake(ctx, "other", 1000)
		require.NoError(t, err)
		assert.Greater(t, second.Fence, first.Fence)
		var stale *client.FenceError
		require.ErrorAs(t, c.TaskDone(ctx, first.Task.ID, first.Fence), &stale)
		assert.Equal(t, second.Fence, stale.Current)
		extended, err := c.TaskExtend(ctx, second.Task.ID, second.Fence)
		require.NoError(t, err)
		assert.Greater(t, extended.UntilMS, second.UntilMS)
		require.NoError(t, c.TaskDone(ctx, second.Task.ID, second.Fence))
		end, err := low.Settled(ctx)
		require.NoError(t, err)
		assert.Equal(t, client.WorkOutcomeDone, end.Outcome)
		assert.True(t, end.Outcome.OK())
		assert.Equal(t, low.ID(), end.Last.Task)
		var told []string
		for e := range low.Tolds(t.Context()) {
			told = append(told, e.Event.Type())
		}
		assert.Equal(t, []string{"in", "leased", "working", "leased", "over"}, told)

		time.Sleep(3 * time.Second)
		third, err := q.TaskTake(ctx, "h", 1000)
		require.NoError(t, err)
		assert.Equal(t, late.ID(), third.Task.ID, "its time has come")
		require.NoError(t, c.HandBeat("h", []client.TaskID{third.Task.ID}))
		synctest.Wait()
		assert.Equal(t, 1, m.beats)
		assert.Equal(t, 1, m.reports)
	})
}

// What is put in again under its key is the same; another load is a conflict.
func TestMillKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, q, _ := grind(t, client.Options{})
		ctx := t.Context()
		one, err := q.TaskPut(ctx, []byte("x"), &wire.PutOptions{Key: new("k")})
		require.NoError(t, err)
		again, err := q.TaskPut(ctx, []byte("x"), &wire.PutOptions{Key: new("k")})
		require.NoError(t, err)
		assert.Equal(t, one.ID(), again.ID())
		assert.True(t, again.Receipt.Again)
		_, err = q.TaskPut(ctx, []byte("y"), &wire.PutOptions{Key: new("k")})
		var conflict *client.KeyError
		require.ErrorAs(t, err, &conflict)
		assert.Equal(t, one.ID(), conflict.Task)

		lease, err := q.TaskTake(ctx, "h", 1000)
		require.NoError(t, err)
		require.NoError(t, c.TaskDone(ctx, lease.Task.ID, lease.Fence))
		for _, w := range []*client.TaskPutWork{one, again} {
			end, err := w.Settled(ctx)
			require.NoError(t, err)
			assert.Equal(t, client.WorkOutcomeDone, end.Outcome)
		}
		after, err := q.TaskPut(ctx, []byte("x"), &wire.PutOptions{Key: new("k")})
		require.NoError(t, err)
		end, err := after.Settled(ctx)
		require.NoError(t, err)
		assert.Equal(t, client.WorkOutcomeDone, end.Outcome, "the answer tells it")
	})
}

// A cancel without a result is accepted, and settles with the end of what it stops.
func TestMillCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, q, _ := grind(t, client.Options{})
		ctx := t.Context()
		w, err := q.TaskPut(ctx, nil, nil)
		require.NoError(t, err)
		stop, err := w.TaskCancel(ctx)
		require.NoError(t, err)
		require.NoError(t, stop.Settled(ctx))
		end, err := w.Settled(ctx)
		require.NoError(t, err)
		assert.Equal(t, client.WorkOutcomeCancelled, end.Outcome)
		stop, err = q.TaskCancel(ctx, w.ID())
		require.NoError(t, err)
		require.NoError(t, stop.Settled(ctx), "it is over")
		_, err = q.TaskCancel(ctx, "no")
		assert.ErrorAs(t, err, new(*client.NoTaskError))
	})
}

// Two methods begin a task, and a queue has exports beside: each is followed to its
// own end.
func TestMillFollowsSeveralKindsOfWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, q, _ := grind(t, client.Options{})
		ctx := t.Context()
		export, err := q.Export(ctx)
		require.NoError(t, err)
		w, err := q.TaskPut(ctx, []byte("x"), nil)
		require.NoError(t, err)
		lease, err := q.TaskTake(ctx, "h", 1000)
		require.NoError(t, err)
		require.NoError(t, c.TaskFail(ctx, w.ID(), lease.Fence, "broken", nil))
		end, err := w.Settled(ctx)
		require.NoError(t, err)
		assert.Equal(t, client.WorkOutcomeDead, end.Outcome)
		assert.Equal(t, "broken", end.Last.Event.Of.(*client.Over).Why)

		again, err := q.TaskRetry(ctx, w.ID())
		require.NoError(t, err)
		assert.Equal(t, int64(1), again.Receipt.Tries)
		lease, err = q.TaskTake(ctx, "h", 1000)
		require.NoError(t, err)
		require.NoError(t, c.TaskFail(ctx, again.ID(), lease.Fence, "not yet", &wire.FailOptions{AfterMS: new(int64(500))}))
		time.Sleep(time.Second)
		lease, err = q.TaskTake(ctx, "h", 1000)
		require.NoError(t, err)
		assert.Equal(t, int64(3), lease.Task.Tries)
		require.NoError(t, c.TaskDone(ctx, again.ID(), lease.Fence))
		end, err = again.Settled(ctx)
		require.NoError(t, err)
		assert.Equal(t, client.WorkOutcomeDone, end.Outcome)

		stop, err := export.ExportStop(ctx)
		require.NoError(t, err)
		assert.Equal(t, client.EffectStopping, stop.Result.Effect)
		require.NoError(t, stop.Settled(ctx))
		over, err := export.Settled(ctx)
		require.NoError(t, err)
		assert.Equal(t, client.ExporterOutcomeStopped, over.Outcome)
		assert.Equal(t, int64(2), over.Last.Tasks)
		var data []byte
		for chunk := range export.Chunks(t.Context()) {
			data = append(data, chunk.Data...)
		}
		assert.Equal(t, []byte{0, 0xff}, data)
		whole, err := q.Export(ctx)
		require.NoError(t, err)
		over, err = whole.Settled(ctx)
		require.NoError(t, err)
		assert.True(t, over.Outcome.OK())
		stop, err = whole.ExportStop(ctx)
		require.NoError(t, err)
		assert.Equal(t, client.EffectOver, stop.Result.Effect)
		require.NoError(t, stop.Settled(ctx))
	})
}

// What is open when the connection is lost is lost, each in its own words.
func TestMillLosesWhatIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, q, _ := grind(t, client.Options{})
		w, err := q.TaskPut(t.Context(), nil, nil)
		require.NoError(t, err)
		require.NoError(t, c.Close(t.Context()))
		end, err := w.Settled(t.Context())
		require.Error(t, err)
		assert.Equal(t, client.WorkOutcomeLost, end.Outcome)
		assert.Nil(t, end.Last)
	})
}

// A watcher goes on where it was, and a listing comes page by page.
func TestMillIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var live []int64
		_, q, _ := grind(t, client.Options{Handler: client.Handler{
			TaskTold: func(_ context.Context, p *client.Told) { live = append(live, p.Event.Seq) },
		}})
		ctx := t.Context()
		for range 5 {
			_, err := q.TaskPut(ctx, []byte("x"), nil)
			require.NoError(t, err)
		}
		var again []int64
		watching, err := q.Watch(ctx, func(_ context.Context, p *client.Told) { again = append(again, p.Event.Seq) }, &wire.WatchOptions{After: new(int64(1))})
		require.NoError(t, err)
		assert.Equal(t, int64(5), watching.Next)
		assert.Equal(t, []int64{2, 3, 4}, again)
		synctest.Wait()
		assert.Equal(t, []int64{0, 1, 2, 3, 4}, live, "what is sent again is no news")
		_, err = q.Watch(ctx, nil, nil)
		require.NoError(t, err)

		var ids []client.TaskID
		for task, err := range q.TaskList(ctx, nil) {
			require.NoError(t, err)
			ids = append(ids, task.ID)
		}
		assert.Len(t, ids, 5)
	})
}

// A mill pushes work to a hand, and hears of its end by a call of the hand.
func TestMillPushes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pushed := make(chan *client.Run, 1)
		c, q, m := grind(t, client.Options{TaskRun: func(_ context.Context, p *client.Run) (*client.Taken, error) {
			pushed <- p
			return &client.Taken{Taken: true}, nil
		}})
		ctx := t.Context()
		require.NoError(t, c.HandJoin(ctx, "h", 1))
		w, err := q.TaskPut(ctx, []byte("x"), nil)
		require.NoError(t, err)
		m.mu.Lock()
		lease := m.lease(m.find(w.ID()), "h", 1000)
		m.mu.Unlock()
		taken, err := m.peer.TaskRun(ctx, &wire.Run{Task: lease.Task.ID, Fence: lease.Fence, Load: lease.Task.Load})
		require.NoError(t, err)
		assert.True(t, taken.Taken)
		run := <-pushed
		require.NoError(t, c.TaskDone(ctx, run.Task, run.Fence))
		end, err := w.Settled(ctx)
		require.NoError(t, err)
		assert.True(t, end.Outcome.OK())
		require.NoError(t, c.Shutdown(ctx))
		assert.True(t, m.closed)
	})
}

// What breaks the declaration is refused before the mill sees it.
func TestMillRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, q, _ := grind(t, client.Options{})
		_, err := q.TaskPut(t.Context(), make([]byte, 1025), nil)
		assert.ErrorAs(t, err, new(*client.ParamsError))
		_, err = q.TaskPut(t.Context(), nil, &wire.PutOptions{DelayMS: -1})
		assert.ErrorAs(t, err, new(*client.ParamsError))
		_, err = q.TaskPut(t.Context(), nil, &wire.PutOptions{Rank: 7})
		assert.NoError(t, err, "ranks may come")
	})
}
