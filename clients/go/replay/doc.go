// Package replay plays wire cases through the generated Go client.
//
// A case is a folder with one or more scripts (wire.jsonl, wire.NAME.jsonl),
// one step a line, and an expect.json that says what the embedding program
// must see. The player takes the runtime's side on a real child process's
// stdio: the child (see [PeerMain]) only carries bytes between its stdio and
// the player, so that everything a client can meet is met for real — pipes,
// process groups, exits, stderr — while the whole script stays in one place.
//
// The package is split by idea: steps are read (case.go, step.go), the peer
// carries bytes (peer.go, link.go), the player walks the steps (player.go),
// the host side drives the client under test (host*.go), what was seen becomes
// a tree of JSON values (observe.go), and expect*.go compares that tree with
// expect.json.
//
// It must never skip an expectation in silence: a key that it does not know
// fails the case and says NOT CHECKED; one whose layer cannot be played here
// is reported as skipped, with the reason.
package replay
