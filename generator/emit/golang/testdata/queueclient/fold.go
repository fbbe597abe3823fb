// SPDX-License-Identifier: Apache-2.0

package queueclient

import (
	"github.com/accordkit/accord/generator/emit/golang/testdata/queue"
	"github.com/accordkit/accord/runtime/client"
)

// claimsFold is the least that a fold must be: a note names the job that takes
// a ticket, and begins it.
type claimsFold struct {
	client.Past[queue.JobID]
	notes int
}

func newClaimsFold(queue.TrayID) *claimsFold { return &claimsFold{} }

// Settlement is how a job ended.
type Settlement struct {
	Outcome Outcome
	Notes   int
}

func (f *claimsFold) Read(it *client.Item, m *client.Marks[queue.JobID, queue.JobID]) {
	p, ok := it.Note.(*queue.JobEventParams)
	if !ok {
		return
	}
	if d, ok := p.Event.Data.(*queue.NoteData); ok {
		f.notes++
		m.Key, m.Keyed = queue.JobID(d.Text), true
		m.Claims = append(m.Claims, m.Key)
	}
	m.Late = f.Late(m.Key, m.Keyed, m.Ends)
}

func (f *claimsFold) Where(queue.JobID) (queue.JobID, bool) { return "", false }

func (f *claimsFold) End(_ client.Account, how client.Ending) any {
	return &Settlement{Outcome: Outcome(how.As), Notes: f.notes}
}

func settledBefore(*queue.Ticket) *Settlement { return &Settlement{} }
