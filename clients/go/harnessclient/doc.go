// SPDX-License-Identifier: Apache-2.0

// Package harnessclient is the typed client of the agent-session wire: what a host
// embeds to start a runtime, or to reach one over any transport, and to run
// prompts on its sessions. It compiles the standard library and this module's
// runtime packages, and nothing else.
//
//	rt, err := harnessclient.Launch(ctx, process.Command("accord", "serve"), harnessclient.Options{Provider: "deepseek-official", Model: "…", Dir: dir})
//	s := rt.Session("order-42")
//	turn, err := s.Prompt(ctx, harness.Text("hello"), nil) // accepted: turn.Receipt
//	for delta := range turn.Deltas(ctx) { … }              // live text; ends with the turn
//	for event := range turn.Events(ctx) { … }              // the durable record of it
//	end, err := turn.Settled(ctx)                          // completed, cancelled, failed …, with text and usage
//	stop, err := turn.Cancel(ctx, nil)                     // accepted
//	err = stop.Settled(ctx)                                // proven over
//	rest, err := s.Wait(ctx, nil)                          // nothing runs, nothing waits
//	out, err := s.Close(ctx, nil)
//	s, err = rt.Resume(ctx, "order-42", nil)
//	text, err := rt.NewSession().Ask(ctx, "hello")         // a new session, and the answer's text alone
//	err = rt.Close(ctx)
//
// A host that only needs the text of an answer calls Session.Ask.
//
// Accepted is not settled: a method returns when the runtime has accepted the
// call, and the handle that it returned follows what the call leads to.
//
// Payloads, errors and options are in package harness. The last parameter of most
// methods holds the params that may be left out; nil leaves out all of them.
//
//	s.Prompt(ctx, harness.Text("go on"), &harness.PromptOptions{IdempotencyKey: new("k-1")})
//	s.Cancel(ctx, &harness.CancelOptions{Queue: harness.QueueDrop})
//
// Runtimes of all generations are served alike. One that negotiated version 2
// is not asked for what it does not announce; others are asked once. Either
// way the error is a *harness.UnsupportedError.
//
// Messages of one session reach Options.Handler and the handles in order, one at
// a time; sessions do not wait for each other. The response to a call is handed
// out after the messages that preceded it have been handled. A handler that
// makes calls must make them with its own context: those return at once.
//
// Most of the package is generated. Written by hand is what only this protocol
// knows: which turn took a message (fold.go), the text and usage of a turn
// (account.go), and the three sources of live text, which are presented as one
// (deltas.go). Nothing in here may parse a text that is meant for people.
package harnessclient
