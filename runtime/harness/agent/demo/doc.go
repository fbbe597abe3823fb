// SPDX-License-Identifier: Apache-2.0

// Package demo is an agent that needs no model: the prompt says what it does,
// one command a line. It is deterministic and offline, for tests, for
// demonstrations, and for hosts that want to see their own handling of slow,
// failing, stubborn or talkative turns.
//
//	say TEXT           streams TEXT, a delta a word
//	count N [EVERY]    N deltas "1 ", "2 ", …, one every EVERY
//	flood N            N deltas, as fast as they are taken
//	think TEXT         reasoning
//	sleep D            does nothing; cancellable
//	tool NAME [D]      a call of NAME that takes D, and its result
//	ask NAME           the same, but asks for a permission first
//	child COMMAND      a background child session that runs COMMAND
//	child! COMMAND     the same, awaited
//	fail MESSAGE       ends the turn with an error
//	stubborn D         ignores cancellation for D, then continues
//	remember KEY VALUE
//	recall KEY         answers from the session's history
//
// Any other line is echoed. Durations are Go's.
//
// The agent keeps no state: what it does next is worked out from the messages
// of the session alone. It must stay that way, for that is what shows that a
// session survives being closed, stored and continued elsewhere.
package demo
