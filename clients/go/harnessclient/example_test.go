// SPDX-License-Identifier: Apache-2.0

package harnessclient_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/accordkit/accord/clients/go/harnessclient"
	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/process"
)

// A host starts a runtime, runs a prompt, shows the answer as it comes, and
// ends the runtime.
func Example() {
	ctx := context.Background()
	rt, err := harnessclient.Launch(ctx, process.Command("accord", "serve"), harnessclient.Options{
		Provider: "demo", Model: "demo", Dir: "/srv/project",
	})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close(ctx)

	turn, err := rt.Session("order-42").Prompt(ctx, harness.Text("say hello"), nil)
	if err != nil {
		log.Fatal(err)
	}
	for delta := range turn.Deltas(ctx) {
		fmt.Print(delta.Text)
	}
	end, err := turn.Settled(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(end.Outcome, end.Usage.OutputTokens)
}

// A stop is accepted first and proven later.
func ExampleTurn_Cancel() {
	var turn *harnessclient.Turn // from Session.Prompt
	ctx := context.Background()
	stop, err := turn.Cancel(ctx, nil)
	var lacks *harness.UnsupportedError
	switch {
	case errors.As(err, &lacks):
		log.Fatalf("this runtime cannot cancel: it lacks %s", lacks.Capability)
	case err != nil:
		log.Fatal(err)
	}
	if err := stop.Settled(ctx); err != nil {
		log.Fatal(err)
	}
	end, _ := turn.Settled(ctx)
	fmt.Println(end.Outcome, end.Text) // cancelled, with what was said until then
}

// A host that fell behind reads again what it missed.
func ExampleRuntime_Load() {
	var rt *harnessclient.Runtime // from Launch or Connect
	var err error                 // from Turn.Settled
	ctx := context.Background()
	var behind *harness.LaggingError
	if errors.As(err, &behind) {
		_, err = rt.Load(ctx, behind.SessionID, func(_ context.Context, p *harness.SessionEventParams) {
			fmt.Println(p.Event.Seq, p.Event.Type())
		}, &harness.LoadOptions{AfterSeq: &behind.AfterSeq})
	}
	if err != nil {
		log.Fatal(err)
	}
}

// A user who speaks into an answer: not a word more of the old one is shown.
func ExampleSession_Interrupt() {
	ctx := context.Background()
	rt, err := harnessclient.Launch(ctx, process.Command("accord", "serve"), harnessclient.Options{Provider: "demo", Model: "demo"})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close(ctx)
	s := rt.NewSession()
	if _, err := s.Prompt(ctx, harness.Text("count 1000 20ms"), nil); err != nil {
		log.Fatal(err)
	}
	next, err := s.Interrupt(ctx, harness.Text("say Yes?"), nil)
	if err != nil {
		log.Fatal(err)
	}
	for delta := range next.Deltas(ctx) {
		fmt.Print(delta.Text)
	}
}
