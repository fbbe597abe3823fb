package jobs

import "github.com/accordkit/accord/spec"

// Bug names the one thing that is wrong; empty: nothing.
var Bug string

type (
	life   string
	worker string
	queue  string
	job    string
	target string
	which  string
)

// state is one state of Machine.
type state struct {
	Life   life
	Worker worker
	Others queue // jobs beside the marked one
	Job    job   // the marked one
}

const (
	isOpen  life = "open"
	closing life = "closing"
	gone    life = "gone"

	idle     worker = "idle"
	busy     worker = "busy"
	stopping worker = "stopping"

	none queue = "none"
	some queue = "some"

	unsent  job = "unsent"
	waiting job = "waiting"
	running job = "running"
	done    job = "done"
	dropped job = "dropped"

	running1 target = "running" // the one that runs
	marked   target = "marked"  // the marked one, which waits
	old      target = "old"     // one that is over

	theMarked which = "marked"
	another   which = "another"
)

type cell = spec.Cell[state]

// Machine is a queue with one worker.
//
// zh: 含一个工作者的队列。
var Machine = &spec.Machine[state]{
	Name: "queue", Start: state{isOpen, idle, none, unsent},
	Values: []spec.Values{
		spec.Of(isOpen, closing, gone), spec.Of(idle, busy, stopping), spec.Of(none, some),
		spec.Of(unsent, waiting, running, done, dropped),
		spec.Of(running1, marked, old), spec.Of(theMarked, another),
	},
	Tracks: []spec.Track{spec.While(Work, busy, stopping), spec.While(Life, isOpen, closing)},
	Marked: &spec.Marked{
		By: Submit, Unsent: spec.Of(unsent),
		Over: []spec.Over{spec.Heard(frameDone, done), spec.Heard(frameDropped, dropped)},
	},
	Moves: []spec.Move[state]{
		spec.Call(Submit, submit), spec.Call(Stop, stop), spec.Call(Close, shut),
		spec.Event("the worker takes a job", 1000, takes),
		spec.Event("the worker is done", 0, finishes),
		spec.Event("the lease runs out", 0, expires),
		spec.Event("the stopped worker gives up", 1000, givesUp),
		spec.Event("the close is over", 5000, closed),
	},
}

func submit(s state, a struct{ Which which }) cell {
	switch {
	case a.Which == theMarked && s.Job != unsent:
		return spec.Impossible[state]()
	case s.Life != isOpen:
		return spec.Fails(ErrClosed, s)
	case a.Which == another:
		s.Others = some
		return spec.Says("job=*", s)
	}
	s.Job = waiting
	return spec.Says("job=*", s)
}

func stop(s state, a struct{ Target target }) cell {
	switch {
	case a.Target == marked && s.Job != waiting:
		return spec.Impossible[state]()
	case s.Life == gone && Bug == "a closed queue holds stops":
		return spec.Waits[state]()
	case a.Target == marked:
		s.Job = dropped
		return spec.Says("effect=dropped", s)
	case a.Target == old && Bug == "the fence is open" && s.Worker == busy:
		s.Worker = stopping
		return spec.Says("effect=stale", s)
	case a.Target == old && Bug == "the fence guards nothing" && s.Worker != idle:
		return spec.Impossible[state]()
	case a.Target == old && Bug != "nothing is stale":
		return spec.Says("effect=stale", s)
	case s.Worker == idle && Bug == "an idle worker is stopped":
		return spec.Says("effect=stopping", s)
	case s.Worker == idle:
		return spec.Says("effect=idle", s)
	}
	if Bug == "a stop is not latched" && s.Worker == busy {
		return spec.Says("effect=idle", s)
	}
	s.Worker = stopping
	if Bug == "misspelt" {
		return spec.Says("effect=stoped", s).And("jobb=*")
	}
	return spec.Says("effect=stopping", s)
}

func shut(s state, _ spec.None) cell {
	if s.Life == gone {
		return spec.Says("closed=false", s)
	}
	s.Life = closing
	if s.Worker == busy && Bug != "a close waits for the worker" {
		s.Worker = stopping
	}
	return spec.Says("closed=true", s)
}

func takes(s state) cell {
	if s.Life != isOpen || s.Worker != idle || s.Others == none && s.Job != waiting || Bug == "nobody takes" {
		return spec.Impossible[state]()
	}
	s.Worker = busy
	var next []state
	if s.Job == waiting {
		n := s
		n.Job = running
		next = append(next, n)
	}
	if s.Others == some {
		n := s
		n.Others = none
		next = append(next, s, n)
	}
	return spec.Goes(next...)
}

func finishes(s state) cell {
	if s.Worker != busy {
		return spec.Impossible[state]()
	}
	if s.Job == running {
		s.Job = done
	} else if s.Job == done && Bug == "a job is done twice" {
		s.Job = waiting
	}
	s.Worker = idle
	return spec.Goes(s)
}

// expires gives the job back: this run of the work is over, and the job is not.
func expires(s state) cell {
	if s.Worker != busy || s.Job != running {
		return spec.Impossible[state]()
	}
	s.Worker, s.Job = idle, waiting
	switch Bug {
	case "an expired lease forgets":
		s.Job = unsent
	case "an expired lease strands":
		s.Worker, s.Job = idle, running
	}
	return spec.Goes(s)
}

func givesUp(s state) cell {
	if s.Worker != stopping || Bug == "nobody gives up" {
		return spec.Impossible[state]()
	}
	s.Worker = idle
	if s.Job == running {
		s.Job = done
	}
	return spec.Goes(s)
}

func closed(s state) cell {
	if s.Life != closing || s.Worker != idle {
		return spec.Impossible[state]()
	}
	s.Life, s.Others = gone, none
	return spec.Goes(s)
}
