// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"reflect"
	"slices"

	"github.com/accordkit/accord/spec/model"
)

func (d *describer) error(e AnyError, at Place) {
	u := e.untyped()
	out := &model.Error{Kind: u.kind, Var: d.variableOf(e, at), Code: u.code, Says: u.says, Legacy: u.legacy, Pos: at.pos()}
	switch u.retry {
	case Never:
		out.Retry = model.RetryNever
	case SameKey:
		out.Retry = model.RetrySameKey
	case After:
		out.Retry = model.RetryAfter
	case Reload:
		out.Retry = model.RetryReload
	default:
		d.problem(at, "the error does not say what a client may do after it: set Retry")
	}
	if u.at != 0 {
		out.At = d.side(u.at, at.field("At"), "error "+u.kind, "At")
	}
	d.fault(u, out, at.field("Fault"))
	switch {
	case u.data == noneType:
	case u.data.Kind() != reflect.Struct || u.data.Name() == "" || isUnion(u.data):
		d.problem(at, "the error's data are %s: they are a defined struct type, or spec.None", u.data)
	default:
		out.Data = d.fields(u.data)
	}
	d.out.Errors = append(d.out.Errors, out)
}

var faults = map[Fault]string{
	ParseFault: model.ParseFault, RequestFault: model.RequestFault, MethodFault: model.MethodFault,
	ParamsFault: model.ParamsFault, LimitFault: model.LimitFault, OverloadFault: model.OverloadFault,
	CancelFault: model.CancelFault, InternalFault: model.InternalFault,
	ConnectionFault: model.ConnectionFault, LagFault: model.LagFault,
}

// fault notes what an error stands for. Of one fault there is one error.
func (d *describer) fault(u errorOf, out *model.Error, at Place) {
	if u.fault == 0 {
		return
	}
	name, ok := faults[u.fault]
	local := u.fault == ConnectionFault || u.fault == LagFault
	switch {
	case !ok:
		d.problem(at, "this is none of the faults")
	case local && u.at != Client:
		d.problem(at, "a client finds this fault by itself, so the error is at spec.Client")
	case !local && u.at == Client:
		d.problem(at, "this fault travels, so the error is not at spec.Client")
	}
	for _, e := range d.out.Errors {
		if e.Fault == name {
			d.problem(at, "%s stands for this fault already", e.Var)
		}
	}
	out.Fault = name
}

func (d *describer) scope(s AnyScope, at Place) {
	u := s.untyped()
	out := &model.Scope{
		Name: u.name, Chinese: u.chinese, Var: d.variableOf(s, at), Handle: u.handle, Key: d.key(u.key, at), Pos: at.pos(),
		Parent: d.scopeName(u.parent, at.field("Parent")),
	}
	if out.Handle == "" {
		out.Handle = goName(u.name)
	}
	if u.queue != nil {
		d.listed[u.queue] = true
		out.Queue = &model.Queue{Limit: u.queue.Limit, Full: d.kindOf(u.queue.Full, at.field("Queue").field("Full"))}
	}
	d.out.Scopes = append(d.out.Scopes, out)
}

// key names the type of an id, which is a defined type so that one id is never
// taken for another.
func (d *describer) key(t reflect.Type, at Place) string {
	r := d.ref(t, at)
	if r.Kind != model.RefNamed {
		d.problem(at, "an id of type %s may be any other: define a type for it, as in type SessionID string", t)
		return ""
	}
	if !isKey(t) {
		d.problem(at, "an id is a string or a number, or a union by shape of these: one %s cannot be distinguished from another", r.Name)
	}
	return r.Name
}

// isKey reports whether values of a type can be keys.
func isKey(t reflect.Type) bool {
	if k := t.Kind(); k == reflect.String || isInt(k) {
		return true
	}
	if !isUnion(t) || !byShape(t) {
		return false
	}
	for _, v := range variants(t) {
		if v.Type.Kind() != reflect.Pointer || !isKey(v.Type.Elem()) {
			return false
		}
	}
	return true
}

func (d *describer) capability(c *Capability, at Place) {
	d.out.Capabilities = append(d.out.Capabilities, &model.Capability{
		Name: c.Name, Var: d.variableOf(c, at), Of: d.side(c.Of, at.field("Of"), "capability "+c.Name, "Of"), Pos: at.pos(),
	})
}

func (d *describer) within(w *withinOf, at Place) *model.Within {
	if w == nil || isNil(w.scope) {
		return nil
	}
	return &model.Within{Scope: d.scopeName(w.scope, at), Key: d.path(w.key, at)}
}

func (d *describer) notification(n AnyNotification, at Place) {
	u := untypedNotification(n)
	out := &model.Notification{
		Name: u.name, Var: d.variableOf(n, at), GoName: u.goName, From: d.side(u.from, at.field("From"), "notification "+u.name, "From"), Pos: at.pos(),
		Params: d.params(u.params, at), In: d.within(u.in, at.field("In")),
		Needs: d.capabilityName(u.needs, at.field("Needs")), Since: u.since,
	}
	if l := u.live; l != nil {
		at := at.field("Live")
		out.Live = &model.Live{
			Same: d.paths(l.same, at.field("Same")), Join: d.paths(l.join, at.field("Join")), Last: d.paths(l.last, at.field("Last")),
			Counter: d.path(l.counter, at.field("Counter")), Merged: d.path(l.merged, at.field("Merged")),
		}
	}
	if out.Live != nil && (out.Live.Counter == "") != (out.Live.Merged == "") {
		d.problem(at.field("Live"), "Counter and Merged go together: the one counts what the other tells to be merged")
	}
	if seq := d.path(u.seq, at.field("Seq")); seq != "" {
		out.Seq = &model.Seq{Member: seq}
	}
	out.Ex = d.examples(u.examples, u.params, nil, at.field("Examples"))
	d.out.Notifications = append(d.out.Notifications, out)
}

func (d *describer) link(l AnyLink, at Place) {
	u := l.untyped()
	d.out.Links = append(d.out.Links, &model.Link{
		Name: d.linkName(l, at), Var: d.variableOf(l, at), From: d.key(u.from, at), To: d.key(u.to, at),
		Fold: u.fold, By: d.frame(u.by, at.field("By")), Pos: at.pos(),
	})
}

func (d *describer) activity(a AnyActivity, at Place) {
	u := a.untyped()
	out := &model.Activity{
		Name: u.name, Chinese: u.chinese, Var: d.variableOf(a, at), Handle: u.handle, Key: d.key(u.key, at),
		In: d.scopeName(u.in, at.field("In")), Begins: d.frame(u.begins, at.field("Begins")),
		Ends: d.frame(u.ends, at.field("Ends")), Pos: at.pos(),
	}
	if out.Handle == "" {
		out.Handle = goName(u.name)
	}
	var ended reflect.Type
	if !isNil(u.ends) {
		ended = paramsOf(u.ends.frame().note)
	}
	tells := map[string]bool{}
	for n, o := range u.outcomes {
		at := at.field("Outcomes").index(n)
		if o == nil {
			d.problem(at, "item %d of the list is nil", n+1)
			continue
		}
		d.listed[o] = true
		switch i := slices.IndexFunc(out.Outcomes, func(before *model.Outcome) bool { return before.Name == o.Name }); {
		case o.Name == "":
			d.problem(at, "the outcome has no Name")
			continue
		case i >= 0 && slices.Contains(u.outcomes[:n], o):
			d.problem(at, "the outcome %s is listed twice", o.Name)
			continue
		case i >= 0:
			d.problem(at, "two outcomes of %s are called %s", u.name, o.Name)
			continue
		}
		outcome := &model.Outcome{Name: o.Name, OK: o.OK, Other: o.Other, Lost: o.Lost, Pos: d.at(o, at).pos()}
		if is, ok := d.condIn(o.When, ended, "what ends the activity", at.field("When")); ok {
			outcome.Is = []model.Is{is}
			tells[is.Member] = true
			if o.Other || o.Lost {
				d.problem(at.field("When"), "an outcome with a condition is neither Other nor Lost")
			}
		}
		for _, before := range out.Outcomes {
			if o.Other && before.Other || o.Lost && before.Lost {
				d.problem(at, "%s and %s stand for the same: of Other and Lost there is one each", before.Name, o.Name)
			}
		}
		out.Outcomes = append(out.Outcomes, outcome)
	}
	if len(tells) == 1 {
		for out.Tells = range tells {
		}
	}
	d.life(u, out, at)
	d.out.Activities = append(d.out.Activities, out)
	for i, c := range u.carries {
		d.carry(c, out.Name, at.field("Carries").index(i))
	}
}

// life notes the scope whose life an activity is. Frames of that scope come between
// the two that begin and end it, so these are of the scope that began it.
func (d *describer) life(u activityOf, out *model.Activity, at Place) {
	out.Life, out.Detaches = d.scopeName(u.life, at.field("Life")), d.frame(u.detaches, at.field("Detaches"))
	if isNil(u.life) {
		if out.Detaches != nil {
			d.problem(at.field("Detaches"), "only the life of another scope goes on when the work that began it is over: say whose Life the activity is, or leave out Detaches")
		}
		return
	}
	switch scope := u.life.untyped(); {
	case u.in != u.life:
		d.problem(at.field("Life"), "the activity is in another kind of scope than the one whose life it is, but clients order the frames of scopes of one kind: set In to the same scope")
	case u.key != scope.key:
		d.problem(at.field("Life"), "the key is a %s, but it is the id of the scope, a %s", u.key, scope.key)
	case out.Begins == nil || out.Ends == nil:
		d.problem(at.field("Life"), "the life of a scope has a frame that begins it and one that ends it: set Begins and Ends")
	}
	for _, f := range []*model.Frame{out.Begins, out.Ends, out.Detaches} {
		if f != nil && f.Key == "" {
			d.problem(at, "%s does not say whose life it is about: give the frame a Key, the member with the id", f.Notification)
		}
	}
	for _, f := range []Frame{u.begins, u.ends, u.detaches} {
		if isNil(f) {
			continue
		}
		switch n := untypedNotification(f.frame().note); {
		case n.in == nil || n.in.scope != u.life:
			d.problem(at, "%s is not in a %s, so it does not say which one began or waits: put it In the scope", n.name, u.life.untyped().name)
		case n.live != nil:
			d.problem(at, "%s is live and may be dropped, so it can neither begin nor end anything: leave out Live", n.name)
		}
	}
}

// carry notes at a notification that it bears an activity's key.
func (d *describer) carry(c Carry, activity string, at Place) {
	if isNil(c) {
		return
	}
	note, key, except := c.carry()
	out := model.Carry{Activity: activity, Key: d.path(key, at)}
	for i, e := range except {
		to, ok := d.selected(e, at.index(2+i))
		if ok && to.variant == "" {
			d.problem(at.index(2+i), "the selector names %s, which is no variant of a union", to.path)
		}
		out.Except = append(out.Except, to.variant)
	}
	name := d.notificationName(note, at)
	for _, n := range d.out.Notifications {
		if n.Name == name && n.Var == d.names[note] { // the other side may have one of that name too
			n.Carry = append(n.Carry, out)
		}
	}
}

func (d *describer) frame(f Frame, at Place) *model.Frame {
	if isNil(f) {
		return nil
	}
	u := f.frame()
	out := &model.Frame{Notification: d.notificationName(u.note, at), Key: d.path(u.key, at)}
	if to, ok := d.selected(u.variant, at); ok {
		if to.variant == "" {
			d.problem(at, "the selector names %s, which is no variant of a union", to.path)
		}
		out.Path, out.Variant = to.path, to.variant
	}
	for _, c := range u.where {
		if is, ok := d.cond(c, at); ok {
			out.Where = append(out.Where, is)
		}
	}
	return out
}

// frameText is a frame in one line: "session.event turn/start".
func (d *describer) frameText(f Frame, at Place) string {
	frame := d.frame(f, at)
	if frame == nil {
		d.problem(at, "a frame of the list is nil")
		return ""
	}
	if frame.Variant != "" {
		return frame.Notification + " " + frame.Variant
	}
	return frame.Notification
}

func (d *describer) cond(c Cond, at Place) (model.Is, bool) {
	if isNil(c) {
		return model.Is{}, false
	}
	cond := c.cond()
	if cond == nil || isNil(cond.sel) {
		d.problem(at, "the condition names no member")
		return model.Is{}, false
	}
	to, _ := d.selected(cond.sel, at)
	if len(cond.values) > 0 && to.typ != nil && isUnion(to.typ) && byShape(to.typ) {
		d.problem(at, "%s is a union by shape, of which a condition can say that it is present or absent alone", to.path)
	}
	return model.Is{Member: to.path, Values: cond.values, Absent: cond.absent}, true
}

// condIn is cond, of one that the compiler does not see to select in the payload
// that it is about. Of an unknown payload nothing is checked.
func (d *describer) condIn(c Cond, payload reflect.Type, what string, at Place) (model.Is, bool) {
	if !isNil(c) && payload != nil && c.cond() != nil && !isNil(c.cond().sel) {
		if of := reflect.TypeOf(c.cond().sel).In(0); of.Kind() == reflect.Pointer && of.Elem() != payload {
			d.problem(at, "the condition selects in %s, but %s is %s", of.Elem(), what, payload)
			return model.Is{}, false
		}
	}
	return d.cond(c, at)
}

// paramsOf is the payload of a notification, nil if there is none.
func paramsOf(n AnyNotification) reflect.Type {
	if isNil(n) {
		return nil
	}
	return untypedNotification(n).params
}

func (d *describer) generation(g *Generation, at Place) {
	out := &model.Generation{
		Name: g.Name, Var: d.variableOf(g, at), Unknown: g.Unknown, Code: g.Code, Pos: at.pos(), Lacks: []string{}, Differs: []*model.Differs{},
	}
	for i, m := range g.Lacks {
		name := d.methodName(m, at.field("Lacks").index(i))
		out.Lacks = append(out.Lacks, name)
		for _, method := range d.out.Methods {
			if method.Name == name {
				method.Lacks = append(method.Lacks, g.Name)
			}
		}
	}
	for i, x := range g.Differs {
		if x != nil {
			d.listed[x] = true
			out.Differs = append(out.Differs, &model.Differs{ID: x.ID, Pos: d.at(x, at.field("Differs").index(i)).pos()})
		}
	}
	d.out.Generations = append(d.out.Generations, out)
}

func (d *describer) limit(l *Limit, at Place) {
	switch l.Unit {
	case "bytes", "levels", "count", "ms":
	default:
		d.problem(at, "limit %s: the unit is bytes, levels, count or ms, not %q", l.Name, l.Unit)
	}
	d.out.Limits = append(d.out.Limits, &model.Limit{
		Name: l.Name, Value: l.Value, Unit: l.Unit, Error: d.kindOf(l.Error, at.field("Error")), Pos: at.pos(),
	})
}

func (d *describer) rule(r *Rule, at Place) {
	d.out.Rules = append(d.out.Rules, &model.Rule{ID: r.ID, Pos: at.pos()})
}

func (d *describer) allow(a *Allow, at Place) {
	out := &model.Allow{Rule: a.Rule, Reason: a.Reason, Pos: at.pos()}
	if !isNil(a.At) { // nil: the whole protocol
		out.At = d.names[a.At]
		d.listedOr(a.At, at.field("At"))
	}
	if a.Reason == "" {
		d.problem(at, "the exception has no Reason")
	}
	d.out.Allows = append(d.out.Allows, out)
}

func (d *describer) negotiation(u negotiationOf, at Place) {
	out := &model.Negotiation{
		Method: d.methodName(u.method, at.field("Method")), Versions: u.versions,
		Asked: d.path(u.asked, at.field("Asked")), Answered: d.path(u.answered, at.field("Answered")),
		Offers: d.path(u.offers, at.field("Offers")), Announces: d.path(u.announces, at.field("Announces")),
		Unsupported: d.kindOf(u.unsupported, at.field("Unsupported")), Before: d.kindOf(u.before, at.field("Before")),
	}
	if u.without != nil {
		d.listedOr(u.without, at.field("Without"))
		out.Generation = u.without.Name
	}
	for i, v := range u.versions {
		if i > 0 && u.versions[i-1] >= v {
			d.problem(at.field("Versions"), "the versions are not ascending")
		}
	}
	versions := len(u.versions) > 0
	switch {
	case out.Method == "":
		d.problem(at, "a negotiation needs a Method: the call that opens a connection")
	case (out.Asked == "") == versions || (out.Answered == "") == versions:
		d.problem(at, "Versions, Asked and Answered go together: where no versions are agreed on, leave them all out")
	case !versions && (out.Unsupported != "" || u.without != nil):
		d.problem(at, "Unsupported and Without are about versions, and there are none")
	}
	d.out.Negotiation = out
}
