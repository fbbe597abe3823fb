// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// maxNesting is how deep capabilities may lie.
const maxNesting = 8

// emitNegotiation writes the first call, and what the answer means.
func (c *client) emitNegotiation(s *source) {
	m, fields := c.optionFields()
	if m == nil {
		return
	}
	n := c.p.Negotiation
	var values []jen.Code
	for _, f := range fields {
		values = append(values, jen.Id(f.Name).Op(":").Id("rt.options."+c.optionName(m, f)))
	}
	var offer []jen.Code
	if c.versioned() {
		offer = append(offer, jen.Id("p."+c.member(m.Params, n.Asked).Name).Op("=").New(jen.Int64().Call(jen.Id("Version"))))
	}
	if of := c.offersType(); of != "" {
		caps := c.ref(of).Values(c.offered(of, "")...)
		if c.isPointer(c.offersField()) {
			caps = jen.Op("&").Add(caps)
		}
		offer = append(offer, jen.Id("p."+c.offersField().Name).Op("=").Add(caps))
		if c.offersMore(of) {
			offer = append(offer, jen.If(jen.Id("rt.options."+c.offersField().Name).Op("!=").Nil()).Block(
				jen.Id("rt.options."+c.offersField().Name).Call(c.offersPointer())))
		}
	}
	announces := jen.Code(jen.Func().Params(jen.String()).Bool().Add(oneLine(jen.Return(jen.True()))))
	if n.Announces != "" {
		announces = jen.Id("rt.announces")
	}
	body := []jen.Code{jen.Id("p").Op(":=").Op("&").Add(c.ref(m.Params)).Values(broken(values)...)}
	agreed := []jen.Code{jen.Id("rt.client.Caller.Negotiated").Call(announces), jen.Return(jen.Nil())}
	if c.versioned() {
		body = append(body, jen.If(jen.Op("!").Id("rt.options.Legacy")).Block(offer...))
		agreed = []jen.Code{jen.Return(jen.Id("rt.client.Caller.Agreed").Call(
			jen.Id("p."+c.member(m.Params, n.Asked).Name), jen.Id("rt.info."+c.member(m.Result, n.Answered).Name), announces))}
	} else {
		body = append(body, offer...)
	}
	body = append(body, c.exchange(nil, m, jen.Op("&").Id("rt.info"), accepting("_", agreed...))...)
	s.decl("negotiate is "+m.Name+".", c.onConn().Id("negotiate").Params(ctxParam()).Error().Block(append(body, jen.Return(do()))...))
	if n.Announces == "" {
		return
	}
	announced := c.member(m.Result, n.Announces)
	var cases []jen.Code
	for _, capability := range c.p.Capabilities {
		if capability.Of != model.Server {
			continue
		}
		has := jen.Code(nil)
		if announced != nil {
			has = c.has(jen.Id("announced"), c.under(announced.Type).Name, capability.Name)
		}
		if has == nil {
			place := m.Result
			if announced != nil {
				place = c.under(announced.Type).Name
			}
			c.problems.Add(capability.Pos, "capability %s is no member of what the %s announces: give it one, by its path from %s on", capability.Name, c.noun(), place)
			continue
		}
		cases = append(cases, jen.Case(jen.Lit(capability.Name)).Block(jen.Return(has)))
	}
	body = []jen.Code{jen.Return(jen.False())}
	if len(cases) > 0 {
		find := []jen.Code{jen.Id("announced").Op(":=").Id("rt.info." + announced.Name)}
		if c.isPointer(announced) {
			find = append(find, jen.If(jen.Id("announced").Op("==").Nil()).Block(jen.Return(jen.False())))
		}
		body = append(append(find, jen.Switch(jen.Id("capability")).Block(cases...)), body...)
	}
	s.decl("announces reports whether the "+c.noun()+" announced a capability.",
		c.onConn().Id("announces").Params(jen.Id("capability").String()).Bool().Block(body...))
}

// offered are the capabilities that a client announces below a path: those that
// its host can serve, and all others that are true or false.
func (c *client) offered(typeName, path string) []jen.Code {
	if strings.Count(path, ".") > maxNesting {
		return nil // a type within itself
	}
	var values []jen.Code
	for _, f := range c.types[typeName].Fields {
		at := strings.TrimPrefix(path+"."+f.Wire, ".")
		value := jen.Code(jen.True())
		switch under := c.under(f.Type); {
		case c.kind(f.Type) == structKind && c.types[under.Name].Kind == model.KindStruct:
			inner := c.offered(under.Name, at)
			if len(inner) == 0 && !c.offers(at) {
				continue
			}
			one := c.ref(under.Name).Values(inner...)
			if c.isPointer(f) {
				can := jen.Code(nil)
				for _, ask := range c.asks() {
					if ask.Needs == at {
						can = jen.Id("rt.options." + c.askName(ask)).Op("!=").Nil()
					}
				}
				if can == nil {
					one = jen.Op("&").Add(one)
				} else {
					one = jen.Qual(clientPath, "Offer").Call(can, one)
				}
			}
			values = append(values, jen.Id(f.Name).Op(":").Add(one))
			continue
		case under.Kind != model.RefBool:
			continue
		}
		for _, ask := range c.asks() {
			if ask.Needs == at {
				value = jen.Id("rt.options." + c.askName(ask)).Op("!=").Nil()
			}
		}
		if c.isPointer(f) {
			value = jen.New(value)
		}
		values = append(values, jen.Id(f.Name).Op(":").Add(value))
	}
	return values
}

// offers reports whether a client may announce a capability.
func (c *client) offers(name string) bool {
	return slices.ContainsFunc(c.p.Capabilities, func(o *model.Capability) bool { return o.Of == model.Client && o.Name == name })
}

// offersMore reports whether a client may announce what is more than true or
// false, so that only its host can say it.
func (c *client) offersMore(typeName string) bool { return c.offersMoreAt(typeName, 0) }

func (c *client) offersMoreAt(typeName string, depth int) bool {
	if depth > maxNesting {
		return true
	}
	for _, f := range c.types[typeName].Fields {
		under := c.under(f.Type)
		switch {
		case under.Kind == model.RefBool:
		case c.kind(f.Type) == structKind && c.types[under.Name].Kind == model.KindStruct:
			if c.offersMoreAt(under.Name, depth+1) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

func (c *client) offersPointer() jen.Code {
	if c.isPointer(c.offersField()) {
		return jen.Id("p." + c.offersField().Name)
	}
	return jen.Op("&").Id("p." + c.offersField().Name)
}

// has is the condition that a capability is announced; nil if there is none at
// the path.
func (g *gen) has(base jen.Code, typeName, path string) jen.Code {
	expr := jen.Add(base)
	var cond *jen.Statement
	and := func(c jen.Code) {
		if cond == nil {
			cond = jen.Add(c)
			return
		}
		cond = cond.Op("&&").Add(c)
	}
	names := strings.Split(path, ".")
	for i, name := range names {
		f := g.member(typeName, name)
		if f == nil {
			return nil
		}
		expr = jen.Add(expr).Dot(f.Name)
		last := i == len(names)-1
		isBool := g.under(f.Type).Kind == model.RefBool
		if g.isPointer(f) {
			and(jen.Add(expr).Op("!=").Nil())
			if last && isBool {
				and(jen.Op("*").Add(expr))
			}
		} else if last {
			if !isBool {
				return nil
			}
			and(expr)
		}
		typeName = g.under(f.Type).Name
	}
	return cond
}
