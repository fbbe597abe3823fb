// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/accordkit/accord/spec/model"
)

const (
	clientPath  = "github.com/accordkit/accord/runtime/client"
	processPath = "github.com/accordkit/accord/runtime/process"
)

// ClientOptions say what a client is rendered with.
type ClientOptions struct {
	// Payloads is the import path of the package that Payloads rendered.
	Payloads string
	// Names overrides Go names: of methods, by wire name ("game/move"), and
	// of members of Options, by method and member ("initialize.cwd"). An entry
	// that nothing uses is a problem.
	Names map[string]string
}

// Client renders the side that calls: typed handles over runtime/client, in a
// package of its own. Where a link has a fold, a part is written by hand next
// to it: the type named after the fold (inboxFold for "inbox"), which embeds
// what it knows, its constructor, and the type Settlement; see
// testdata/queue_client for the least of it.
func Client(p *model.Protocol, o ClientOptions) ([]File, error) {
	g := newGen(withWhole(p), o.Payloads, "client")
	g.overrides, g.overridden = o.Names, map[string]bool{}
	if o.Payloads == "" {
		return nil, errors.New("a client needs the import path of the package with the payload types")
	}
	c := g.newClient()
	if g.problems.Errors() == 0 {
		c.emitRuntime()
		c.emitMethods()
		c.emitHandles()
		c.emitReceive()
		c.emitKnowledge()
		c.emitClientErrors()
	}
	for _, name := range slices.Sorted(maps.Keys(o.Names)) {
		if !g.overridden[name] {
			g.problems.Add(p.Pos, "the name of %q is overridden, but nothing has that name", name)
		}
	}
	return g.finish()
}

// client is what the declaration means for the side that calls.
type client struct {
	*gen
	scopes []*clientScope
	taken  map[string]string // package-level names
}

// clientScope is a scope with what a client follows in it.
type clientScope struct {
	*gen
	s      *model.Scope
	key    *model.Ref
	works  []*work // what its runs end with
	ticket string  // type of tickets; any if there are several works
	of     string  // type of their keys, likewise
	whole  bool    // the connection itself, for what is in no scope
}

// work is one activity that a client follows.
type work struct {
	sc       *clientScope
	activity *model.Activity
	link     *model.Link     // how a ticket leads to it; nil: the ticket is the key
	opens    []*model.Method // the calls that bring the ticket
	cancels  []*model.Method // the calls that stop it
	ticket   string          // type of tickets
	of       string          // type of its keys
	alone    bool            // a client follows nothing else
}

func (g *gen) newClient() *client {
	c := &client{gen: g, taken: map[string]string{}}
	for _, s := range g.p.Scopes {
		sc := &clientScope{gen: g, s: s, key: &model.Ref{Kind: model.RefNamed, Name: s.Key}, whole: s.Key == ""}
		for _, m := range g.calls(model.Client) {
			if m.In != nil && m.In.Scope == s.Name {
				c.follow(sc, m)
			}
		}
		c.scopes = append(c.scopes, sc)
	}
	c.checkWorks()
	c.checkInterrupts()
	c.checkNegotiation()
	c.checkNames()
	c.checkMethods()
	return c
}

func (g *gen) activity(name string) *model.Activity {
	for _, a := range g.p.Activities {
		if a.Name == name {
			return a
		}
	}
	return nil
}

func (c *client) scope(name string) *clientScope {
	for _, sc := range c.scopes {
		if sc.s.Name == name {
			return sc
		}
	}
	return nil
}

// names around a scope.
func (sc *clientScope) field() string { // of a connection
	if sc.whole {
		return "whole"
	}
	return plural(unexported(sc.s.Handle))
}
func (sc *clientScope) maker() string     { return "new" + sc.s.Handle }
func (sc *clientScope) knowledge() string { return unexported(sc.s.Handle) + "Knowledge" }

// checkNames reports package-level names that are needed twice.
func (c *client) checkNames() {
	take := func(pos model.Pos, name, what, remedy string) {
		if other, ok := c.taken[name]; ok {
			c.problems.Add(pos, "%s needs the Go name %s, which is taken by %s: %s", what, name, other, remedy)
			return
		}
		c.taken[name] = what
	}
	for _, name := range []string{c.conn(), "Options", "Handler", "Launch", "Connect", "Version", "Outcome", "Settlement"} {
		c.taken[name] = "the client"
	}
	for _, sc := range c.scopes {
		if !sc.whole {
			take(sc.s.Pos, sc.s.Handle, "scope "+sc.s.Name, "set its Handle")
		}
		if a := c.life(sc); a != nil {
			take(a.Pos, c.branch(sc), "activity "+a.Name, "rename what is called so")
		}
		for _, w := range sc.works {
			for _, m := range w.opens {
				take(w.activity.Pos, c.handleOf(w, m), "activity "+w.activity.Name, "set its Handle")
			}
			for _, m := range w.cancels {
				take(w.activity.Pos, c.cancellation(w, m), "activity "+w.activity.Name, "set its Handle")
			}
		}
	}
}

// checkMethods reports methods of a connection, or of a handle, that are needed
// twice.
func (c *client) checkMethods() {
	has := map[string]map[string]string{c.conn(): {}}
	for _, name := range []string{"Done", "Err", "Process", "Counters", "Close", "Call", "Info", "Version"} {
		has[c.conn()][name] = "what every connection has"
	}
	for _, sc := range c.scopes {
		if !sc.whole {
			has[c.conn()][sc.s.Handle] = "scope " + sc.s.Name
			has[sc.s.Handle] = map[string]string{"ID": "what every handle has"}
			if a := c.life(sc); a != nil {
				has[sc.s.Handle]["Children"] = "activity " + a.Name
			}
		}
	}
	take := func(in *model.Within, pos model.Pos, name, what string) {
		owner := c.conn()
		if in != nil && !c.scope(in.Scope).whole {
			owner = c.scope(in.Scope).s.Handle
		}
		if other, ok := has[owner][name]; ok {
			c.problems.Add(pos, "%s needs the method %s of %s, which is taken by %s: set its GoName", what, name, owner, other)
			return
		}
		has[owner][name] = what
	}
	for _, m := range c.calls(model.Client) {
		if m == c.negotiation() {
			continue
		}
		take(m.In, m.Pos, c.handleName(m), "method "+m.Name)
		if m.AlsoNotify {
			take(m.In, m.Pos, "Notify"+c.handleName(m), "method "+m.Name)
		}
	}
	for _, i := range c.interruptions() {
		take(i.stop.In, i.stop.Interrupts.Pos, i.stop.Interrupts.GoName, "the interrupt of "+i.stop.Name)
	}
	for _, n := range c.notes(model.Client) {
		var sc *clientScope
		if n.In != nil {
			sc = c.scope(n.In.Scope)
		}
		take(n.In, n.Pos, c.override(n.Name, c.unscoped(sc, noteName(n))), "notification "+n.Name)
	}
}

// override is the Go name that the settings give, or the computed one.
func (g *gen) override(key, name string) string {
	if o, ok := g.overrides[key]; ok {
		g.overridden[key] = true
		return o
	}
	return name
}

// handleName is a method's name on its handle: without the scope's name before
// it, and verbs first.
func (c *client) handleName(m *model.Method) string {
	name := m.GoName
	for _, sc := range c.scopes {
		if rest := c.unscoped(sc, name); rest != name {
			name = rest
			break
		}
	}
	for _, verb := range []string{"Get", "Set"} {
		if rest, ok := strings.CutSuffix(name, verb); ok && rest != "" {
			name = verb + rest
		}
	}
	if m.Shutdown && name == "Close" { // which is the connection's own, and calls it
		name = "Shutdown"
	}
	return c.override(m.Name, name)
}

// unscoped is a name without the name of its scope before it.
func (c *client) unscoped(sc *clientScope, name string) string {
	if sc == nil || sc.whole {
		return name
	}
	if rest, ok := strings.CutPrefix(name, sc.s.Handle); ok && rest != "" {
		return rest
	}
	return name
}

// memberOf is the first member of a payload with a type of that name.
func (g *gen) memberOf(typeName, of string) *model.Field {
	t := g.types[typeName]
	if t == nil {
		return nil
	}
	for _, f := range t.Fields {
		if f.Type.Kind == model.RefNamed && f.Type.Name == of {
			return f
		}
	}
	return nil
}

// required are the members that a caller must give, besides the scope's key.
func (c *client) required(m *model.Method) (required []*model.Field) {
	if m.Params == "" {
		return nil
	}
	for _, f := range c.types[m.Params].Fields {
		if f.Always() && !(m.In != nil && f.Wire == m.In.Key) && !(m.Pages != nil && f.Wire == m.Pages.Cursor) {
			required = append(required, f)
		}
	}
	return required
}
