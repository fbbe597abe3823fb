// SPDX-License-Identifier: Apache-2.0

// Package harness is the typed client of the agent-session wire: what a host
// embeds to start a runtime, or to reach one over any transport, and to run
// prompts on its sessions. It compiles the standard library and this module's
// runtime packages, and nothing else.
//
//	rt, err := harness.Launch(ctx, process.Command("accord", "serve"), harness.Options{Provider: "deepseek-official", Model: "…", Dir: dir})
//	s := rt.Session("order-42")
//	turn, err := s.Prompt(ctx, harness.Text("hello"))   // accepted: turn.Receipt
//	for delta := range turn.Deltas() { … }              // live text; ends with the turn
//	for event := range turn.Events() { … }              // the durable record of it
//	end, err := turn.Settled(ctx)                       // completed, cancelled, failed …, with text and usage
//	stop, err := turn.Cancel(ctx)                       // accepted
//	err = stop.Settled(ctx)                             // proven over
//	err = s.Wait(ctx)                                   // nothing runs, nothing waits
//	out, err := s.Close(ctx)
//	s, err = rt.Resume(ctx, "order-42")
//	err = rt.Close(ctx)
//
// Accepted is not settled: a method returns when the runtime has accepted the
// call, and what goes on after that is followed by the handle it returned.
//
// The last parameter of most methods, more, takes at most one value of the
// method's params: its members are sent beside those that the other arguments
// and the handle fill in.
//
//	s.Prompt(ctx, harness.Text("go on"), &harness.PromptOptions{IdempotencyKey: new("k-1")})
//	s.Cancel(ctx, harness.CancelParams{Queue: harness.QueueDrop})
//
// Runtimes of all generations are served alike. One that negotiated version 2
// is not asked for what it does not announce; others are asked once. Either
// way the answer is an *UnsupportedError.
//
// Messages of one session reach Options.Handler and the handles in order, one
// at a time; sessions do not wait for each other. A call's answer is handed out
// after the messages that came before it have been handled. A handler that
// makes calls must make them with its own context: those are answered at once.
//
// Almost all of the package is generated. By hand are what only this protocol
// knows: whose message a turn took (fold.go), the text and usage of a turn
// (account.go), and the three sources of live text that are shown as one
// (deltas.go). Nothing in here may parse a text that is meant for people.
package harnessclient
