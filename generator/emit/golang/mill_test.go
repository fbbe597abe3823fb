// SPDX-License-Identifier: Apache-2.0

package golang_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator/emit/golang"
	"github.com/accordkit/accord/generator/emit/golang/testdata/mill"
	"github.com/accordkit/accord/generator/emit/golang/testdata/millclient"
	"github.com/accordkit/accord/generator/emit/golang/testdata/millserver"
	"github.com/accordkit/accord/runtime/client"
	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/jsonrpc"
	"github.com/accordkit/accord/spec/model"
)

// miller is a queue in memory, for one peer: enough to play each word of its
// declaration.
type miller struct {
	millserver.UnimplementedServer
	peer *millserver.Peer
	lane *jsonrpc.Lane

	mu      sync.Mutex // guards all below
	tasks   []*millTask
	keys    map[string]*millTask
	log     []mill.Event
	about   []mill.TaskID // of each event
	export  mill.ExportID
	exports int
	beats   int
	reports int
	closed  bool
}

type millTask struct {
	mill.Task
	fence mill.Fence
	until time.Time // of its lease
	ready time.Time
}

// report is called with the lock held, as are all below.
func (m *miller) report(id mill.TaskID, e mill.Event) {
	e.Seq = int64(len(m.log))
	m.log, m.about = append(m.log, e), append(m.about, id)
	m.peer.TaskTold(m.lane, &mill.Told{Queue: "q", Task: id, Event: e})
}

func (m *miller) add(load []byte, rank mill.Rank, delay int64) *millTask {
	t := &millTask{ready: time.Now().Add(time.Duration(delay) * time.Millisecond)}
	t.Task = mill.Task{ID: mill.TaskID(fmt.Sprint("t", len(m.tasks))), State: mill.StateReady, Rank: rank, Load: load, Why: codec.Null[string]()}
	if delay > 0 {
		t.State = mill.StateDelayed
	}
	m.tasks = append(m.tasks, t)
	return t
}

func (m *miller) find(id mill.TaskID) *millTask {
	if i := slices.IndexFunc(m.tasks, func(t *millTask) bool { return t.ID == id }); i >= 0 {
		return m.tasks[i]
	}
	return nil
}

func (m *miller) over(t *millTask, state mill.State, why string) {
	t.State, t.Why = state, codec.Some(why)
	m.report(t.ID, mill.Event{Of: &mill.Over{State: state, Why: why}})
}

func (t *millTask) isOver() bool {
	return t.State == mill.StateDone || t.State == mill.StateDead || t.State == mill.StateCancelled
}

func (m *miller) TaskPut(c millserver.Call[*mill.PutResult], p *mill.Put) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c.Via(m.lane)
	if p.Key != nil {
		if t := m.keys[*p.Key]; t != nil {
			switch {
			case string(t.Load) != string(p.Load):
				c.Fail(&mill.KeyError{Task: t.ID})
			case t.isOver():
				c.Reply(&mill.PutResult{Task: t.ID, Again: true, Over: &mill.Over{State: t.State}})
			default:
				c.Reply(&mill.PutResult{Task: t.ID, Again: true})
			}
			return
		}
	}
	t := m.add(p.Load, p.Rank, p.DelayMS)
	if p.Key != nil {
		m.keys[*p.Key] = t
	}
	m.report(t.ID, mill.Event{Of: &mill.In{Rank: p.Rank}})
	c.Reply(&mill.PutResult{Task: t.ID})
}

func (m *miller) QueueClear(c millserver.Call[*mill.Cleared], p *mill.Clear) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := &mill.Cleared{}
	var stopped []*millTask
	for _, t := range m.tasks {
		if !t.isOver() && (p.Rest != mill.RestStays || len(stopped) == 0) {
			r.Task = t.ID
			stopped = append(stopped, t)
		}
	}
	c.Via(m.lane)
	c.Reply(r)
	for _, t := range stopped {
		m.over(t, mill.StateCancelled, p.Why)
	}
}

// side opens a queue, or closes it.
func (m *miller) side(id mill.QueueID, closed ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(closed) > 0 {
		m.peer.SideClosed(m.lane, &mill.Side{Queue: "q", Side: id})
		return
	}
	m.peer.SideOpened(m.lane, &mill.Side{Queue: "q", Side: id})
}

func (m *miller) TaskRetry(c millserver.Call[*mill.RetryResult], p *mill.Retry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := m.find(p.Task)
	if old == nil || old.State != mill.StateDead {
		c.Fail(&mill.NoTaskError{})
		return
	}
	t := m.add(old.Load, old.Rank, 0) // another: nothing follows the end of a task
	t.Tries = old.Tries
	c.Via(m.lane)
	c.Reply(&mill.RetryResult{Task: t.ID, Tries: t.Tries})
}

func (m *miller) TaskCancel(c millserver.Call[codec.Appender], p *mill.Cancel) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.find(p.Task)
	if t == nil {
		c.Fail(&mill.NoTaskError{})
		return
	}
	c.Via(m.lane)
	c.Reply(nil)
	if !t.isOver() {
		m.over(t, mill.StateCancelled, "")
	}
}

func (m *miller) TaskTake(_ context.Context, p *mill.Take) (*mill.Lease, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var best *millTask
	for _, t := range m.tasks {
		free := t.State == mill.StateReady || t.State == mill.StateDelayed || t.State == mill.StateLeased && !time.Now().Before(t.until)
		if free && !time.Now().Before(t.ready) && (best == nil || t.Rank > best.Rank) {
			best = t
		}
	}
	if best == nil {
		return nil, nil
	}
	return m.lease(best, p.Hand, p.ForMS), nil
}

func (m *miller) lease(t *millTask, hand mill.HandID, ms int64) *mill.Lease {
	t.fence++
	t.Tries++
	t.State, t.until = mill.StateLeased, time.Now().Add(time.Duration(ms)*time.Millisecond)
	m.report(t.ID, mill.Event{Of: &mill.Leased{Hand: hand, Try: t.Tries}})
	return &mill.Lease{Task: t.Task, Fence: t.fence, UntilMS: t.until.UnixMilli()}
}

func (m *miller) held(id mill.TaskID, fence mill.Fence) (*millTask, error) {
	t := m.find(id)
	switch {
	case t == nil:
		return nil, &mill.NoTaskError{}
	case t.State != mill.StateLeased || t.fence != fence:
		return nil, &mill.FenceError{Current: t.fence}
	}
	return t, nil
}

func (m *miller) TaskDone(_ context.Context, p *mill.Held) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, err := m.held(p.Task, p.Fence)
	if err == nil {
		m.over(t, mill.StateDone, "")
	}
	return err
}

func (m *miller) TaskFail(_ context.Context, p *mill.Fail) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, err := m.held(p.Task, p.Fence)
	switch {
	case err != nil:
		return err
	case p.AfterMS == nil:
		m.over(t, mill.StateDead, p.Why)
	default:
		t.State, t.ready = mill.StateDelayed, time.Now().Add(time.Duration(*p.AfterMS)*time.Millisecond)
	}
	return nil
}

func (m *miller) TaskExtend(_ context.Context, p *mill.Held) (*mill.Extended, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, err := m.held(p.Task, p.Fence)
	if err != nil {
		return nil, err
	}
	t.until = t.until.Add(time.Minute)
	return &mill.Extended{UntilMS: t.until.UnixMilli()}, nil
}

func (m *miller) TaskList(_ context.Context, p *mill.List) (*mill.Listed, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	from := 0
	if p.Cursor != nil {
		if _, err := fmt.Sscan(*p.Cursor, &from); err != nil || from > len(m.tasks) {
			return nil, &mill.ParamsError{}
		}
	}
	r := &mill.Listed{}
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

func (m *miller) QueueWatch(c millserver.Call[*mill.Watching], p *mill.Watch) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p.After != nil {
		for i, e := range m.log {
			if e.Seq > *p.After {
				m.peer.TaskTold(m.lane, &mill.Told{Queue: p.Queue, Task: m.about[i], Replay: true, Event: e})
			}
		}
	}
	c.Via(m.lane)
	c.Reply(&mill.Watching{Next: int64(len(m.log))})
}

func (m *miller) QueueExport(c millserver.Call[*mill.Exporting], p *mill.Export) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.exports++
	m.export = mill.ExportID(fmt.Sprint("e", m.exports))
	c.Via(m.lane)
	c.Reply(&mill.Exporting{Export: m.export})
	m.peer.ExportChunk(m.lane, &mill.Chunk{Queue: p.Queue, Export: m.export, Data: []byte{0, 0xff}})
	if len(m.tasks) > 0 {
		m.exported(false)
	}
}

func (m *miller) exported(stopped bool) {
	m.peer.ExportOver(m.lane, &mill.Exported{Queue: "q", Export: m.export, Stopped: stopped, Tasks: int64(len(m.tasks))})
	m.export = ""
}

func (m *miller) QueueExportStop(c millserver.Call[*mill.Stopped], p *mill.StopExport) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c.Via(m.lane)
	if m.export != p.Export {
		c.Reply(&mill.Stopped{Effect: mill.EffectOver})
		return
	}
	c.Reply(&mill.Stopped{Effect: mill.EffectStopping})
	m.exported(true)
}

func (m *miller) HandBeat(*mill.Beat) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.beats++
}

func (m *miller) TaskReport(p *mill.Report) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reports++
	if t, err := m.held(p.Task, p.Fence); err == nil {
		m.report(t.ID, mill.Event{Of: &mill.Working{Percent: p.Percent}})
	}
}

func (m *miller) HandJoin(context.Context, *mill.Join) error { return nil }

func (m *miller) Close(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

// grind connects a client to a mill over pipes.
func grind(t *testing.T, o millclient.Options) (*millclient.Mill, *millclient.Queue, *miller) {
	t.Helper()
	toServer, w := io.Pipe()
	r, toClient := io.Pipe()
	m := &miller{keys: map[string]*millTask{}}
	m.peer = millserver.NewPeer(toServer, toClient, jsonrpc.Config{}, func(*millserver.Peer) millserver.Server { return m })
	m.lane = m.peer.Conn().NewLane(nil)
	served := make(chan error, 1)
	go func() {
		served <- m.peer.Serve(context.Background())
		_ = toClient.Close()
	}()
	c, err := millclient.Connect(t.Context(), r, w, o)
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
		c, q, m := grind(t, millclient.Options{})
		ctx := t.Context()
		none, err := q.TaskTake(ctx, "h", 1000)
		require.NoError(t, err)
		assert.Nil(t, none, "nothing is ready")

		late, err := q.TaskPut(ctx, []byte("late"), &mill.PutOptions{DelayMS: 5000, Rank: mill.RankFirst})
		require.NoError(t, err)
		low, err := q.TaskPut(ctx, []byte{0, 1, 0xfe}, &mill.PutOptions{Rank: mill.RankLast})
		require.NoError(t, err)
		first, err := q.TaskTake(ctx, "h", 1000)
		require.NoError(t, err)
		assert.Equal(t, low.ID(), first.Task.ID)
		assert.Equal(t, []byte{0, 1, 0xfe}, first.Task.Load)
		assert.Equal(t, mill.RankLast, first.Task.Rank)
		assert.True(t, first.Task.Why.Null)
		require.NoError(t, c.TaskReport(first.Task.ID, first.Fence, 50))

		time.Sleep(2 * time.Second) // the lease is over
		second, err := q.TaskTake(ctx, "other", 1000)
		require.NoError(t, err)
		assert.Greater(t, second.Fence, first.Fence)
		var stale *mill.FenceError
		require.ErrorAs(t, c.TaskDone(ctx, first.Task.ID, first.Fence), &stale)
		assert.Equal(t, second.Fence, stale.Current)
		extended, err := c.TaskExtend(ctx, second.Task.ID, second.Fence)
		require.NoError(t, err)
		assert.Greater(t, extended.UntilMS, second.UntilMS)
		require.NoError(t, c.TaskDone(ctx, second.Task.ID, second.Fence))
		end, err := low.Settled(ctx)
		require.NoError(t, err)
		assert.Equal(t, millclient.WorkOutcomeDone, end.Outcome)
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
		require.NoError(t, c.HandBeat("h", []mill.TaskID{third.Task.ID}))
		synctest.Wait()
		assert.Equal(t, 1, m.beats)
		assert.Equal(t, 1, m.reports)
	})
}

// What is put in again under its key is the same; another load is a conflict.
func TestMillKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, q, _ := grind(t, millclient.Options{})
		ctx := t.Context()
		one, err := q.TaskPut(ctx, []byte("x"), &mill.PutOptions{Key: new("k")})
		require.NoError(t, err)
		again, err := q.TaskPut(ctx, []byte("x"), &mill.PutOptions{Key: new("k")})
		require.NoError(t, err)
		assert.Equal(t, one.ID(), again.ID())
		assert.True(t, again.Receipt.Again)
		_, err = q.TaskPut(ctx, []byte("y"), &mill.PutOptions{Key: new("k")})
		var conflict *mill.KeyError
		require.ErrorAs(t, err, &conflict)
		assert.Equal(t, one.ID(), conflict.Task)

		lease, err := q.TaskTake(ctx, "h", 1000)
		require.NoError(t, err)
		require.NoError(t, c.TaskDone(ctx, lease.Task.ID, lease.Fence))
		for _, w := range []*millclient.TaskPutWork{one, again} {
			end, err := w.Settled(ctx)
			require.NoError(t, err)
			assert.Equal(t, millclient.WorkOutcomeDone, end.Outcome)
		}
		after, err := q.TaskPut(ctx, []byte("x"), &mill.PutOptions{Key: new("k")})
		require.NoError(t, err)
		end, err := after.Settled(ctx)
		require.NoError(t, err)
		assert.Equal(t, millclient.WorkOutcomeDone, end.Outcome, "the answer tells it")
	})
}

// A cancel without a result is accepted, and settles with the end of what it stops.
func TestMillCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, q, _ := grind(t, millclient.Options{})
		ctx := t.Context()
		w, err := q.TaskPut(ctx, nil, nil)
		require.NoError(t, err)
		stop, err := w.TaskCancel(ctx)
		require.NoError(t, err)
		require.NoError(t, stop.Settled(ctx))
		end, err := w.Settled(ctx)
		require.NoError(t, err)
		assert.Equal(t, millclient.WorkOutcomeCancelled, end.Outcome)
		stop, err = q.TaskCancel(ctx, w.ID())
		require.NoError(t, err)
		require.NoError(t, stop.Settled(ctx), "it is over")
		_, err = q.TaskCancel(ctx, "no")
		assert.ErrorAs(t, err, new(*mill.NoTaskError))
	})
}

// Work that takes the place of other work: the handles of what it stops are silent, and
// other kinds of work are not.
func TestMillPutsInstead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, q, m := grind(t, millclient.Options{})
		ctx := t.Context()
		w, err := q.TaskPut(ctx, []byte("old"), nil)
		require.NoError(t, err)
		export, err := q.Export(ctx)
		require.NoError(t, err)
		instead, err := q.PutInstead(ctx, []byte("new"), &mill.PutInsteadOptions{Why: "changed"})
		require.NoError(t, err)
		end, err := w.Settled(ctx)
		require.NoError(t, err)
		assert.Equal(t, millclient.WorkOutcomeCancelled, end.Outcome)
		for range w.Tolds(ctx) {
			t.Error("a message of what was stopped")
		}
		var withheld *client.Withheld
		require.ErrorAs(t, w.Err(), &withheld)
		assert.EqualValues(t, 2, withheld.Messages)
		require.NoError(t, instead.Interrupted.Settled(ctx))
		assert.Equal(t, w.ID(), instead.Interrupted.Result.Task)

		stop, err := export.ExportStop(ctx)
		require.NoError(t, err)
		require.NoError(t, stop.Settled(ctx))
		chunks := 0
		for range export.Chunks(ctx) {
			chunks++
		}
		assert.Positive(t, chunks)
		assert.NoError(t, export.Err())

		m.side("side")
		m.side("side", "tasks")
		synctest.Wait()
		tree := instead.Tree()
		require.Len(t, tree, 1)
		assert.Equal(t, mill.QueueID("side"), tree[0].ID)
		assert.NotNil(t, tree[0].Ended)
	})
}

// Two methods begin a task, and a queue has exports too: each is followed to
// its own end.
func TestMillFollowsSeveralKindsOfWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, q, _ := grind(t, millclient.Options{})
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
		assert.Equal(t, millclient.WorkOutcomeDead, end.Outcome)
		assert.Equal(t, "broken", end.Last.Event.Of.(*mill.Over).Why)

		again, err := q.TaskRetry(ctx, w.ID())
		require.NoError(t, err)
		assert.Equal(t, int64(1), again.Receipt.Tries)
		lease, err = q.TaskTake(ctx, "h", 1000)
		require.NoError(t, err)
		require.NoError(t, c.TaskFail(ctx, again.ID(), lease.Fence, "not yet", &mill.FailOptions{AfterMS: new(int64(500))}))
		time.Sleep(time.Second)
		lease, err = q.TaskTake(ctx, "h", 1000)
		require.NoError(t, err)
		assert.Equal(t, int64(3), lease.Task.Tries)
		require.NoError(t, c.TaskDone(ctx, again.ID(), lease.Fence))
		end, err = again.Settled(ctx)
		require.NoError(t, err)
		assert.Equal(t, millclient.WorkOutcomeDone, end.Outcome)

		stop, err := export.ExportStop(ctx)
		require.NoError(t, err)
		assert.Equal(t, mill.EffectStopping, stop.Result.Effect)
		require.NoError(t, stop.Settled(ctx))
		over, err := export.Settled(ctx)
		require.NoError(t, err)
		assert.Equal(t, millclient.ExporterOutcomeStopped, over.Outcome)
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
		assert.Equal(t, mill.EffectOver, stop.Result.Effect)
		require.NoError(t, stop.Settled(ctx))
	})
}

// What is open when the connection is lost is lost, each in its own words.
func TestMillLosesWhatIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, q, _ := grind(t, millclient.Options{})
		w, err := q.TaskPut(t.Context(), nil, nil)
		require.NoError(t, err)
		require.NoError(t, c.Close(t.Context()))
		end, err := w.Settled(t.Context())
		require.Error(t, err)
		assert.Equal(t, millclient.WorkOutcomeLost, end.Outcome)
		assert.Nil(t, end.Last)
	})
}

// A watcher continues where it was, and a listing comes page by page.
func TestMillIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var live []int64
		_, q, _ := grind(t, millclient.Options{Handler: millclient.Handler{
			TaskTold: func(_ context.Context, p *mill.Told) { live = append(live, p.Event.Seq) },
		}})
		ctx := t.Context()
		for range 5 {
			_, err := q.TaskPut(ctx, []byte("x"), nil)
			require.NoError(t, err)
		}
		var again []int64
		watching, err := q.Watch(ctx, func(_ context.Context, p *mill.Told) { again = append(again, p.Event.Seq) }, &mill.WatchOptions{After: new(int64(1))})
		require.NoError(t, err)
		assert.Equal(t, int64(5), watching.Next)
		assert.Equal(t, []int64{2, 3, 4}, again)
		synctest.Wait()
		assert.Equal(t, []int64{0, 1, 2, 3, 4}, live, "what is sent again is no news")
		_, err = q.Watch(ctx, nil, nil)
		require.NoError(t, err)

		var ids []mill.TaskID
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
		pushed := make(chan *mill.Run, 1)
		c, q, m := grind(t, millclient.Options{TaskRun: func(_ context.Context, p *mill.Run) (*mill.Taken, error) {
			pushed <- p
			return &mill.Taken{Taken: true}, nil
		}})
		ctx := t.Context()
		require.NoError(t, c.HandJoin(ctx, "h", 1))
		w, err := q.TaskPut(ctx, []byte("x"), nil)
		require.NoError(t, err)
		m.mu.Lock()
		lease := m.lease(m.find(w.ID()), "h", 1000)
		m.mu.Unlock()
		taken, err := m.peer.TaskRun(ctx, &mill.Run{Task: lease.Task.ID, Fence: lease.Fence, Load: lease.Task.Load})
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
		_, q, _ := grind(t, millclient.Options{})
		_, err := q.TaskPut(t.Context(), make([]byte, 1025), nil)
		assert.ErrorAs(t, err, new(*mill.ParamsError))
		_, err = q.TaskPut(t.Context(), nil, &mill.PutOptions{DelayMS: -1})
		assert.ErrorAs(t, err, new(*mill.ParamsError))
		_, err = q.TaskPut(t.Context(), nil, &mill.PutOptions{Rank: 7})
		assert.NoError(t, err, "ranks may come")
	})
}

// What cannot be joined is refused, at its place.
func TestInterruptsThatCannotBe(t *testing.T) {
	data, err := json.Marshal(loaded(t, "mill"))
	require.NoError(t, err)
	for want, change := range map[string]func(clear, cancel, put *model.Method, p *model.Protocol){
		"stops one kind of work and queue/export begins another": func(clear, _, _ *model.Method, _ *model.Protocol) {
			clear.Interrupts.Begins = "queue/export"
		},
		"task/cancel must name what it stops by task": func(clear, cancel, _ *model.Method, _ *model.Protocol) {
			cancel.Interrupts, clear.Interrupts = clear.Interrupts, nil
		},
		"task/put is joined with two methods": func(clear, cancel, _ *model.Method, _ *model.Protocol) {
			cancel.Interrupts = clear.Interrupts
		},
		"task/put and queue/clear both have a member Rank": func(_, _, _ *model.Method, p *model.Protocol) {
			for _, typ := range p.Types {
				if typ.Name == "Clear" {
					typ.Fields[1].Name = "Rank"
				}
			}
		},
		"a condition on why that a client cannot check": func(clear, _, _ *model.Method, p *model.Protocol) {
			clear.Interrupts.Keeps = &model.Is{Member: "why", Values: []string{"x"}}
			for _, typ := range p.Types {
				if typ.Name == "Clear" {
					typ.Fields[1].Presence = model.Optional
				}
			}
		},
		"the interrupt of queue/clear needs the method Export of Queue": func(clear, _, _ *model.Method, _ *model.Protocol) {
			clear.Interrupts.GoName = "Export"
		},
	} {
		var p model.Protocol
		require.NoError(t, json.Unmarshal(data, &p))
		by := map[string]*model.Method{}
		for _, m := range p.Methods {
			by[m.Name] = m
		}
		change(by["queue/clear"], by["task/cancel"], by["task/put"], &p)
		_, err := golang.Client(&p, golang.ClientOptions{Payloads: payloadsOf("mill")})
		assert.ErrorContains(t, err, want)
	}
}
