// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"reflect"

	"github.com/accordkit/accord/spec/model"
)

func (d *describer) method(m AnyMethod, at Place) {
	u := untypedMethod(m)
	out := &model.Method{
		Name: u.name, Var: d.variableOf(m, at), GoName: u.goName, From: d.side(u.from, at.field("From"), "method "+u.name, "From"), Pos: at.pos(),
		Params: d.params(u.params, at), In: d.within(u.in, at.field("In")),
		AlsoNotify: u.alsoNotify, Opens: d.scopeName(u.opens, at.field("Opens")), Attaches: d.scopeName(u.attaches, at.field("Attaches")),
		Closes: d.scopeName(u.closes, at.field("Closes")), Needs: d.capabilityName(u.needs, at.field("Needs")),
		AnswersAt: d.path(u.answersAt, at.field("AnswersAt")), Deferred: u.deferred,
		Cancels: d.activityName(u.cancels, at.field("Cancels")), Undoes: d.methodName(u.undoes, at.field("Undoes")), Fails: d.kindsOf(u.fails, at.field("Fails")),
		Before: u.before, Shutdown: u.shutdown, Since: u.since, Stability: u.stability,
	}
	out.Result, out.OrNull = d.result(u.result, at)
	if out.GoName == "" {
		out.GoName = goName(u.name)
	}
	switch u.accepts {
	case Done:
		out.Accepts = model.Done
	case Admitted:
		out.Accepts = model.Admitted
	case Durable:
		out.Accepts = model.Durable
	}
	switch u.runs {
	case Shared:
		out.Runs = model.Shared
	case Serial:
		out.Runs = model.Serial
	case Quick:
		out.Runs = model.Quick
		d.quick(u, at.field("Runs"))
	}
	if i := u.interrupts; i != nil {
		out.Interrupts = d.interrupts(i, u, at.field("Interrupts"))
	}
	d.settles(u, out, at.field("Settles"))
	out.Repeats = d.repeats(u.repeats, at.field("Repeats"))
	for i, f := range u.fences {
		at := at.field("Fences").index(i)
		one := &model.Fence{Member: d.path(f.member, at.field("Member")), Fails: d.kindOf(f.fails, at.field("Fails")), Pos: at.pos()}
		if is, ok := d.condIn(f.stale, u.result, "the result of the method", at.field("Stale")); ok {
			one.Mismatch = &is
		}
		if isNil(f.stale) == isNil(f.fails) {
			d.problem(at, "the fence says in one way what becomes of a call that names what is over: set Stale or Fails")
		}
		out.Fences = append(out.Fences, one)
	}
	if len(u.after) > 0 {
		out.Order = &model.Order{}
		for i, f := range u.after {
			out.Order.After = append(out.Order.After, d.frameText(f, at.field("After").index(i)))
		}
	}
	if r := u.replays; r != nil {
		at := at.field("Replays")
		is, _ := d.condIn(r.marker, paramsOf(r.events), "the replayed notification", at.field("Marker"))
		out.Replays = &model.Replays{
			Notification: d.notificationName(r.events, at.field("Events")), Marker: is.Member,
			Cursor: d.path(r.cursor, at.field("Cursor")), Ends: d.notificationName(r.ends, at.field("Ends")),
		}
	}
	if p := u.pages; p != nil {
		at := at.field("Pages")
		out.Pages = &model.Pages{
			Cursor: d.path(p.cursor, at.field("Cursor")), Next: d.path(p.next, at.field("Next")), Items: d.path(p.items, at.field("Items")),
		}
	}
	if u.absentAs != nil {
		out.Absent = d.encoded(reflect.ValueOf(u.absentAs).Elem(), at.field("AbsentAs"))
	}
	for i, s := range u.steps {
		if s != nil {
			d.listed[s] = true
			out.Steps = append(out.Steps, &model.Step{Name: s.Name, BoundMS: s.BoundMS, Beside: s.Beside, Pos: d.at(s, at.field("Steps").index(i)).pos()})
		}
	}
	for i, t := range u.together {
		out.Together = append(out.Together, &model.Together{How: t.how, Members: d.paths(t.members, at.field("Together").index(i))})
	}
	for i, r := range u.refusals {
		out.Refusals = append(out.Refusals, &model.Refusal{
			Member: d.path(r.member, at.field("Refusals").index(i)), Text: r.text, Wrong: r.wrong, Blank: r.blank, First: r.first, Empty: r.empty,
		})
	}
	for i, c := range u.prechecks {
		at := at.field("Prechecks").index(i)
		one := &model.Precheck{Error: d.kindOf(c.err, at.field("Error"))}
		for _, cond := range c.conds {
			if is, ok := d.cond(cond, at.field("If")); ok {
				one.If = append(one.If, is)
			}
		}
		out.Prechecks = append(out.Prechecks, one)
	}
	if l := u.legacy; l != nil {
		out.Legacy = &model.Legacy{Bare: l.Bare}
		for i, t := range l.Texts {
			kind := d.kindOf(t.Error, at.field("Legacy").field("Texts").index(i))
			out.Legacy.Texts = append(out.Legacy.Texts, model.LegacyText{Error: kind, Text: t.Text})
		}
	}
	if u.deprecated != nil {
		out.Deprecated = &model.Deprecation{Since: u.deprecated.Since, Instead: u.deprecated.Instead}
	}
	if u.shutdown && (u.from != Client || u.in != nil || u.params != noneType) {
		d.problem(at.field("Shutdown"), "a method that asks the server to end is a client's, in no scope and without params")
	}
	out.Examples = d.examples(u.examples, u.params, u.result, at.field("Examples"))
	d.out.Methods = append(d.out.Methods, out)
}

// quick refuses a method that cannot be answered where it was read, by what
// else it declares.
func (d *describer) quick(u methodOf, at Place) {
	const instead = ": let it run Shared or Serial"
	switch {
	case u.from != Client:
		d.problem(at, "a quick method is a client's, because only a server promises to answer where it reads"+instead)
	case u.deferred:
		d.problem(at, "a quick method is answered before anything else is read, but the response of a deferred one has a place in the ordered stream"+instead+", or leave out Deferred")
	case !isNil(u.answersAt):
		d.problem(at, "a quick method is answered at once, but AnswersAt lets its caller choose a later response"+instead+", or leave out AnswersAt")
	case u.accepts != Done:
		d.problem(at, "a quick method waits for nothing, but work that it accepts ends after its response"+instead+", or let it Accept Done")
	case len(u.steps) > 0:
		d.problem(at, "a quick method waits for nothing, but its steps take time"+instead+", or leave out Steps")
	case len(u.after) > 0 || u.replays != nil:
		d.problem(at, "a quick method is answered at once, but frames precede its response, which the peer has to read first"+instead+", or leave out After and Replays")
	}
}

func (d *describer) interrupts(i *Interrupts, u methodOf, at Place) *model.Interrupts {
	d.listed[i] = true
	out := &model.Interrupts{Begins: d.methodName(i.Begins, at.field("Begins")), GoName: i.GoName, Pos: at.pos()}
	if out.GoName == "" {
		out.GoName = "Interrupt"
	}
	if is, ok := d.condIn(i.Keeps, u.params, "the params of the method", at.field("Keeps")); ok {
		out.Keeps = &is
	}
	switch {
	case out.Begins == "":
		d.problem(at, "this names no method that begins the new work: set Begins")
	case isNil(u.cancels):
		d.problem(at, "a method that stops nothing interrupts nothing: say which activity it Cancels, or leave out Interrupts")
	case u.from != Client || untypedMethod(i.Begins).from != Client:
		d.problem(at, "a client interrupts, so both methods are a client's")
	}
	return out
}

func (d *describer) settles(u methodOf, out *model.Method, at Place) {
	for i, c := range u.settles {
		at := at.index(i)
		one := &model.Case{Pos: at.pos()}
		for _, cond := range c.conds {
			if is, ok := d.cond(cond, at.index(0)); ok {
				one.If = append(one.If, is)
			}
		}
		if len(c.conds) == 0 && i < len(u.settles)-1 {
			d.problem(at, "cases after Otherwise are never reached")
		}
		for j, w := range c.ways {
			at := at.index(len(c.conds) + j)
			way := model.Way{
				How: w.how, Activity: d.activityName(w.act, at), Link: d.linkName(w.link, at),
				Key: d.path(w.key, at), Frame: d.frame(w.frame, at), As: w.as,
				Method: d.methodName(w.later, at), Same: d.path(w.same, at),
			}
			if !isNil(w.params) {
				way.Key, way.Chosen = d.path(w.params, at), true
				if of := reflect.TypeOf(w.params).In(0); of.Kind() == reflect.Pointer && of.Elem() != u.params {
					d.problem(at, "the key is selected in %s, but the params of the method are %s", of.Elem(), u.params)
				}
			}
			if way.How == model.ByResponse && way.Activity != "" {
				d.endTold(w, at)
			}
			one.By = append(one.By, way)
		}
		if len(one.By) == 0 {
			d.problem(at, "the case names no way in which the call settles")
		}
		out.Settles = append(out.Settles, one)
	}
}

// endTold checks that the member with which a response reports the end of an
// activity has the type of the frame that ends it.
func (d *describer) endTold(w *wayOf, at Place) {
	told, ok := d.selected(w.key, at)
	ends := w.act.untyped().ends
	if !ok || isNil(ends) || isNil(ends.frame().note) {
		return
	}
	f := ends.frame()
	want := untypedNotification(f.note).params
	if to, ok := d.selected(f.variant, at); ok {
		want = to.typ
	}
	for want.Kind() == reflect.Pointer {
		want = want.Elem()
	}
	got := told.typ
	for got.Kind() == reflect.Pointer {
		got = got.Elem()
	}
	if got != want {
		d.problem(at, "%s is a %s, but what ends the %s is a %s", told.path, got.Name(), w.act.untyped().name, want.Name())
	}
}

func (d *describer) repeats(k *keyedOf, at Place) *model.Repeats {
	if k == nil {
		return nil
	}
	return &model.Repeats{
		How: k.how, Key: d.path(k.key, at.field("By")), Scope: d.scopeName(k.scope, at.field("Scope")), Window: k.window,
		Fingerprint: d.paths(k.print, at.field("Fingerprint")), Conflict: d.kindOf(k.conflict, at.field("Conflict")),
		Absent: k.absent, Marker: d.path(k.marker, at.field("Marker")), Pos: at.pos(),
	}
}
