// SPDX-License-Identifier: Apache-2.0

package jobs

import "github.com/accordkit/accord/spec"

// state is one state of JobMachine: a job, and the worker that has it.
type state struct {
	Job   life
	Lease lease
	Left  left
}

type (
	life  string // of the job
	lease string // whether a worker has it
	left  string // leases that it may still use after this one

	content string // of a repeated submit
	token   string // that a worker shows
)

const (
	unknown  life = "unknown"
	open     life = "open"
	stopping life = "stopping"
	over     life = "over"

	free lease = "free"
	held lease = "held"

	some left = "some"
	none left = "none"

	same  content = "same"
	other content = "other"

	current token = "current"
	old     token = "old"
)

func (s state) ended() state { return state{over, free, s.Left} }

// JobMachine is one job as its broker sees it.
//
// zh: 代理所见的一个任务。
var JobMachine = &spec.Machine[state]{
	Name:  "job",
	Start: state{unknown, free, some},
	Values: []spec.Values{
		spec.Of(unknown, open, stopping, over), spec.Of(free, held), spec.Of(some, none),
		spec.Of(same, other), spec.Of(current, old),
	},
	Tracks: []spec.Track{spec.While(Job, open, stopping)},
	Moves: []spec.Move[state]{
		spec.Call(Submit, submit),
		spec.Call(Cancel, cancel),
		spec.Call(Finish, finish),
		// A worker takes it.
		//
		// zh: 工作者取用它。
		spec.Event("a worker takes it", 0, takes),
		// The lease runs out.
		//
		// zh: 租约到期。
		spec.Event("the lease runs out", leaseMS, expires),
		// The time to finish is up.
		//
		// zh: 收尾时限已到。
		spec.Event("the time to finish is up", graceMS, givenUp),
	},
}

func submit(s state, a struct{ Content content }) spec.Cell[state] {
	switch {
	case s.Job == unknown && a.Content == other:
		return spec.Impossible[state]()
	case s.Job == unknown:
		return spec.Says("ended=-", state{open, free, some}, state{open, free, none}).And("again=false")
	case a.Content == other:
		return spec.Fails(ErrDiffers, s)
	case s.Job == over:
		return spec.Says("ended=*", s).And("again=true")
	}
	return spec.Says("ended=-", s).And("again=true")
}

func cancel(s state, _ spec.None) spec.Cell[state] {
	switch {
	case s.Job == unknown:
		return spec.Says("effect=unknown", s)
	case s.Job == over:
		return spec.Says("effect=over", s)
	case s.Lease == free:
		return spec.Says("effect=stopping", s.ended())
	}
	return spec.Says("effect=stopping", state{stopping, held, s.Left})
}

func finish(s state, a struct{ Lease token }) spec.Cell[state] {
	switch {
	case a.Lease == old:
		return spec.Fails(ErrLeaseLost, s)
	case s.Lease == free:
		return spec.Impossible[state]()
	}
	return spec.Goes(s.ended())
}

func takes(s state) spec.Cell[state] {
	if s.Job != open || s.Lease == held {
		return spec.Impossible[state]()
	}
	return spec.Goes(state{open, held, s.Left})
}

// expires gives the job back if it may still use a lease after this one; that may
// then be its last.
func expires(s state) spec.Cell[state] {
	switch {
	case s.Lease == free:
		return spec.Impossible[state]()
	case s.Job == open && s.Left == some:
		return spec.Goes(state{open, free, some}, state{open, free, none})
	}
	return spec.Goes(s.ended())
}

func givenUp(s state) spec.Cell[state] {
	if s.Job != stopping {
		return spec.Impossible[state]()
	}
	return spec.Goes(s.ended())
}
