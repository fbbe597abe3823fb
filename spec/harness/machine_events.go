// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// opens is another connection's call that creates or loads the session.
func opens(s state) cell {
	if s.impossible() || s.Life != none && s.Life != stored {
		return spec.Impossible[state]()
	}
	return spec.Goes(s.withLife(opening))
}

func opened(s state) cell {
	if s.impossible() || s.Life != opening {
		return spec.Impossible[state]()
	}
	failed := s.withLife(stored)
	if s.Queue == empty && s.Mark == unsent { // perhaps there is no log
		return spec.Goes(s.withLife(live), failed, s.withLife(none))
	}
	return spec.Goes(s.withLife(live), failed)
}

// takes is turn/start and the claim.
func takes(s state) cell {
	if s.impossible() || s.Life != live && s.Life != draining || s.Turn != noTurn || s.Queue != waiting {
		return spec.Impossible[state]()
	}
	return spec.Goes(taken(s)...)
}

func steps(s state) cell {
	if s.impossible() || s.Mark != steered {
		return spec.Impossible[state]()
	}
	return spec.Goes(s.withMark(inTurn))
}

// ends is the end of a turn that was not stopped, whatever its outcome. A
// message that was steered into it is taken first.
func ends(s state) cell {
	if s.impossible() || s.Turn != open || s.Mark == steered {
		return spec.Impossible[state]()
	}
	return spec.Goes(s.turnEnds())
}

func stops(s state) cell {
	if s.impossible() || s.Turn != stopping {
		return spec.Impossible[state]()
	}
	return spec.Goes(s.turnEnds())
}

// notice is a background child's end, which the model sees in a turn of its
// own. It does not wake what is parked.
func notice(s state) cell {
	if s.impossible() || s.Life != live || s.Turn != noTurn {
		return spec.Impossible[state]()
	}
	return spec.Goes(s.withTurn(open))
}

// deadline is the deadline of a close that drains.
func deadline(s state) cell {
	if s.impossible() || s.Life != draining || !s.busy() {
		return spec.Impossible[state]()
	}
	return spec.Goes(s.cut())
}

func closed(s state) cell {
	if s.impossible() || !s.closes() || s.busy() {
		return spec.Impossible[state]()
	}
	return spec.Goes(unwritten(s.shut())...)
}

// dies is the death of the process: the next load closes what was open.
func dies(s state) cell {
	if s.impossible() || s.Life == none || s.Life == stored {
		return spec.Impossible[state]()
	}
	if s.Life == opening {
		return spec.Goes(s.withLife(stored)).Cuts(nil)
	}
	return spec.Goes(unwritten(s.shut())...).Cuts(nil)
}

// lost is another process's claim of the log: what was open here is fenced, and
// closed by the load there.
func lost(s state) cell {
	if s.impossible() || s.Life != live && !s.closes() {
		return spec.Impossible[state]()
	}
	return spec.Goes(s.shut()).Cuts(frameLost)
}
