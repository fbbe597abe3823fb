// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"reflect"
	"strings"
	"unicode"

	"github.com/accordkit/accord/spec/model"
)

// protocol describes the lists in the order of the layers, so that what a
// declaration names is known as listed or not by then.
func (d *describer) protocol(p *Protocol) {
	at := d.at(p, "")
	out := d.out
	d.listed[p] = true
	out.Name, out.Var, out.Pos = p.Name, d.names[p], at.pos()
	if p.Name == "" {
		d.problem(at, "the protocol has no Name")
	}
	if out.Server = p.Server; out.Server == "" {
		out.Server = "server"
	}
	switch p.Unknown {
	case Keep:
		out.UnknownMembers = model.Kept
	case Drop:
		out.UnknownMembers = model.Dropped
	default:
		d.problem(at, "the protocol does not say what becomes of Unknown members: spec.Keep or spec.Drop")
	}

	list(d, p.Errors, at.field("Errors"))
	list(d, p.Scopes, at.field("Scopes"))
	list(d, p.Capabilities, at.field("Capabilities"))
	list(d, p.Notifications, at.field("Notifications"))
	list(d, p.Links, at.field("Links"))
	list(d, p.Activities, at.field("Activities"))
	list(d, p.Methods, at.field("Methods"))
	list(d, p.Machines, at.field("Machines"))
	list(d, p.Generations, at.field("Generations"))
	list(d, p.Limits, at.field("Limits"))
	list(d, p.Rules, at.field("Rules"))
	list(d, p.Allows, at.field("Allows"))

	for _, t := range p.Types {
		if t != nil {
			d.ref(reflect.TypeOf(t.payload()).Elem(), at.field("Types"))
		}
	}
	each(d, p.Errors, at.field("Errors"), d.error)
	each(d, p.Scopes, at.field("Scopes"), d.scope)
	each(d, p.Capabilities, at.field("Capabilities"), d.capability)
	each(d, p.Notifications, at.field("Notifications"), d.notification)
	each(d, p.Links, at.field("Links"), d.link)
	each(d, p.Activities, at.field("Activities"), d.activity)
	each(d, p.Methods, at.field("Methods"), d.method)
	each(d, p.Machines, at.field("Machines"), d.machine)
	each(d, p.Generations, at.field("Generations"), d.generation)
	each(d, p.Limits, at.field("Limits"), d.limit)
	each(d, p.Rules, at.field("Rules"), d.rule)
	each(d, p.Allows, at.field("Allows"), d.allow)
	if !isNil(p.Negotiation) {
		d.listed[p.Negotiation] = true
		d.negotiation(p.Negotiation.untyped(), d.at(p.Negotiation, at.field("Negotiation")))
	}
	if isNil(p.Negotiation) && len(p.Capabilities) > 0 {
		d.problem(at.field("Negotiation"), "capabilities are announced in a negotiation, and the protocol has none")
	}
	d.unique()
	d.tellApart()
	d.alone()
}

// list marks the items as listed.
func list[T any](d *describer, items []T, at Place) {
	for i, item := range items {
		switch {
		case isNil(item):
			d.problem(at.index(i), "item %d of the list is nil", i+1)
		case d.listed[item]:
			d.problem(at.index(i), "%s is listed twice", d.names[item])
		default:
			d.listed[item] = true
		}
	}
}

// each describes the items that are there, once.
func each[T comparable](d *describer, items []T, at Place, describe func(T, Place)) {
	seen := map[T]bool{}
	for i, item := range items {
		if !isNil(item) && !seen[item] {
			seen[item] = true
			describe(item, d.at(item, at.index(i)))
		}
	}
}

// variableOf is a declaration's variable; other declarations find it by that.
func (d *describer) variableOf(declaration any, at Place) string {
	name, ok := d.names[declaration]
	if !ok {
		d.problem(at, "this is no package variable: declare it as var Name = &spec.…{…} and list the name")
	}
	return name
}

// listedOr reports a declaration that is named but belongs to no list. One that
// has a variable is reported there.
func (d *describer) listedOr(declaration any, at Place) {
	if _, ok := d.names[declaration]; !ok && !d.listed[declaration] {
		d.problem(at, "this names a declaration that is no package variable and that no list has")
	}
}

func (d *describer) kindOf(e AnyError, at Place) string {
	if isNil(e) {
		return ""
	}
	d.listedOr(e, at)
	return e.untyped().kind
}

func (d *describer) kindsOf(errors []AnyError, at Place) []string {
	var out []string
	for i, e := range errors {
		if isNil(e) {
			d.problem(at.index(i), "item %d of the list is nil", i+1)
			continue
		}
		out = append(out, d.kindOf(e, at.index(i)))
	}
	return out
}

func (d *describer) scopeName(s AnyScope, at Place) string {
	if isNil(s) {
		return ""
	}
	d.listedOr(s, at)
	return s.untyped().name
}

func (d *describer) notificationName(n AnyNotification, at Place) string {
	if isNil(n) {
		return ""
	}
	d.listedOr(n, at)
	return reflect.ValueOf(n).Elem().FieldByName("Name").String()
}

func (d *describer) activityName(a AnyActivity, at Place) string {
	if isNil(a) {
		return ""
	}
	d.listedOr(a, at)
	return a.untyped().name
}

func (d *describer) methodName(m AnyMethod, at Place) string {
	if isNil(m) {
		return ""
	}
	d.listedOr(m, at)
	return reflect.ValueOf(m).Elem().FieldByName("Name").String()
}

func (d *describer) capabilityName(c *Capability, at Place) string {
	if c == nil {
		return ""
	}
	d.listedOr(c, at)
	return c.Name
}

func (d *describer) linkName(l AnyLink, at Place) string {
	if isNil(l) {
		return ""
	}
	d.listedOr(l, at)
	return lowerFirst(d.names[l])
}

// unique reports two declarations of one name on the wire.
func (d *describer) unique() {
	seen := map[string]string{}
	check := func(what, name, variableName string, pos model.Pos) {
		if name == "" {
			d.problem(Place(pos.File), "the %s has no name", what)
			return
		}
		key := what + " " + name
		if other, ok := seen[key]; ok {
			d.problem(Place(pos.File), "%s and %s are both the %s %q", other, variableName, what, name)
		}
		seen[key] = variableName
	}
	for _, x := range d.out.Errors {
		check("error", x.Kind, x.Var, x.Pos)
	}
	for _, x := range d.out.Scopes {
		check("scope", x.Name, x.Var, x.Pos)
	}
	for _, x := range d.out.Capabilities {
		check("capability", x.Of+" "+x.Name, x.Var, x.Pos)
	}
	for _, x := range d.out.Notifications {
		check("message from the "+x.From, x.Name, x.Var, x.Pos)
	}
	for _, x := range d.out.Methods {
		check("message from the "+x.From, x.Name, x.Var, x.Pos)
	}
	for _, x := range d.out.Activities {
		check("activity", x.Name, x.Var, x.Pos)
	}
	for _, x := range d.out.Machines {
		check("machine", x.Name, x.Var, x.Pos)
	}
	for _, x := range d.out.Generations {
		check("generation", x.Name, x.Var, x.Pos)
	}
	for _, x := range d.out.Limits {
		check("limit", x.Name, x.Name, x.Pos)
	}
	for _, x := range d.out.Rules {
		check("rule", x.ID, x.ID, x.Pos)
	}
}

// goName makes a Go name of a name on the wire: "session/working-directory/get"
// is SessionWorkingDirectoryGet.
func goName(wire string) string {
	var b strings.Builder
	up := true
	for _, r := range wire {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			up = true
		case up:
			b.WriteRune(unicode.ToUpper(r))
			up = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func lowerFirst(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// side is the side that a field names; of says of what.
func (d *describer) side(s Side, at Place, of, field string) string {
	switch s {
	case Client:
		return model.Client
	case Server:
		return model.Server
	}
	d.problem(at, "%s does not say %s: it is spec.Client or spec.Server", of, field)
	return ""
}
