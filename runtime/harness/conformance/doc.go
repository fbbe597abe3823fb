// SPDX-License-Identifier: Apache-2.0

// Package replay plays wire cases through the generated Go client.
//
// A case is a folder with one or more scripts (wire.jsonl, wire.NAME.jsonl),
// one step a line, and an expect.json that says what the embedding program
// must see. The player takes the runtime's side on a real child process's
// stdio: the child (see [PeerMain]) only carries bytes between its stdio and
// the player, so that everything a client can meet is met for real (pipes,
// process groups, exits, stderr) while the whole script stays in one place.
// With [RunAgainst] a runtime is under test instead, with the same client in
// front of it.
//
// # Steps
//
//	{"t":"host","do":…}       the embedding program acts: run, cancel, resume, load, closeSession,
//	                          wait, status, list, interruptAndPrompt, getWorkingDirectory,
//	                          setWorkingDirectory, call, close. as names the result.
//	{"t":"c2s","frame":…}     the frame that the client must send next. Members may be added, none
//	                          may be missing. $name is bound at its first use. within bounds, in
//	                          milliseconds, how long the frame may take.
//	{"t":"s2c","frame":…}     the runtime writes; names are put in. raw instead of frame: any text.
//	                          eol replaces the newline, pad {token, char, bytes} puts many bytes in
//	                          place of a token, splitInsideEveryMultibyte cuts characters.
//	{"t":"proc","do":…}       stderr {lines, repeat}, exit {code or signal}, closeStdout
//	{"t":"delay","ms":…}      wait
//	{"t":"quiet","ms":…}      wait, and neither side may write
//
// A host step is started at its point, once the client has handed out what was
// written before, and is not awaited. The first one starts the runtime. An
// error with id null, by which a client says that it could not read a line, may
// stand anywhere. fake-runtime.sh in the folder is launched instead of a player.
//
// # Expectations
//
// About what the client met and how it stopped: ignored (frames by kind: blank,
// malformed, invalid, badParams, stray), reportedToDiagnostics,
// outputAfterHostCancel (bytes), hostCancelReturnsWithinMs,
// closeReturnsWithinMs, secondCloseIsNoop, survivingProcesses.
//
// About an action, under runs, cancels, waits, resumes, closes or its own name:
// the members of its result and outcome, error, finalText, partialText, joined
// (the live text), turn, endReason, usage, eventsSeen, firstEventSeq,
// toolResultBytes, exitCode, stderrTail, withinMs and others (see
// actionMembers, actionChecks); one word stands for the outcome, a cancel's
// effect or the error's kind. About the whole: topChecks. oneOf takes
// alternatives, never takes values by path. What stands under a variant's name
// is for that variant alone.
//
// The package must never skip an expectation in silence: a key that it does not
// know fails the case and says NOT CHECKED; one whose layer cannot be played
// here is reported as skipped, with the reason.
package conformance
