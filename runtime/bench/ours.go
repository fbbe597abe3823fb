// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/agent"
	"github.com/accordkit/accord/runtime/harness/session"
)

// streamer is an agent whose answer is as many deltas as the prompt says.
type streamer struct{}

func (streamer) Describe(context.Context, agent.Session) (*agent.Description, error) {
	return &agent.Description{}, nil
}

func (streamer) Step(_ context.Context, r *agent.Request, out agent.Stream) (agent.Result, error) {
	var n int
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if m := r.Messages[i]; m.Role == harness.RoleUser {
			if _, err := fmt.Sscan(m.Text(""), &n); err == nil {
				break
			}
		}
	}
	for range n {
		if err := out.Text(text40); err != nil {
			return agent.Result{}, err
		}
	}
	return agent.Result{Stop: agent.Finished}, nil
}

func (streamer) Tool(context.Context, *agent.Call, agent.Host) (agent.Output, error) {
	return agent.Output{}, nil
}

// serveOurs is the whole runtime, as `accord serve` runs it, with that agent.
func serveOurs(ctx context.Context, r io.Reader, w io.Writer) error {
	return session.New(session.Options{Agent: streamer{}}).Serve(ctx, r, w)
}

// ourClient is the generated client.
type ourClient struct {
	rt *harnessclient.Runtime
	s  *harnessclient.Session

	frames, merged int64
}

func newOurClient(ctx context.Context, r io.Reader, w io.Writer) (*ourClient, error) {
	rt, err := harnessclient.Connect(ctx, r, w, harnessclient.Options{Dir: "/", Provider: "demo", Model: "demo"})
	if err != nil {
		return nil, err
	}
	return &ourClient{rt: rt, s: rt.Session(sessionID)}, nil
}

func (c *ourClient) open(ctx context.Context, turns bool) error {
	if turns {
		return c.stream(ctx, 1)
	}
	s, err := c.rt.Resume(ctx, sessionID, nil)
	if err == nil {
		c.s = s
	}
	return err
}

// stream runs one prompt of n deltas. None may be lost; those that were merged
// because the reader fell behind are counted, since they are less work than the
// peers'.
func (c *ourClient) stream(ctx context.Context, n int64) error {
	turn, err := c.s.Prompt(ctx, harness.Text(fmt.Sprint(n)), nil)
	if err != nil {
		return err
	}
	var got, bytes int64
	for d := range turn.Deltas(ctx) {
		got += max(d.Merged, 1)
		c.merged += max(d.Merged, 1) - 1
		c.frames++
		bytes += int64(len(d.Text))
	}
	end, err := turn.Settled(ctx)
	switch {
	case err != nil:
		return err
	case end.Outcome != harnessclient.OutcomeCompleted:
		return fmt.Errorf("the turn is %s: %v", end.Outcome, end.Reason)
	case got != n || bytes != n*int64(len(text40)):
		return fmt.Errorf("%d deltas of %d came, with %d bytes", got, n, bytes)
	}
	return nil
}

func (c *ourClient) roundTrip(ctx context.Context) error {
	_, err := c.s.Cancel(ctx, nil)
	return err
}

func (c *ourClient) close() {
	if c.merged > 0 {
		fmt.Fprintf(os.Stderr, "%d of %d deltas were merged\n", c.merged, c.frames+c.merged)
	}
	_ = c.rt.Close(context.Background())
}
