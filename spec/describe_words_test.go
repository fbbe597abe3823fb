// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/spec"
	"github.com/accordkit/accord/spec/model"
)

type jobID string

type begin struct {
	Job   jobID  `json:"job"`
	Since *jobID `json:"since,omitempty"`
}

type begun struct {
	Job   jobID  `json:"job"`
	State string `json:"state"`
	Over  *over  `json:"over,omitempty"`
	Other *begin `json:"other,omitempty"`
}

type over struct {
	Job  jobID  `json:"job"`
	How  string `json:"how"`
	N    int64  `json:"n"`
	Part int64  `json:"part"`
}

type opening struct {
	Version *int64 `json:"version,omitempty"`
	Can     *leaf  `json:"can,omitempty"`
}

func job(p *over) *jobID { return &p.Job }

// small is a protocol that has no problem, for tests that give it one.
type small struct {
	p       *spec.Protocol
	begin   *spec.Method[begin, begun]
	ask     *spec.Method[over, begun]
	stop    *spec.Method[spec.None, spec.None]
	open    *spec.Method[opening, opening]
	over    *spec.Notification[over]
	work    *spec.Activity[jobID]
	refused *spec.Error[spec.None]
	lost    *spec.Error[spec.None]
	agree   *spec.Negotiation[opening, opening]
}

func newSmall() *small {
	s := &small{}
	s.refused = &spec.Error[spec.None]{Kind: "refused", Code: 1, Retry: spec.Never, Fault: spec.ParamsFault}
	s.lost = &spec.Error[spec.None]{Kind: "lost", Code: 2, Retry: spec.Never, Fault: spec.ConnectionFault, At: spec.Client}
	s.over = &spec.Notification[over]{Name: "over", From: spec.Server}
	s.work = &spec.Activity[jobID]{
		Name: "work", Ends: spec.On(s.over, spec.Key(job)),
		Outcomes: []*spec.Outcome{{Name: "well", When: spec.Is(func(p *over) any { return &p.How }, "well")}, {Name: "other", Other: true}, {Name: "lost", Lost: true}},
	}
	s.begin = &spec.Method[begin, begun]{
		Name: "begin", From: spec.Client,
		Settles: spec.Cases(
			spec.When(spec.Present(func(r *begun) any { return &r.Over }), spec.EndTold(s.work, func(r *begun) any { return &r.Over })),
			spec.Otherwise(spec.EndChosen[begun](s.work, func(p *begin) *jobID { return &p.Job })),
		),
		Fences: []spec.Fence[begin]{{Member: func(p *begin) any { return &p.Since }, Fails: s.refused}},
		Fails:  spec.Errors(s.refused),
	}
	s.ask = &spec.Method[over, begun]{
		Name: "ask", From: spec.Server,
		Settles: spec.Cases(spec.Otherwise(spec.ByCall[begun](s.begin, job, func(p *begin) *jobID { return &p.Job }))),
	}
	s.stop = &spec.Method[spec.None, spec.None]{Name: "stop", From: spec.Client, Shutdown: true}
	s.open = &spec.Method[opening, opening]{Name: "open", From: spec.Client}
	s.agree = &spec.Negotiation[opening, opening]{Method: s.open, Offers: func(p *opening) any { return &p.Can }}
	s.p = &spec.Protocol{
		Name: "small", Unknown: spec.Keep, Negotiation: s.agree, Errors: spec.Errors(s.refused, s.lost),
		Notifications: spec.Notifications(s.over), Activities: spec.Activities(s.work),
		Methods: spec.Methods(s.begin, s.ask, s.stop, s.open),
	}
	return s
}

func (s *small) model() (*model.Protocol, []string) {
	out, problems := spec.Model(s.p, map[string]any{
		"Begin": s.begin, "Ask": s.ask, "Stop": s.stop, "Open": s.open, "Over": s.over, "Work": s.work,
		"Refused": s.refused, "Lost": s.lost, "Agree": s.agree, "P": s.p,
	})
	var texts []string
	for _, p := range problems {
		texts = append(texts, string(p.Place)+": "+p.Text)
	}
	return out, texts
}

func TestWords(t *testing.T) {
	out, problems := newSmall().model()
	require.Empty(t, problems)
	assert.Equal(t, "server", out.Server)
	begin, ask := out.Methods[0], out.Methods[1]
	assert.Equal(t, model.Way{How: model.ByResponse, Activity: "work", Key: "over"}, begin.Settles[0].By[0])
	assert.Equal(t, model.Way{How: model.ByEnd, Activity: "work", Key: "job", Chosen: true}, begin.Settles[1].By[0])
	assert.Equal(t, model.Way{How: model.ByCall, Method: "begin", Key: "job", Chosen: true, Same: "job"}, ask.Settles[0].By[0])
	assert.Equal(t, &model.Fence{Member: "since", Fails: "refused", Pos: model.Pos{File: "var Begin.Fences[0]"}}, begin.Fences[0])
	assert.Equal(t, model.ParamsFault, out.Errors[0].Fault)
	assert.Equal(t, model.ConnectionFault, out.Errors[1].Fault)
	assert.True(t, out.Activities[0].Outcomes[1].Other)
	assert.True(t, out.Activities[0].Outcomes[2].Lost)
	assert.True(t, out.Methods[2].Shutdown)
	assert.Empty(t, out.Negotiation.Versions)
}

// Each change is refused, at its place.
func TestWordsThatDoNotGoTogether(t *testing.T) {
	for want, change := range map[string]func(*small){
		"var Begin.Fences[0]: the fence says in one way": func(s *small) {
			s.begin.Fences[0].Stale = spec.Is(func(r *begun) any { return &r.State }, "stale")
		},
		"var Begin.Fences[0]: the fence says in one way what": func(s *small) { s.begin.Fences[0].Fails = nil },
		"var Begin.Settles[1][0]: the key is selected in spec_test.over, but the params of the method are spec_test.begin": func(s *small) {
			s.begin.Settles[1] = spec.Otherwise(spec.EndChosen[begun](s.work, job))
		},
		"var Begin.Settles[0][1]: other is a begin, but what ends the work is a over": func(s *small) {
			s.begin.Settles[0] = spec.When(spec.Present(func(r *begun) any { return &r.Over }), spec.EndTold(s.work, func(r *begun) any { return &r.Other }))
		},
		"var Begin.Fences[0].Stale: the condition selects in spec_test.over, but the result of the method is spec_test.begun": func(s *small) {
			s.begin.Fences[0] = spec.Fence[begin]{Member: s.begin.Fences[0].Member, Stale: spec.Is(func(p *over) any { return &p.How }, "well")}
		},
		"var Work.Outcomes[0].When: the condition selects in spec_test.begun, but what ends the activity is spec_test.over": func(s *small) {
			s.work.Outcomes[0].When = spec.Is(func(r *begun) any { return &r.State }, "well")
		},
		"var Refused.Fault: a client finds this fault by itself": func(s *small) { s.refused.Fault = spec.LagFault },
		"var Lost.Fault: this fault travels":                     func(s *small) { s.lost.Fault = spec.CancelFault },
		"var Refused.Fault: this is none of the faults":          func(s *small) { s.refused.Fault = 99 },
		"var Lost.Fault: Refused stands for this fault already":  func(s *small) { s.lost.Fault, s.lost.At = spec.ParamsFault, 0 },
		"var Over.Live: Counter and Merged go together": func(s *small) {
			s.over.Live = &spec.Live[over]{Counter: func(p *over) any { return &p.N }}
		},
		"var Work.Outcomes[0].When: an outcome with a condition is neither Other nor Lost": func(s *small) { s.work.Outcomes[0].Lost = true },
		"var Work.Outcomes[2]: other and lost stand for the same":                          func(s *small) { s.work.Outcomes[2].Other = true },
		"var Begin.Shutdown: a method that asks the server to end":                         func(s *small) { s.begin.Shutdown = true },
		"var Ask.Runs: a quick method is a client's":                                       func(s *small) { s.ask.Runs = spec.Quick },
		"var Open.Runs: a quick method waits for nothing, but work":                        func(s *small) { s.open.Accepts, s.open.Runs = spec.Durable, spec.Quick },
		"var Open.Runs: a quick method is answered before anything": func(s *small) {
			s.open.Accepts, s.open.Runs, s.open.Deferred = spec.Done, spec.Quick, true
		},
		"var Open.Runs: a quick method is answered at once, but AnswersAt": func(s *small) {
			s.open.Accepts, s.open.Runs = spec.Done, spec.Quick
			s.open.AnswersAt = func(p *opening) any { return &p.Version }
		},
		"var Open.Runs: a quick method waits for nothing, but its steps": func(s *small) {
			s.open.Accepts, s.open.Runs = spec.Done, spec.Quick
			s.open.Steps = spec.List(&spec.Step{Name: "wait", BoundMS: 1})
		},
		"var Open.Runs: a quick method is answered at once, but frames": func(s *small) {
			s.open.Accepts, s.open.Runs = spec.Done, spec.Quick
			s.open.After = spec.List(spec.On(s.over))
		},
		"var Begin.Interrupts: this names no method": func(s *small) {
			s.begin.Cancels, s.begin.Interrupts = s.work, &spec.Interrupts{}
		},
		"var Begin.Interrupts: a method that stops nothing interrupts nothing": func(s *small) {
			s.begin.Interrupts = &spec.Interrupts{Begins: s.open}
		},
		"var Ask.Interrupts: a client interrupts": func(s *small) {
			s.ask.Cancels, s.ask.Interrupts = s.work, &spec.Interrupts{Begins: s.begin}
		},
		"var Begin.Interrupts.Keeps: the condition selects in spec_test.over, but the params of the method is": func(s *small) {
			s.begin.Cancels = s.work
			s.begin.Interrupts = &spec.Interrupts{Begins: s.open, Keeps: spec.Is(func(p *over) any { return &p.How }, "well")}
		},
		"var Work.Detaches: only the life of another scope": func(s *small) { s.work.Detaches = spec.On(s.over, spec.Key(job)) },
		"var Work.Life: the activity is in another kind of scope": func(s *small) {
			s.work.Life = &spec.Scope[jobID]{Name: "room"}
		},
		"var Work.Life: the key is a spec_test.jobID, but it is the id of the scope, a spec_test.roomID": func(s *small) {
			room := &spec.Scope[roomID]{Name: "room"}
			s.work.In, s.work.Life = room, room
		},
		"var Work.Life: the life of a scope has a frame that begins it": func(s *small) {
			room := &spec.Scope[jobID]{Name: "room"}
			s.work.In, s.work.Life = room, room
		},
		"var Work: over does not say whose life it is about": func(s *small) {
			room := &spec.Scope[jobID]{Name: "room"}
			s.work.In, s.work.Life, s.work.Begins = room, room, spec.On(s.over)
		},
		"var Work: over is not in a room": func(s *small) {
			room := &spec.Scope[jobID]{Name: "room"}
			s.work.In, s.work.Life, s.work.Begins = room, room, spec.On(s.over, spec.Key(job))
		},
		"var Work: over is live and may be dropped": func(s *small) {
			room := &spec.Scope[jobID]{Name: "room"}
			s.over.In, s.over.Live = spec.In(room, job), &spec.Live[over]{}
			s.work.In, s.work.Life, s.work.Begins = room, room, spec.On(s.over, spec.Key(job))
		},
		"var Agree: Versions, Asked and Answered go together": func(s *small) { s.agree.Versions = []int{1} },
		"var Agree: Versions, Asked and Answered go together: where": func(s *small) {
			s.agree.Asked = func(p *opening) any { return &p.Version }
		},
		"var Agree: Unsupported and Without are about versions": func(s *small) { s.agree.Unsupported = s.refused },
		"var Agree: a negotiation needs a Method":               func(s *small) { s.agree.Method = nil },
		"var P.Negotiation: capabilities are announced in a negotiation": func(s *small) {
			s.p.Negotiation = nil
			s.p.Capabilities = spec.List(&spec.Capability{Name: "x", Of: spec.Server})
		},
	} {
		s := newSmall()
		change(s)
		_, problems := s.model()
		found := false
		for _, p := range problems {
			found = found || len(p) >= len(want) && p[:len(want)] == want
		}
		assert.True(t, found, "%s\nin %q", want, problems)
	}
}

type level int8

// String is no wire value.
func (level) String() string { return "a level" }

func TestConditionsTakeIntegersOfEnums(t *testing.T) {
	s := newSmall()
	s.work.Outcomes[0].When = spec.Is(func(p *over) any { return &p.N }, level(-3), level(7))
	m, problems := s.model()
	require.Empty(t, problems)
	assert.Equal(t, []string{"-3", "7"}, m.Activities[0].Outcomes[0].Is[0].Values)
}
