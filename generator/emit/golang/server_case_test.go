// SPDX-License-Identifier: Apache-2.0

package golang_test

import "github.com/accordkit/accord/spec/model"

// everyMessage is a protocol whose messages use each word that the server side knows.
func everyMessage() *model.Protocol {
	name := func(n string) *model.Ref { return &model.Ref{Kind: model.RefNamed, Name: n} }
	str, integer, boolean := &model.Ref{Kind: model.RefString}, &model.Ref{Kind: model.RefInt}, &model.Ref{Kind: model.RefBool}
	doc := func(s string) model.Text { return model.Text{EN: s, ZH: "中文"} }
	field := func(goName, wire string, r *model.Ref, presence string) *model.Field {
		return &model.Field{Name: goName, Wire: wire, Type: r, Presence: presence, Doc: doc(goName + " is a member")}
	}
	since2 := func(f *model.Field) *model.Field { f.Since = "2"; return f }
	object := func(n string, fields ...*model.Field) *model.Type {
		return &model.Type{Name: n, Kind: model.KindStruct, Doc: doc(n + " is a payload."), Fields: fields}
	}
	lamp := func() *model.Field { return field("LampID", "lampId", name("LampID"), model.Required) }
	level := field("Level", "level", integer, model.Required)
	hundred, zero := int64(100), int64(0)
	level.Min, level.Max = &zero, &hundred
	in := &model.Within{Scope: "lamp", Key: "lampId"}
	response := []*model.Case{{By: []model.Way{{How: model.ByResponse}}}}
	idempotent := &model.Repeats{How: model.Idempotent}
	method := func(m *model.Method) *model.Method {
		m.Accepts, m.Settles, m.Repeats = model.Done, response, idempotent
		m.Doc = doc(m.Var + " is a method.")
		return m
	}
	note := func(n *model.Notification) *model.Notification {
		n.Doc = doc(n.Var + " is a notification.")
		return n
	}
	standing := func(fault, kind, v string, code int, data ...*model.Field) *model.Error {
		return &model.Error{Kind: kind, Var: v, Code: code, Retry: model.RetryNever, Fault: fault, Data: data, Doc: doc(v + " is an error.")}
	}
	plain := func(kind, v string, code int, data ...*model.Field) *model.Error {
		return &model.Error{Kind: kind, Var: v, Code: code, Retry: model.RetryNever, Data: data, Doc: doc(v + " is an error.")}
	}

	p := &model.Protocol{
		Format: model.Format, Name: "lamps", Package: "example.com/lamps", Var: "Lamps", Doc: doc("Lamps switches lamps."),
		UnknownMembers: model.Kept,
		Negotiation: &model.Negotiation{
			Method: "open", Versions: []int{2, 3}, Asked: "version", Answered: "version", Offers: "offers", Announces: "offers",
			Unsupported: "no-version", Before: "too-early", Generation: "old",
		},
		Scopes: []*model.Scope{{Name: "lamp", Var: "Lamp", Handle: "Lamp", Key: "LampID", Doc: doc("Lamp is a lamp.")}},
		Types: []*model.Type{
			{Name: "LampID", Kind: model.KindNamed, Of: str, Doc: doc("LampID names a lamp.")},
			object("OpenParams", field("Room", "room", str, model.Required), since2(field("Version", "version", integer, model.Optional)),
				since2(field("Offers", "offers", name("Offers"), model.Optional))),
			object("OpenResult", since2(field("Version", "version", integer, model.Optional))),
			object("Offers", field("Hints", "hints", boolean, model.OmitZero), field("Ask", "ask", name("Ask"), model.Optional)),
			object("Ask", field("Allow", "allow", boolean, model.OmitZero), field("Poke", "poke", boolean, model.Optional)),
			object("DimParams", lamp(), level, field("Fade", "fade", integer, model.Optional), field("Until", "until", integer, model.Optional),
				field("From", "from", integer, model.OmitZero), field("To", "to", integer, model.OmitZero)),
			object("DimResult", field("Level", "level", integer, model.Required), since2(field("Was", "was", integer, model.Optional)),
				&model.Field{Name: "Unit", Wire: "unit", Type: str, Presence: model.OmitZero, Since: "3"}),
			object("ListParams", field("Room", "room", str, model.Optional)),
			object("ListResult", field("Lamps", "lamps", &model.Ref{Kind: model.RefList, Elem: name("LampID")}, model.Required),
				since2(field("Rooms", "rooms", &model.Ref{Kind: model.RefList, Elem: str}, model.Optional))),
			object("CheckParams", lamp()),
			object("ResetParams", lamp()),
			object("Touched", lamp()),
			object("State", lamp(), field("On", "on", boolean, model.Required), since2(field("By", "by", str, model.OmitZero))),
			object("Glow", lamp(), field("N", "n", integer, model.Required), field("Merged", "merged", integer, model.OmitZero), field("Text", "text", str, model.OmitZero)),
			object("Record", lamp(), field("At", "at", name("Place"), model.Required)),
			object("Place", field("Seq", "seq", integer, model.Required)),
			object("Gone", lamp()),
			object("Hint", field("Text", "text", str, model.Required)),
			object("AllowParams", lamp()),
			object("AllowResult", field("Yes", "yes", boolean, model.Required)),
			object("NameParams", lamp()),
			object("NameResult", field("Name", "name", str, model.Required)),
		},
		Capabilities: []*model.Capability{
			{Name: "hints", Var: "TakesHints", Of: model.Client, Doc: doc("TakesHints.")},
			{Name: "ask.allow", Var: "Allows", Of: model.Client, Doc: doc("Allows.")},
			{Name: "ask.poke", Var: "Pokes", Of: model.Client, Doc: doc("Pokes.")},
			{Name: "dim", Var: "Dims", Of: model.Server, Doc: doc("Dims.")},
		},
		Errors: []*model.Error{
			standing(model.ParseFault, "parse-error", "Parse", -32700),
			standing(model.RequestFault, "invalid-request", "InvalidRequest", -32600),
			standing(model.ParamsFault, "invalid-params", "InvalidParams", -32602, field("Path", "path", str, model.Required)),
			standing(model.LimitFault, "limit-exceeded", "LimitExceeded", -32600, field("Limit", "limit", str, model.Required), field("Value", "value", integer, model.Required)),
			standing(model.OverloadFault, "overloaded", "Overloaded", 1008, field("RetryAfterMS", "retryAfterMs", integer, model.Required)),
			standing(model.CancelFault, "request-cancelled", "Cancelled", -32800),
			standing(model.InternalFault, "internal", "Internal", -32603),
			standing(model.MethodFault, "unsupported", "Unsupported", -32601, field("Method", "method", str, model.Required), field("Capability", "capability", str, model.OmitZero)),
			plain("no-version", "NoVersion", -32022, field("Requested", "requested", integer, model.Required),
				field("Supported", "supported", &model.Ref{Kind: model.RefList, Elem: integer}, model.Required)),
			plain("too-early", "TooEarly", -32603),
			plain("foreign", "Foreign", -32602),
			plain("no-lamp", "NoLamp", 1001),
		},
		Notifications: []*model.Notification{
			note(&model.Notification{Name: "switch.touched", Var: "NoteTouched", From: model.Client, Params: "Touched", In: in}),
			note(&model.Notification{Name: "lamp.state", Var: "NoteState", From: model.Server, Params: "State", In: in}),
			note(&model.Notification{Name: "lamp.glow", Var: "NoteGlow", From: model.Server, Params: "Glow", In: in, Live: &model.Live{Join: []string{"text"}, Counter: "n", Merged: "merged"}}),
			note(&model.Notification{Name: "lamp.record", Var: "NoteRecord", From: model.Server, Params: "Record", In: in, Seq: &model.Seq{Member: "at.seq"}}),
			note(&model.Notification{Name: "lamp.gone", Var: "NoteGone", From: model.Server, Params: "Gone", In: in, Since: "3"}),
			note(&model.Notification{Name: "hint", Var: "NoteHint", From: model.Server, Params: "Hint", Needs: "hints"}),
			note(&model.Notification{Name: "tick", Var: "NoteTick", From: model.Server}),
		},
		Methods: []*model.Method{
			method(&model.Method{
				Name: "open", Var: "Open", GoName: "Open", From: model.Client, Params: "OpenParams", Result: "OpenResult", Before: true, Deferred: true,
				Runs:      model.Serial,
				Prechecks: []*model.Precheck{{If: []model.Is{{Member: "version"}, {Member: "room", Absent: true}}, Error: "foreign"}},
				Refusals:  []*model.Refusal{{Member: "room", Text: "which room?", Wrong: "a room is a text", Blank: "the room has no name", Empty: true}},
			}),
			method(&model.Method{
				Name: "lamp/dim", Var: "Dim", GoName: "LampDim", From: model.Client, Params: "DimParams", Result: "DimResult", In: in, Deferred: true,
				Runs: model.Serial, Needs: "dim", Fails: []string{"no-lamp", "invalid-params"},
				Refusals: []*model.Refusal{{Member: "lampId", Text: "which lamp?", First: true}, {Member: "level", Text: "{lampId} knows 0 to 100"}},
				Together: []*model.Together{
					{How: "exclude", Members: []string{"fade", "until"}},
					{How: "need", Members: []string{"from", "to"}},
					{How: "agree", Members: []string{"fade", "from"}},
				},
				Legacy: &model.Legacy{Texts: []model.LegacyText{
					{Error: "no-lamp", Text: "nothing called {lampId}"},
					{Error: "invalid-params", Text: "{level} is too bright"},
				}},
			}),
			method(&model.Method{
				Name: "lamp/list", Var: "List", GoName: "LampList", From: model.Client, Params: "ListParams", Result: "ListResult", Runs: model.Shared,
				Legacy: &model.Legacy{Texts: []model.LegacyText{{Error: "no-lamp", Text: "no lamps at all"}}},
			}),
			method(&model.Method{
				Name: "lamp/check", Var: "Check", GoName: "LampCheck", From: model.Client, Params: "CheckParams", In: in, Runs: model.Serial,
				AlsoNotify: true, Order: &model.Order{After: []string{"lamp.record"}}, Since: "2",
			}),
			method(&model.Method{
				Name: "lamp/reset", Var: "Reset", GoName: "LampReset", From: model.Client, Params: "ResetParams", Result: "DimResult", In: in, Deferred: true,
				Runs: model.Shared, Legacy: &model.Legacy{Bare: true},
			}),
			method(&model.Method{Name: "bye", Var: "Bye", GoName: "Bye", From: model.Client, Before: true, Runs: model.Serial}),
			method(&model.Method{
				Name: "lamp/allow", Var: "Allow", GoName: "LampAllow", From: model.Server, Params: "AllowParams", Result: "AllowResult", In: in,
				Needs: "ask.allow", Absent: `{"yes":false}`, Runs: model.Shared,
			}),
			method(&model.Method{Name: "lamp/name", Var: "Name", GoName: "LampName", From: model.Server, Params: "NameParams", Result: "NameResult", In: in, Runs: model.Shared}),
			method(&model.Method{Name: "poke", Var: "Poke", GoName: "Poke", From: model.Server, Needs: "ask.poke", Runs: model.Shared}),
		},
		Generations: []*model.Generation{{Name: "old", Var: "Old", Unknown: "what is {method}?", Code: -32000, Doc: doc("Old.")}},
	}
	return p
}
