// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"strings"
	"testing"
)

const (
	completed = `{"kind":"completed"}`
	stopped   = `{"kind":"aborted","reason":{"kind":"user"}}`
)

var all = []string{"cancel", "close", "load", "resume", "wait", "status", "list", "workingDirectory"}

func allCaps() []string { return append([]string(nil), all...) }

// Kinds of runs: where the response stands, who else writes, how a turn ends.
func TestKindsOfRuns(t *testing.T) {
	for _, version := range []int{1, 2} {
		fresh := func() *script {
			return newScript(version).run("p1", "s", "hi").init(allCaps()...).prompt("r1", "s", "hi")
		}
		hello := `{"runs":{"p1":{"outcome":"completed","finalText":"hello","turn":1}},"mustNotHang":true,"initializeCount":1}`
		for name, c := range map[string]struct {
			s      *script
			expect string
		}{
			"the response comes first":  {fresh().receipt("r1", "m").insert("s", 0, "m").status("s", "running").whole("s", 1, "m", "hello").status("s", "idle").bye(), hello},
			"the response comes last":   {fresh().insert("s", 0, "m").status("s", "running").whole("s", 1, "m", "hello").status("s", "idle").receipt("r1", "m").bye(), hello},
			"the response after a turn": {fresh().insert("s", 0, "m").whole("s", 1, "m", "hello").receipt("r1", "m").status("s", "idle").bye(), hello},
			"idle never comes":          {fresh().insert("s", 0, "m").receipt("r1", "m").whole("s", 1, "m", "hello").bye(), hello},
			"a stranger's turn first": {
				fresh().insert("s", 0, "x").insert("s", 1, "m").receipt("r1", "m").whole("s", 1, "x", "not yours").whole("s", 2, "m", "yours").bye(),
				`{"runs":{"p1":{"outcome":"completed","finalText":"yours","turn":2,"firstEventSeq":1}},"never":{"p1.finalText":"not yours"}}`,
			},
			"a stranger's turn after": {
				fresh().insert("s", 0, "m").receipt("r1", "m").whole("s", 1, "m", "yours").insert("s", 0, "x").whole("s", 2, "x", "not yours").status("s", "idle").bye(),
				`{"runs":{"p1":{"outcome":"completed","finalText":"yours","turn":1}}}`,
			},
			"two messages claimed at once": {
				fresh().insert("s", 0, "x", "m").receipt("r1", "m").start("s", 1).claim("s", 0, 2).step("s", 1).user("s", "x").user("s", "m").says("s", "both").end("s", completed).bye(),
				`{"runs":{"p1":{"outcome":"completed","finalText":"both","turn":1}}}`,
			},
			"inserted at the front": {
				fresh().insert("s", 0, "x").insert("s", 0, "m").receipt("r1", "m").whole("s", 1, "m", "yours").whole("s", 2, "x", "not yours").bye(),
				`{"runs":{"p1":{"outcome":"completed","finalText":"yours","turn":1}}}`,
			},
			"known by its user/message alone": {
				fresh().receipt("r1", "m").start("s", 1).step("s", 1).user("s", "m").says("s", "hello").end("s", completed).bye(), hello,
			},
			"another session's turn end": {
				fresh().insert("s", 0, "m").receipt("r1", "m").start("s", 1).claim("s", 0, 1).step("s", 1).user("s", "m").
					start("other", 1).says("other", "not yours").end("other", completed).says("s", "hello").end("s", completed).bye(), hello,
			},
			"several messages in a turn": {
				fresh().insert("s", 0, "m").receipt("r1", "m").start("s", 1).claim("s", 0, 1).user("s", "m").says("s", "first").says("s", "hello").end("s", completed).bye(), hello,
			},
			"no message at all": {
				fresh().insert("s", 0, "m").receipt("r1", "m").start("s", 1).claim("s", 0, 1).user("s", "m").end("s", completed).bye(),
				`{"runs":{"p1":{"outcome":"completed","finalText":""}}}`,
			},
			"failed": {
				fresh().insert("s", 0, "m").receipt("r1", "m").start("s", 1).claim("s", 0, 1).user("s", "m").
					end("s", `{"kind":"error","error":{"message":"no luck","code":"SERVER"}}`).bye(),
				`{"runs":{"p1":{"outcome":"failed","endReason":"error","error":"SERVER","turn":1}}}`,
			},
			"blocked":     {fresh().insert("s", 0, "m").receipt("r1", "m").start("s", 1).claim("s", 0, 1).end("s", `{"kind":"blocked"}`).bye(), `{"runs":{"p1":"blocked"}}`},
			"max-tokens":  {fresh().insert("s", 0, "m").receipt("r1", "m").start("s", 1).claim("s", 0, 1).says("s", "cut").end("s", `{"kind":"max-tokens"}`).bye(), `{"runs":{"p1":{"outcome":"max-tokens","partialText":"cut"}}}`},
			"interrupted": {fresh().insert("s", 0, "m").receipt("r1", "m").start("s", 1).claim("s", 0, 1).end("s", `{"kind":"interrupted"}`).bye(), `{"runs":{"p1":"interrupted"}}`},
			"other": {
				fresh().insert("s", 0, "m").receipt("r1", "m").start("s", 1).claim("s", 0, 1).end("s", `{"kind":"acme-quota","left":0}`).bye(),
				`{"runs":{"p1":{"outcome":"other","endReason":"acme-quota"}}}`,
			},
			"stopped by someone else": {
				fresh().insert("s", 0, "m").receipt("r1", "m").start("s", 1).claim("s", 0, 1).delta("s", 0, "par").delta("s", 1, "tial").
					end("s", `{"kind":"aborted","reason":{"kind":"parent"}}`).bye(),
				`{"runs":{"p1":{"outcome":"cancelled","endReason":"aborted/parent","partialText":"partial"}}}`,
			},
			"refused": {
				fresh().refuse("r1", -32603, "no such thing", `{"kind":"internal","retry":"never"}`).bye(),
				`{"runs":{"p1":{"outcome":"error","error":"internal","accepted":false}},"framesFromClient":{"session/prompt":1}}`,
			},
			"withdrawn": {
				fresh().insert("s", 0, "x").insert("s", 1, "m").receipt("r1", "m").start("s", 1).claim("s", 0, 1).withdraw("s", 0, 1).end("s", completed).bye(),
				`{"runs":{"p1":{"outcome":"withdrawn","turn":null,"finalText":""}}}`,
			},
		} {
			t.Run(name+map[int]string{1: ", version 1", 2: ", version 2"}[version], func(t *testing.T) { c.s.passes(t, c.expect) })
		}
	}
}

// Kinds of handshakes.
func TestKindsOfHandshakes(t *testing.T) {
	start := func() *script {
		return newScript(1).run("p1", "s", "hi").c2s(`{"id":"$init","method":"initialize","params":{"protocolVersion":2}}`)
	}
	served := func(s *script) *script {
		return s.prompt("r1", "s", "hi").insert("s", 0, "m").receipt("r1", "m").whole("s", 1, "m", "hello").bye()
	}
	hello := `{"runs":{"p1":{"outcome":"completed","finalText":"hello"}}}`
	for name, c := range map[string]struct {
		s      *script
		expect string
	}{
		"nothing in it":          {served(start().respond("init", `{}`)), hello},
		"half an identity":       {served(start().respond("init", `{"serverInfo":{"name":"r"},"colour":"red"}`)), hello},
		"notifications first":    {served(start().status("z", "running").raw("starting…").respond("init", `{"serverInfo":{"name":"r","version":"1"}}`)), hello},
		"a version of the past":  {start().respond("init", `{"protocolVersion":1}`).line(`{"t":"delay","ms":50}`).exit(0), `{"runs":{"p1":{"outcome":"error","accepted":false}},"framesFromClient":{"session/prompt":0}}`},
		"a version of tomorrow":  {start().respond("init", `{"protocolVersion":3}`).line(`{"t":"delay","ms":50}`).exit(0), `{"runs":{"p1":{"outcome":"error"}},"framesFromClient":{"session/prompt":0}}`},
		"no version in common":   {start().refuse("init", -32022, "no", `{"kind":"version-unsupported","retry":"never","requested":2,"supported":[9]}`).line(`{"t":"delay","ms":50}`).exit(0), `{"runs":{"p1":"version-unsupported"}}`},
		"a refusal of its texts": {start().s2c(`{"jsonrpc":"2.0","id":"$init","error":{"code":-32603,"message":"no adapter registered for provider \"zzz\""}}`).line(`{"t":"delay","ms":50}`).exit(0), `{"runs":{"p1":{"outcome":"error"}},"mustNotHang":true}`},
	} {
		t.Run(name, func(t *testing.T) { c.s.passes(t, c.expect) })
	}
}

// Kinds of refusals by version 2: each is an error of its own kind.
func TestKindsOfRefusals(t *testing.T) {
	for kind, code := range map[string]int{
		"session-not-found": -32002, "session-closed": -32002, "session-exists": 1001, "session-busy": 1002,
		"session-locked": 1003, "session-fenced": 1004, "session-damaged": 1005, "format-unsupported": 1006,
		"idempotency-conflict": 1007, "overloaded": 1008, "shutting-down": 1009, "store-failed": 1010,
		"invalid-params": -32602, "internal": -32603, "limit-exceeded": -32600, "not-initialized": -32603,
	} {
		t.Run(kind, func(t *testing.T) {
			newScript(2).run("p1", "s", "hi").init(allCaps()...).prompt("r1", "s", "hi").
				refuse("r1", code, "no", `{"kind":"`+kind+`","sessionId":"s","retry":"never"}`).
				run("p2", "other", "hi").prompt("r2", "other", "hi").insert("other", 0, "m").receipt("r2", "m").whole("other", 1, "m", "ok").bye().
				passes(t, `{"runs":{"p1":{"outcome":"error","error":"`+kind+`","retried":false,"silentNewId":false},"p2":{"outcome":"completed","finalText":"ok"}},"framesFromClient":{"session/prompt":2}}`)
		})
	}
}

// Kinds of cancels and what they do to the queue.
func TestKindsOfCancels(t *testing.T) {
	running := func() *script {
		return newScript(2).run("p1", "s", "one").init(allCaps()...).prompt("r1", "s", "one").insert("s", 0, "m1").receipt("r1", "m1").
			start("s", 1).claim("s", 0, 1).step("s", 1).user("s", "m1")
	}
	queue := func(s *script, as, id, message string, at int) *script {
		return s.run(as, "s", as).prompt(id, "s", as).insert("s", at, message).receipt(id, message)
	}
	interrupt := func(s *script) *script {
		return s.host(`"do":"interruptAndPrompt","session":"s","text":"now","as":"p2"`).c2s(`{"id":"$c","method":"session/cancel","params":{"sessionId":"s"}}`).prompt("r2", "s", "now")
	}
	stopping := `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":[]}`
	for name, c := range map[string]struct {
		s      *script
		expect string
	}{
		"the answer after the end": {
			running().delta("s", 0, "a").host(`"do":"cancel","run":"p1","as":"k"`).c2s(`{"id":"$c","method":"session/cancel","params":{"sessionId":"s","messageId":"m1"}}`).
				end("s", stopped).status("s", "idle").respond("c", stopping).bye(),
			`{"runs":{"p1":{"outcome":"cancelled","partialText":"a","endReason":"aborted/user"}},"cancels":{"k":"stopping"}}`,
		},
		"two cancels of one run": {
			running().host(`"do":"cancel","run":"p1","as":"k1"`).c2s(`{"id":"$c1","method":"session/cancel","params":{"messageId":"m1"}}`).
				host(`"do":"cancel","run":"p1","as":"k2"`).c2s(`{"id":"$c2","method":"session/cancel","params":{"messageId":"m1"}}`).
				respond("c2", `{"cancelled":true,"effect":"already-stopping","turn":1,"withdrawn":[]}`).respond("c1", stopping).end("s", stopped).bye(),
			`{"cancels":{"k1":"stopping","k2":"already-stopping"},"runs":{"p1":"cancelled"},"everyRequestAnsweredWithinMs":1000}`,
		},
		"too late: the turn completed": {
			running().host(`"do":"cancel","run":"p1","as":"k"`).c2s(`{"id":"$c","method":"session/cancel"}`).says("s", "done").end("s", completed).
				respond("c", `{"cancelled":false,"effect":"stale","withdrawn":[]}`).bye(),
			`{"runs":{"p1":{"outcome":"completed","finalText":"done"}},"cancels":{"k":{"effect":"stale","cancelled":false}}}`,
		},
		"an effect of the future": {
			running().host(`"do":"cancel","session":"s","as":"k"`).c2s(`{"id":"$c","method":"session/cancel"}`).
				respond("c", `{"cancelled":true,"effect":"acme-paused","withdrawn":[]}`).says("s", "done").end("s", completed).bye(),
			`{"runs":{"p1":"completed"},"cancels":{"k":"acme-paused"}}`,
		},
		"continue lets the next one run": {
			queue(running(), "p2", "r2", "m2", 0).host(`"do":"cancel","session":"s","queue":"continue","as":"k"`).
				c2s(`{"id":"$c","method":"session/cancel","params":{"sessionId":"s","queue":"continue"}}`).respond("c", stopping).end("s", stopped).
				whole("s", 2, "m2", "next").bye(),
			`{"runs":{"p1":"cancelled","p2":{"outcome":"completed","turn":2,"finalText":"next"}}}`,
		},
		"three dropped at once": {
			queue(queue(queue(running(), "p2", "r2", "m2", 0), "p3", "r3", "m3", 1), "p4", "r4", "m4", 2).host(`"do":"cancel","session":"s","queue":"drop","as":"k"`).
				c2s(`{"id":"$c","method":"session/cancel","params":{"queue":"drop"}}`).withdraw("s", 0, 3).
				respond("c", `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":["m2","m3","m4"]}`).end("s", stopped).bye(),
			`{"runs":{"p1":"cancelled","p2":"withdrawn","p3":"withdrawn","p4":{"outcome":"withdrawn","turn":null,"settlesBeforeCancelReply":true}},"cancels":{"k":{"withdrawn":["m2","m3","m4"]}}}`,
		},
		"one in the middle withdrawn by its run": {
			queue(queue(queue(running(), "p2", "r2", "m2", 0), "p3", "r3", "m3", 1), "p4", "r4", "m4", 2).host(`"do":"cancel","run":"p3","as":"k"`).
				c2s(`{"id":"$c","method":"session/cancel","params":{"messageId":"m3"}}`).withdraw("s", 1, 1).
				respond("c", `{"cancelled":true,"effect":"withdrawn","withdrawn":["m3"]}`).says("s", "one").end("s", completed).
				whole("s", 2, "m2", "two").whole("s", 3, "m4", "four").bye(),
			`{"runs":{"p1":{"finalText":"one"},"p2":{"finalText":"two","turn":2},"p3":"withdrawn","p4":{"finalText":"four","turn":3}}}`,
		},
		"a run that is not accepted yet": {
			newScript(2).run("p1", "s", "one").init(allCaps()...).prompt("r1", "s", "one").host(`"do":"cancel","run":"p1","as":"k"`).
				insert("s", 0, "m1").receipt("r1", "m1").c2s(`{"id":"$c","method":"session/cancel","params":{"messageId":"m1"}}`).withdraw("s", 0, 1).
				respond("c", `{"cancelled":true,"effect":"withdrawn","withdrawn":["m1"]}`).bye(),
			`{"runs":{"p1":{"outcome":"withdrawn"}},"cancels":{"k":"withdrawn"}}`,
		},
		"interrupt and prompt": {
			interrupt(running().delta("s", 0, "a")).respond("c", stopping).
				insert("s", 0, "m2").receipt("r2", "m2").end("s", stopped).whole("s", 2, "m2", "new").bye(),
			`{"runs":{"p1":{"outcome":"cancelled"},"p2":{"outcome":"completed","turn":2,"finalText":"new","effect":"stopping"}},"outputAfterInterrupt":0,"initializeCount":1,"processRestarts":0}`,
		},
		"interrupt, and the old turn goes on": {
			interrupt(running().delta("s", 0, "a")).delta("s", 1, "old").insert("s", 0, "m2").receipt("r2", "m2").
				delta("s", 2, "old").respond("c", stopping).delta("s", 3, "old").end("s", stopped).line(`{"t":"delay","ms":20}`).whole("s", 2, "m2", "new").bye(),
			`{"runs":{"p1":{"outcome":"cancelled","joined":"a"},"p2":{"outcome":"completed","turn":2,"finalText":"new","effect":"stopping"}},
				"outputAfterInterrupt":0,"hostCancelReturnsWithinMs":20000,"leftRunning":[],
				"order":["session/prompt s","session/cancel s","session/prompt s","p1 ended","p2 ended"]}`,
		},
		"interrupt, and keep the queue": {
			running().host(`"do":"interruptAndPrompt","session":"s","text":"now","queue":"keep","as":"p2"`).
				c2s(`{"id":"$c","method":"session/cancel","params":{"sessionId":"s","queue":"keep"}}`).prompt("r2", "s", "now").insert("s", 0, "m2").receipt("r2", "m2").
				respond("c", `{"cancelled":true,"effect":"stopping","turn":1,"withdrawn":[]}`).end("s", stopped).whole("s", 2, "m2", "new").bye(),
			`{"runs":{"p1":"cancelled","p2":{"finalText":"new"}},"leftRunning":[]}`,
		},
		"interrupt an idle session": {
			interrupt(running().says("s", "one").end("s", completed)).respond("c", `{"cancelled":false,"effect":"idle","withdrawn":[]}`).
				insert("s", 0, "m2").receipt("r2", "m2").whole("s", 2, "m2", "new").bye(),
			`{"runs":{"p1":{"finalText":"one"},"p2":{"finalText":"new","effect":"idle"}}}`,
		},
		"of a run that is over": {
			running().says("s", "one").end("s", completed).host(`"do":"cancel","run":"p1","as":"k"`).
				c2s(`{"id":"$c","method":"session/cancel","params":{"messageId":"m1"}}`).respond("c", `{"cancelled":false,"effect":"stale","withdrawn":[]}`).bye(),
			`{"runs":{"p1":"completed"},"cancels":{"k":"stale"}}`,
		},
		"before the handshake is over": {
			newScript(2).run("p1", "s", "one").host(`"do":"cancel","run":"p1","as":"k"`).init(allCaps()...).bye(),
			`{"runs":{"p1":"cancelled"},"framesFromClient":{"session/prompt":0,"session/cancel":0}}`,
		},
		"before the handshake is over, but sent": {
			newScript(2).run("p1", "s", "one").host(`"do":"cancel","run":"p1","as":"k"`).init(allCaps()...).prompt("r1", "s", "one").insert("s", 0, "m1").receipt("r1", "m1").
				c2s(`{"id":"$c","method":"session/cancel","params":{"messageId":"m1"}}`).withdraw("s", 0, 1).respond("c", `{"cancelled":true,"effect":"withdrawn","withdrawn":["m1"]}`).bye(),
			`{"runs":{"p1":"withdrawn"},"cancels":{"k":"withdrawn"}}`,
		},
		"a prompt in flight is abandoned": {
			newScript(2).run("p1", "s", "one").init(allCaps()...).prompt("r1", "s", "one").host(`"do":"cancel","run":"p1","as":"k"`).
				c2s(`{"method":"$/cancel_request","params":{"requestId":"$r1"}}`).
				refuse("r1", -32800, "cancelled", `{"kind":"request-cancelled","retry":"never"}`).bye(),
			`{"runs":{"p1":"cancelled"},"framesFromClient":{"session/cancel":0}}`,
		},
		"a prompt in flight is abandoned too late": {
			newScript(2).run("p1", "s", "one").init(allCaps()...).prompt("r1", "s", "one").host(`"do":"cancel","run":"p1","as":"k"`).
				c2s(`{"method":"$/cancel_request","params":{"requestId":"$r1"}}`).insert("s", 0, "m1").receipt("r1", "m1").
				c2s(`{"id":"$c","method":"session/cancel","params":{"messageId":"m1"}}`).withdraw("s", 0, 1).respond("c", `{"cancelled":true,"effect":"withdrawn","withdrawn":["m1"]}`).bye(),
			`{"runs":{"p1":"cancelled"},"framesFromClient":{"session/cancel":1}}`,
		},
		"the turn is abandoned": {
			running().delta("s", 0, "a").host(`"do":"cancel","session":"s","as":"k"`).c2s(`{"id":"$c","method":"session/cancel"}`).respond("c", stopping).
				event("s", "turn/end", `{"turn":1,"reason":`+stopped+`,"unfinished":["agent"]}`).delta("s", 1, "late").bye(),
			`{"runs":{"p1":{"outcome":"cancelled","partialText":"a"}}}`,
		},
		"no such capability": {
			newScript(2).run("p1", "s", "one").init("resume").prompt("r1", "s", "one").insert("s", 0, "m1").receipt("r1", "m1").start("s", 1).claim("s", 0, 1).
				host(`"do":"cancel","run":"p1","as":"k"`).quiet(100).says("s", "done").end("s", completed).bye(),
			`{"runs":{"p1":"completed"},"cancels":{"k":{"outcome":"rejected","error":"unsupported","capability":"session.cancel"}},"framesFromClient":{"session/cancel":0},"noEventsDuringQuiet":true}`,
		},
	} {
		t.Run(name, func(t *testing.T) { c.s.passes(t, c.expect) })
	}
}

// An older runtime is asked once for what it may not know.
func TestOlderRuntimesAreAskedOnce(t *testing.T) {
	newScript(1).run("p1", "s", "one").init().prompt("r1", "s", "one").insert("s", 0, "m1").receipt("r1", "m1").start("s", 1).claim("s", 0, 1).
		host(`"do":"cancel","run":"p1","as":"k1"`).c2s(`{"id":"$c","method":"session/cancel"}`).
		s2c(`{"jsonrpc":"2.0","id":"$c","error":{"code":-32603,"message":"unknown DeepSeek Harness SDK runtime method: session/cancel"}}`).line(`{"t":"delay","ms":30}`).
		host(`"do":"cancel","session":"s","as":"k2"`).quiet(100).
		host(`"do":"wait","session":"s","as":"w"`).c2s(`{"id":"$w","method":"session/wait","params":{"sessionId":"s"}}`).
		says("s", "done").end("s", completed).status("s", "idle").respond("w", "{}").bye().
		passes(t, `{"cancels":{"k1":{"error":"unsupported","capability":"session.cancel","outcome":"error"},"k2":{"error":"unsupported","outcome":"rejected"}},
			"runs":{"p1":"completed"},"waits":{"w":"completed"},"framesFromClient":{"session/cancel":1}}`)
}

// Kinds of closing, of one session and of everything.
func TestKindsOfClosing(t *testing.T) {
	running := func() *script {
		return newScript(2).run("p1", "s", "one").init(allCaps()...).prompt("r1", "s", "one").insert("s", 0, "m1").receipt("r1", "m1").
			start("s", 1).claim("s", 0, 1).step("s", 1).user("s", "m1").delta("s", 0, "half")
	}
	closing := func(s *script) *script {
		return s.host(`"do":"closeSession","session":"s","as":"x"`).c2s(`{"id":"$x","method":"session/close","params":{"sessionId":"s"}}`)
	}
	closed := `{"jsonrpc":"2.0","method":"session.closed","params":{"sessionId":"s","outcome":"clean"}}`
	for name, c := range map[string]struct {
		s      *script
		expect string
	}{
		"during a run": {
			closing(running()).end("s", `{"kind":"aborted","reason":{"kind":"disposed"}}`).s2c(closed).respond("x", `{"closed":true,"outcome":"clean"}`).bye(),
			`{"runs":{"p1":{"outcome":"cancelled","endReason":"aborted/disposed","partialText":"half"}},"closed":["s"],"closes":{"x":{"closed":true,"outcome":"clean"}}}`,
		},
		"the answer before the notification": {
			closing(running().says("s", "half").end("s", completed)).respond("x", `{"closed":true,"outcome":"clean"}`).s2c(closed).bye(),
			`{"runs":{"p1":"completed"},"closed":["s"]}`,
		},
		"forced, with what is unfinished": {
			closing(running()).end("s", `{"kind":"aborted","reason":{"kind":"disposed"}}`).
				s2c(`{"jsonrpc":"2.0","method":"session.closed","params":{"sessionId":"s","outcome":"forced","unfinished":["join-turn"]}}`).
				respond("x", `{"closed":true,"outcome":"forced","unfinished":["join-turn"]}`).bye(),
			`{"closed":{"s":"forced"},"closes":{"x":{"outcome":"forced","unfinished":["join-turn"]}},"runs":{"p1":"cancelled"}}`,
		},
		"a queued prompt is interrupted": {
			closing(running().run("p2", "s", "two").prompt("r2", "s", "two").insert("s", 0, "m2").receipt("r2", "m2")).
				end("s", `{"kind":"aborted","reason":{"kind":"disposed"}}`).s2c(closed).respond("x", `{"closed":true,"outcome":"clean"}`).bye(),
			`{"runs":{"p1":"cancelled","p2":{"outcome":"interrupted","turn":null}}}`,
		},
		"nothing to close": {
			closing(running().says("s", "half").end("s", completed)).respond("x", `{"closed":false}`).bye(),
			`{"closes":{"x":{"closed":false}},"closed":[]}`,
		},
		"a prompt to a closed session": {
			closing(running().says("s", "half").end("s", completed)).s2c(closed).respond("x", `{"closed":true,"outcome":"clean"}`).
				run("p2", "s", "two").prompt("r2", "s", "two").insert("s", 0, "m2").receipt("r2", "m2").whole("s", 2, "m2", "again").bye(),
			`{"runs":{"p2":{"outcome":"completed","finalText":"again","turn":2}}}`,
		},
		"everything during a run": {
			running().bye(),
			`{"runs":{"p1":{"outcome":"error","error":"connection-lost","partialText":"half"}},"mustNotHang":true}`,
		},
		"everything, with a turn that ends first": {
			running().host(`"do":"close"`).c2s(`{"id":"$bye","method":"shutdown"}`).end("s", `{"kind":"aborted","reason":{"kind":"disposed"}}`).
				s2c(closed).respond("bye", "{}").exit(0),
			`{"runs":{"p1":{"outcome":"cancelled","partialText":"half"}},"closed":["s"]}`,
		},
	} {
		t.Run(name, func(t *testing.T) { c.s.passes(t, c.expect) })
	}
}

// Kinds of reopening.
func TestKindsOfReopening(t *testing.T) {
	reopen := func(version int, caps ...string) *script {
		return newScript(version).host(`"do":"resume","session":"s","as":"x"`).init(caps...)
	}
	resume := `{"id":"$x","method":"session/resume","params":{"sessionId":"s"}}`
	state := `{"sessionId":"s","nextSeq":9,"lastTurn":1,"pendingMessageIds":[],"state":"idle","cwd":"/srv/demo"}`
	for kind, c := range map[string]struct {
		code int
		data string
	}{
		"session-not-found":  {-32002, `{"kind":"session-not-found","sessionId":"s","retry":"never"}`},
		"session-locked":     {1003, `{"kind":"session-locked","sessionId":"s","retry":"after","owner":{"pid":12}}`},
		"session-damaged":    {1005, `{"kind":"session-damaged","sessionId":"s","retry":"never","line":4}`},
		"format-unsupported": {1006, `{"kind":"format-unsupported","sessionId":"s","retry":"never"}`},
		"session-mismatch":   {-32602, `{"kind":"session-mismatch","sessionId":"s","retry":"never"}`},
	} {
		t.Run(kind, func(t *testing.T) {
			reopen(2, allCaps()...).c2s(resume).refuse("x", c.code, "no", c.data).bye().
				passes(t, `{"resumes":{"x":{"error":"`+kind+`","sessionId":"s"}},"framesFromClient":{"session/load":0,"session/prompt":0,"session/resume":1}}`)
		})
	}
	t.Run("an older runtime that can", func(t *testing.T) {
		s := reopen(1).c2s(resume).respond("x", "{}")
		s.seq["s"] = 15
		s.run("p1", "s", "hi").prompt("r1", "s", "hi").insert("s", 0, "m").receipt("r1", "m").whole("s", 2, "m", "back").bye().
			passes(t, `{"x":"completed","runs":{"p1":{"finalText":"back","turn":2,"firstEventSeq":15}},"firstLiveSeq":15}`)
	})
	t.Run("prompts that wait run first", func(t *testing.T) {
		s := reopen(2, allCaps()...).c2s(resume).respond("x", strings.Replace(state, `[]`, `["old"]`, 1))
		s.seq["s"] = 9
		s.run("p1", "s", "hi").prompt("r1", "s", "hi").insert("s", 1, "m").receipt("r1", "m").whole("s", 2, "old", "not yours").whole("s", 3, "m", "yours").bye().
			passes(t, `{"runs":{"p1":{"finalText":"yours","turn":3}},"resumes":{"x":{"pendingMessageIds":["old"],"nextSeq":9}}}`)
	})
	t.Run("neither way", func(t *testing.T) {
		reopen(2, "cancel").quiet(100).bye().
			passes(t, `{"resumes":{"x":{"error":"unsupported","outcome":"rejected"}},"framesFromClient":{"session/resume":0,"session/load":0}}`)
	})
	t.Run("history while live", func(t *testing.T) {
		replay := func(s *script, seq int, kind, data string) {
			s.s2c(`{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"s","replay":true,"event":{"type":"` + kind + `","seq":` + encode(seq) + `,"time":1,"data":` + data + `}}}`)
		}
		s := reopen(2, "load", "cancel").c2s(`{"id":"$x","method":"session/load","params":{"sessionId":"s"}}`)
		replay(s, 0, "turn/start", `{"turn":1}`)
		replay(s, 1, "turn/end", `{"turn":1,"reason":{"kind":"interrupted"}}`)
		s.s2c(`{"jsonrpc":"2.0","method":"session.replayed","params":{"sessionId":"s","nextSeq":9}}`)
		s.seq["s"] = 9
		s.insert("s", 0, "x").start("s", 2)
		s.respond("x", strings.Replace(state, `"idle"`, `"running"`, 1)).claim("s", 0, 1).says("s", "stranger's").end("s", completed).
			run("p1", "s", "hi").prompt("r1", "s", "hi").insert("s", 0, "m").receipt("r1", "m").whole("s", 3, "m", "mine").bye().
			passes(t, `{"replayedEvents":2,"replayedNotLive":true,"firstLiveSeq":9,"runs":{"p1":{"finalText":"mine","turn":3}}}`)
	})
}

// Kinds of lines that are not as they should be.
func TestKindsOfLines(t *testing.T) {
	for _, version := range []int{1, 2} {
		for name, line := range map[string]string{
			"garbage":                   `{"t":"s2c","raw":"Debugger attached."}`,
			"blank lines":               `{"t":"s2c","raw":"\n\n  \n"}`,
			"half an object":            `{"t":"s2c","raw":"{\"jsonrpc\":\"2.0\",\"method\":\"session.ev"}`,
			"a batch":                   `{"t":"s2c","raw":"[]"}`,
			"a number":                  `{"t":"s2c","raw":"42"}`,
			"NUL":                       `{"t":"s2c","raw":"\u0000\u0000"}`,
			"an unknown response":       `{"t":"s2c","frame":{"jsonrpc":"2.0","id":"nobody","result":{}}}`,
			"a response to null":        `{"t":"s2c","frame":{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}}`,
			"an ill-shaped event":       `{"t":"s2c","frame":{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"s"}}}`,
			"params that are none":      `{"t":"s2c","frame":{"jsonrpc":"2.0","method":"session.status","params":[1]}}`,
			"a known event, ill-shaped": `{"t":"s2c","frame":{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"z","event":{"type":"turn/end","seq":"no","data":7}}}}`,
			"too deep":                  `{"t":"s2c","raw":"` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `"}`,
			"a status of the future":    `{"t":"s2c","frame":{"jsonrpc":"2.0","method":"session.status","params":{"sessionId":"s","status":"meditating"}}}`,
		} {
			t.Run(name+map[int]string{1: ", version 1", 2: ", version 2"}[version], func(t *testing.T) {
				newScript(version).run("p1", "s", "hi").line("%s", line).init(allCaps()...).line("%s", line).prompt("r1", "s", "hi").line("%s", line).insert("s", 0, "m").
					receipt("r1", "m").line("%s", line).start("s", 1).claim("s", 0, 1).line("%s", line).says("s", "hello").end("s", completed).line("%s", line).bye().
					passes(t, `{"runs":{"p1":{"outcome":"completed","finalText":"hello"}},"mustNotHang":true}`)
			})
		}
	}
	t.Run("noise is counted", func(t *testing.T) {
		newScript(1).run("p1", "s", "hi").raw("Debugger attached.").init().raw("{\"a\":").prompt("r1", "s", "hi").raw("warn: [x]").insert("s", 0, "m").receipt("r1", "m").whole("s", 1, "m", "hello").bye().
			passes(t, `{"ignored":{"malformed":3,"invalid":0,"blank":0},"secondCloseIsNoop":true,"closeReturnsWithinMs":20000,"runs":{"p1":{"finalText":"hello"}}}`)
	})
	t.Run("CRLF and a BOM", func(t *testing.T) {
		s := newScript(1).run("p1", "s", "hi").init().prompt("r1", "s", "hi").insert("s", 0, "m").receipt("r1", "m").whole("s", 1, "m", "hello").bye()
		for i, l := range s.lines {
			if strings.HasPrefix(l, `{"t":"s2c"`) {
				s.lines[i] = strings.TrimSuffix(l, "}") + `,"eol":"\r\n"}`
			}
		}
		s.lines[2] = `{"t":"s2c","raw":"\ufeff  {\"jsonrpc\":\"2.0\",\"id\":\"$init\",\"result\":{\"serverInfo\":{\"name\":\"r\",\"version\":\"1\"}}}  ","eol":"\r\n"}`
		s.passes(t, `{"runs":{"p1":{"outcome":"completed","finalText":"hello"}}}`)
	})
	t.Run("two frames in one write, one in many", func(t *testing.T) {
		s := newScript(2).run("p1", "s", "hi").init(allCaps()...).prompt("r1", "s", "hi")
		s.raw(`{"jsonrpc":"2.0","method":"session.status","params":{"sessionId":"s","status":"running"}}` + "\n" + `{"jsonrpc":"2.0","id":"$r1","result":{"messageId":"m"}}`)
		s.insert("s", 0, "m").start("s", 1).claim("s", 0, 1)
		s.says("s", "完成了 🎉 é")
		s.lines[len(s.lines)-1] = strings.TrimSuffix(s.lines[len(s.lines)-1], "}") + `,"splitInsideEveryMultibyte":true}`
		s.end("s", completed).bye().passes(t, `{"runs":{"p1":{"finalText":"完成了 🎉 é"}}}`)
	})
	t.Run("a line over the limit", func(t *testing.T) {
		newScript(1).run("p1", "s", "hi").init().prompt("r1", "s", "hi").insert("s", 0, "m").receipt("r1", "m").start("s", 1).claim("s", 0, 1).
			line(`{"t":"s2c","frame":{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"z","event":{"type":"acme/big","seq":0,"time":1,"data":"@P@"}}},"pad":{"token":"@P@","char":"x","bytes":68000000}}`).
			says("s", "hello").end("s", completed).bye().
			passes(t, `{"runs":{"p1":{"finalText":"hello"}},"reportedToDiagnostics":{"line too long":1}}`)
	})
}

// Kinds of deaths.
func TestKindsOfDeaths(t *testing.T) {
	prompted := func() *script { return newScript(1).run("p1", "s", "hi").init().prompt("r1", "s", "hi") }
	lost := func(code string) string {
		return `{"runs":{"p1":{"outcome":"error","error":"connection-lost","withinMs":2000` + code + `}},"autoRestart":false,"mustNotHang":true}`
	}
	for name, c := range map[string]struct {
		s      *script
		expect string
	}{
		"before the handshake":    {newScript(1).run("p1", "s", "hi").line(`{"t":"proc","do":"stderr","lines":["cannot start"]}`).exit(3), lost(`,"exitCode":3,"stderrTail":["cannot start"]`)},
		"within the handshake":    {newScript(1).run("p1", "s", "hi").c2s(`{"id":"$i","method":"initialize"}`).exit(1), lost(`,"exitCode":1`)},
		"before the response":     {prompted().exit(9), lost(`,"exitCode":9`)},
		"with code 0":             {prompted().insert("s", 0, "m").receipt("r1", "m").start("s", 1).exit(0), lost(`,"exitCode":0,"eventsSeen":2`)},
		"within a line":           {prompted().insert("s", 0, "m").receipt("r1", "m").line(`{"t":"s2c","raw":"{\"jsonrpc\":\"2.0\",\"method\":\"x\"}","eol":""}`).exit(7), lost(`,"exitCode":7,"eventsSeen":1`)},
		"within a character":      {prompted().insert("s", 0, "m").receipt("r1", "m").start("s", 1).claim("s", 0, 1).delta("s", 0, "par").line(`{"t":"s2c","raw":"{\"text\":\"完"}`).exit(7), lost(`,"partialText":"par"`)},
		"after a flood on stderr": {prompted().insert("s", 0, "m").receipt("r1", "m").line("%s", `{"t":"proc","do":"stderr","lines":["noise noise noise noise noise"`+strings.Repeat(`,"noise noise noise noise noise"`, 20000)+`]}`).line(`{"t":"proc","do":"stderr","lines":["the end"]}`).exit(2), lost(`,"exitCode":2,"stderrTail":["noise noise noise noise noise","the end"]`)},
		"a later call fails too":  {prompted().exit(5).run("p2", "s", "again").host(`"do":"cancel","session":"s","as":"k"`).host(`"do":"wait","session":"s","as":"w"`), `{"runs":{"p1":{"error":"connection-lost"},"p2":{"error":"connection-lost","withinMs":300}},"cancels":{"k":{"error":"connection-lost"}},"waits":{"w":{"error":"connection-lost"}},"processRestarts":0}`},
		"two sessions at once": {
			prompted().insert("s", 0, "m").receipt("r1", "m").run("p2", "z", "hi").prompt("r2", "z", "hi").insert("z", 0, "n").receipt("r2", "n").exit(4),
			`{"runs":{"p1":{"error":"connection-lost","eventsSeen":1},"p2":{"error":"connection-lost","eventsSeen":1}}}`,
		},
	} {
		t.Run(name, func(t *testing.T) { c.s.passes(t, c.expect) })
	}
	t.Run("after the turn had ended", func(t *testing.T) {
		prompted().insert("s", 0, "m").receipt("r1", "m").whole("s", 1, "m", "hello").exit(1).
			passes(t, `{"runs":{"p1":{"outcome":"completed","finalText":"hello"}}}`)
	})
	t.Run("the host starts it again", func(t *testing.T) {
		prompted().exit(1).run("p2", "s", "hi").c2s(`{"id":"$init2","method":"initialize"}`).respond("init2", `{"serverInfo":{"name":"r","version":"1"}}`).
			prompt("r2", "s", "hi").insert("s", 0, "m").receipt("r2", "m").whole("s", 1, "m", "hello").bye().
			passes(t, `{"runs":{"p1":{"error":"connection-lost"},"p2":{"finalText":"hello"}},"initializeCount":2,"processRestarts":1}`)
	})
}

// Kinds of live text, and of handlers.
func TestKindsOfDelivery(t *testing.T) {
	running := func(version int) *script {
		return newScript(version).host(`"do":"run","as":"p1","session":"s","text":"hi","slowHandlerMs":3`).init(allCaps()...).prompt("r1", "s", "hi").insert("s", 0, "m").receipt("r1", "m").
			start("s", 1).claim("s", 0, 1).user("s", "m")
	}
	stream := `,"stream":[{"type":"text-chunks","time0":1,"index":0,"dt":[1,1],"texts":["a","b","c"]}]`
	for name, c := range map[string]struct {
		s      *script
		expect string
	}{
		"chunks": {running(1).delta("s", 0, "a").delta("s", 1, "b").says("s", "ab").end("s", completed).bye(), `{"deltas":2,"joined":"ab","handlerCallsBeforeRunResolves":2}`},
		"deltas": {running(2).delta("s", 0, "a").delta("s", 1, "b").says("s", "ab").end("s", completed).bye(), `{"deltas":2,"joined":"ab","handlerCallsBeforeRunResolves":2}`},
		"late, from the message": {
			running(1).event("s", "assistant/message", `{"turn":1,"step":1,"message":{"role":"assistant","content":[{"type":"text","text":"abc"}],"source":{"kind":"model"},"id":"a"}`+stream+`}`, `,"surfaceOp":"append"`).end("s", completed).bye(),
			`{"joined":"abc","runs":{"p1":{"finalText":"abc"}}}`,
		},
		"not twice": {
			running(2).delta("s", 0, "a").delta("s", 1, "b").delta("s", 2, "c").event("s", "assistant/message", `{"turn":1,"step":1,"message":{"role":"assistant","content":[{"type":"text","text":"abc"}],"source":{"kind":"model"},"id":"a"}`+stream+`}`, `,"surfaceOp":"append"`).end("s", completed).bye(),
			`{"deltas":3,"joined":"abc"}`,
		},
		"merged": {
			running(2).s2c(`{"jsonrpc":"2.0","method":"session.delta","params":{"sessionId":"s","turn":1,"step":1,"attempt":1,"n":0,"merged":5,"index":0,"kind":"text","text":"abcde"}}`).delta("s", 5, "f").says("s", "abcdef").end("s", completed).bye(),
			`{"joined":"abcdef","deltas":2}`,
		},
		"a slow handler delays its own session only": {
			running(2).delta("s", 0, "a").delta("s", 1, "b").run("p2", "z", "quick").prompt("r2", "z", "quick").insert("z", 0, "n").receipt("r2", "n").whole("z", 1, "n", "done").
				says("s", "ab").end("s", completed).bye(),
			`{"runs":{"p1":{"finalText":"ab"},"p2":{"finalText":"done","withinMs":1000}}}`,
		},
		"a child's turn is its own": {
			running(2).s2c(`{"jsonrpc":"2.0","method":"subagent.started","params":{"parentSessionId":"s","childSessionId":"kid"}}`).insert("kid", 0, "k").whole("kid", 1, "k", "from the kid").
				s2c(`{"jsonrpc":"2.0","method":"subagent.finished","params":{"provider":"x","agentId":"kid","parentSessionId":"s","childSessionId":"kid","status":"ok","stopReason":"completed"}}`).
				says("s", "parent").end("s", completed).bye(),
			`{"runs":{"p1":{"finalText":"parent","turn":1}},"never":{"p1.finalText":"from the kid"},"seqContiguous":true}`,
		},
		"waits": {
			running(2).host(`"do":"wait","session":"s","as":"w1"`).c2s(`{"id":"$w","method":"session/wait","params":{"sessionId":"s"}}`).
				respond("w", `{"idle":false,"seq":3,"queued":0,"running":[{"kind":"turn","id":"1"}]}`).says("s", "x").end("s", completed).bye(),
			`{"waits":{"w1":{"idle":false,"seq":3,"queued":0,"running":[{"kind":"turn","id":"1"}]}},"runs":{"p1":"completed"}}`,
		},
		"the runtime asks for what the client does not know": {
			running(2).s2c(`{"jsonrpc":"2.0","id":"q1","method":"acme/ask","params":{}}`).c2s(`{"id":"q1","error":{"code":-32601}}`).says("s", "x").end("s", completed).bye(),
			`{"runs":{"p1":"completed"}}`,
		},
		"a permission that no host gives": {
			running(2).s2c(`{"jsonrpc":"2.0","id":"$q","method":"session/request_permission","params":{"sessionId":"s","turn":1,"toolCall":{"toolCallId":"t1","title":"rm"},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"no","name":"No","kind":"reject_once"}]}}`).
				c2s(`{"id":"$q","result":{"outcome":{"outcome":"cancelled"}}}`).says("s", "x").end("s", completed).bye(),
			`{"runs":{"p1":"completed"}}`,
		},
	} {
		t.Run(name, func(t *testing.T) { c.s.passes(t, c.expect) })
	}
}
