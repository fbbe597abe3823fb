// SPDX-License-Identifier: Apache-2.0

// Package conformance plays wire cases through the generated Go client.
//
// A case is a folder with one or more scripts (wire.jsonl, wire.NAME.jsonl),
// one step a line, and an expect.json that says what the embedding program
// must see. The player takes the runtime's side on a real child process's
// stdio: the child (see [PeerMain]) only carries bytes between its stdio and
// the player, so that everything a client can meet is met for real (pipes,
// process groups, exits, stderr) while the whole script stays in one place.
// With [Options.Against] a runtime is under test instead, with the same client in
// front of it.
//
// # Steps
//
//	{"t":"host","do":…}       the embedding program acts; as names the result:
//	                          run {session, text, ifStored, delivery, slowHandlerMs}
//	                          cancel {run or session, queue, waitFor, turn}
//	                          interruptAndPrompt {session, text, queue}
//	                          resume, closeSession, wait {session}, close
//	{"t":"c2s","frame":…}     the frame that the client must send next. Members may be added, none
//	                          may be missing. $name is bound at its first use. within bounds, in
//	                          milliseconds, how long the frame may take.
//	{"t":"s2c","frame":…}     the runtime writes; names are put in. raw instead of frame: any text.
//	                          eol replaces the newline, pad {token, char, bytes} puts many bytes in
//	                          place of a token, splitInsideEveryMultibyte cuts characters.
//	{"t":"proc","do":…}       stderr {lines}, exit {code}
//	{"t":"delay","ms":…}      wait
//	{"t":"quiet","ms":…}      wait, and neither side may write
//
// A host step is started at its point, once the client has handed out what was
// written before, and is not awaited. The first one starts the runtime, set up as the
// script's handshake has it; another handshake after its end has the host start it
// again. An error with id null, by which a client says that it could not read a line, may
// stand anywhere. fake-runtime.sh in the folder is launched instead of a player. A word
// that is not named here fails the case, with its file and line and the words that there
// are.
//
// # Expectations
//
// About an action, under runs, cancels, waits, resumes, closes or its own name:
// the members of its result or its error, and those of actionWords and actionChecks; one
// word stands for the outcome, a cancel's effect or the error's kind. About the whole:
// topChecks. oneOf takes alternatives, never takes values by path. What stands under a
// variant's name is for that variant alone.
//
// order is a list of texts, each with words that frames have, such as "session/cancel s",
// "subagent.started kid", "turn/end kid", "kid", or "p1 ended" for the end of a host step.
// What they name must have been sent by the client, handed out or over in that order;
// what repeats the one before it is left out. treeSessions are the sessions of the first
// run's tree, its own included; excludedSessions those that are not in it, of what was
// handed out; leftRunning those that a turn had begun, and that had not ended when it was
// over, which the first cancel, or interrupt, stopped. outputAfterHostCancel and outputAfterInterrupt count the bytes of the old
// turns that their streams, or the handler, gave after the call had returned. given is the
// ladder that the host configures, in milliseconds: shutdownMs, eofMs, termMs, killMs, as
// far as they are there; it holds when the close kept to it.
//
// The package must never skip an expectation in silence: a key that it does not
// know fails the case and says NOT CHECKED; one whose layer cannot be played
// here is reported as skipped, with the reason.
package conformance
