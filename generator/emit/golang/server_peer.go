// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/spec/model"
)

// emitPeer writes the client as a server sees it.
func (g *gen) emitPeer() {
	s := g.source("server_peer.gen.go")
	g.emitPeerType(s)
	for _, n := range g.notes(model.Server) {
		g.emitNote(s, n)
	}
	for _, m := range g.calls(model.Server) {
		g.emitAsk(s, m)
	}
}

func onPeer() *jen.Statement { return jen.Func().Params(jen.Id("p").Op("*").Id("Peer")) }

func (g *gen) emitPeerType(s *source) {
	fields := []jen.Code{
		jen.Id("conn").Op("*").Qual(jsonrpcPath, "Conn"),
		jen.Id("server").Id("Server"),
		jen.Id("gate").Qual(serverPath, "Gate"),
	}
	offers := g.offersType()
	if offers != "" {
		fields = append(fields, jen.Id("offers").Qual("sync/atomic", "Pointer").Types(g.ref(offers)))
	}
	for _, name := range g.serials() {
		fields = append(fields, jen.Id(name).Qual(serverPath, "Serial"))
	}
	s.decl("Peer is the client at the other end of a connection.", jen.Type().Id("Peer").Struct(fields...))

	gate := []jen.Code{
		jen.Id("Rules").Op(":").Id("rules"),
		jen.Id("Unknown").Op(":").Id("unknownMethod"),
	}
	if n := g.p.Negotiation; n != nil && g.errorOf(n.Before) != nil {
		gate = append(gate, jen.Id("Early").Op(":").Id("tooEarly"))
	}
	s.decl("NewPeer makes the server's end of a connection that reads from r and writes to w. newServer makes the server that the client speaks to; the connection is there already, but nothing has come from it. Handler and Encode of the configuration are set by NewPeer. Call Serve to run it.",
		jen.Func().Id("NewPeer").Params(
			jen.Id("r").Qual("io", "Reader"), jen.Id("w").Qual("io", "Writer"), jen.Id("config").Qual(jsonrpcPath, "Config"),
			jen.Id("newServer").Func().Params(jen.Op("*").Id("Peer")).Id("Server"),
		).Op("*").Id("Peer").Block(append(g.limits(),
			jen.Id("p").Op(":=").Op("&").Id("Peer").Values(jen.Id("gate").Op(":").Qual(serverPath, "Gate").Values(gate...)),
			jen.Id("config").Dot("Handler").Op("=").Parens(jen.Op("*").Id("handler")).Call(jen.Id("p")),
			jen.Id("config").Dot("Encode").Op("=").Id("EncodeError"),
			g.strict(),
			jen.Id("p").Dot("conn").Op("=").Qual(jsonrpcPath, "NewConn").Call(jen.Id("r"), jen.Id("w"), jen.Id("config")),
			jen.Id("p").Dot("server").Op("=").Id("newServer").Call(jen.Id("p")),
			jen.Return(jen.Id("p")),
		)...))
	s.decl("Serve runs the connection; see jsonrpc.Conn.Serve.",
		onPeer().Id("Serve").Params(ctxParam()).Error().Block(jen.Return(jen.Id("p").Dot("conn").Dot("Serve").Call(jen.Id("ctx")))))
	s.decl("Conn is the connection.",
		onPeer().Id("Conn").Params().Op("*").Qual(jsonrpcPath, "Conn").Add(oneLine(jen.Return(jen.Id("p").Dot("conn")))))
	if g.p.Negotiation == nil {
		return
	}
	if g.versioned() {
		g.emitVersions(s)
	}
	s.decl("Opened reports whether the connection was opened, by a client of any kind.",
		onPeer().Id("Opened").Params().Bool().Add(oneLine(jen.Return(jen.Id("p").Dot("gate").Dot("Opened").Call()))))
	if offers == "" {
		return
	}
	s.decl("Capabilities is what the client announced; never nil.",
		onPeer().Id("Capabilities").Params().Op("*").Add(g.ref(offers)).Block(
			jen.If(jen.Id("offers").Op(":=").Id("p").Dot("offers").Dot("Load").Call(), jen.Id("offers").Op("!=").Nil()).Block(jen.Return(jen.Id("offers"))),
			jen.Return(jen.New(g.ref(offers))),
		))
}

// frameLimits are the names and units under which a protocol declares what a
// connection bounds by itself, and the fields of jsonrpc.Limits.
var frameLimits = []struct{ name, unit, field string }{
	{"line", "bytes", "Line"},
	{"depth", "levels", "Depth"},
	{"requests", "count", "Requests"},
}

// limits are the statements that set the declared limits where the host sets
// none.
func (g *gen) limits() []jen.Code {
	var code []jen.Code
	for _, f := range frameLimits {
		for _, l := range g.p.Limits {
			if l.Name == f.name && l.Unit == f.unit {
				field := jen.Id("config").Dot("Limits").Dot(f.field)
				code = append(code, jen.If(jen.Add(field).Op("==").Lit(0)).Block(jen.Add(field).Op("=").Add(amount(l.Value))))
			}
		}
	}
	return code
}

// emitVersions writes what returns the version that was agreed on.
func (g *gen) emitVersions(s *source) {
	s.decl("Version is the version that was agreed on; 0 before that, and for a client that named none.",
		onPeer().Id("Version").Params().Int64().Add(oneLine(jen.Return(jen.Id("p").Dot("gate").Dot("Version").Call()))))
	s.decl("Negotiated reports whether a version was agreed on.",
		onPeer().Id("Negotiated").Params().Bool().Add(oneLine(jen.Return(jen.Id("p").Dot("gate").Dot("Version").Call().Op(">").Lit(0)))))
}

// strict has a connection held to the strict dialect from the beginning if no
// version is negotiated: there are no peers of another kind then.
func (g *gen) strict() jen.Code {
	if g.versioned() {
		return jen.Null()
	}
	return jen.Id("config").Dot("Strict").Op("=").True()
}

// cutsNote says whether older peers get a notification with less in it.
func (g *gen) cutsNote(n *model.Notification) bool {
	return n.Since == "" && len(g.later(n.Params)) > 0 && g.newest() > 0
}

// cut are the statements that take from v what the peer's version lacks.
func (g *gen) cut(n *model.Notification) []jen.Code {
	if !g.cutsNote(n) {
		return nil
	}
	return []jen.Code{jen.If(jen.Id("version").Op(":=").Id("p").Dot("Version").Call(), jen.Id("version").Op("<").Lit(g.newest())).Block(
		jen.Id("v").Op("=").Id(beforeFunc(n.Params)).Call(jen.Id("v"), jen.Id("version")))}
}

// head is the frame of a notification up to its params.
func head(n *model.Notification) string {
	return `{"jsonrpc":"2.0","method":` + string(codec.AppendString(nil, n.Name)) + `,"params":`
}

// emitNote writes what sends a notification.
func (g *gen) emitNote(s *source, n *model.Notification) {
	name := noteName(n)
	param := jen.Id("v").Op("*").Add(g.ref(n.Params))
	lane := jen.Id("l").Op("*").Qual(jsonrpcPath, "Lane")
	doc := strings.TrimSpace(n.Doc.EN)
	if rest, ok := strings.CutPrefix(doc, n.Var+" "); ok {
		doc = name + " " + rest
	}
	var guards []jen.Code
	refuse := func(cond jen.Code, why string) {
		doc += "\n\n" + why
		guards = append(guards, jen.If(cond).Block(jen.Return(jen.False())))
	}
	if v := sinceOf(n.Since); v > 0 && g.newest() > 0 {
		refuse(jen.Id("p").Dot("Version").Call().Op("<").Lit(v), "A client that has not agreed on version "+n.Since+" does not get it, and false is returned.")
	}
	if n.Needs != "" {
		cond := g.lacks(jen.Id("p").Dot("Capabilities").Call(), g.offersType(), n.Needs)
		if cond == nil {
			g.problems.Add(n.Pos, "notification %s needs capability %s, which is no member of what the client announces: give it one, by its path from %s on", n.Name, n.Needs, g.offersType())
			return
		}
		refuse(cond, "A client that did not announce "+n.Needs+" does not get it, and false is returned.")
	}
	if n.Params == "" {
		s.decl(doc, onPeer().Id(name).Params(lane).Bool().Block(append(guards,
			jen.Return(jen.Id("l").Dot("Frame").Call(jen.Func().Params(jen.Id("b").Index().Byte()).Index().Byte().Block(
				jen.Return(jen.Qual(jsonrpcPath, "AppendNotification").Call(jen.Id("b"), g.ref(noteConst(n)), jen.Nil()))))),
		)...))
		return
	}
	frame := jen.Func().Params(jen.Id("b").Index().Byte()).Index().Byte().Add(oneLine(
		jen.Return(jen.Id("p").Dot("Append"+name).Call(jen.Id("b"), jen.Id("v")))))
	send := onPeer().Id(name).Params(lane, param)
	switch {
	case n.Live != nil:
		body := append(guards, g.cut(n)...)
		body = append(body, jen.Return(jen.Id("l").Dot("Live").Call(jen.Parens(jen.Op("*").Id(liveName(n))).Call(jen.Id("v")))))
		s.decl(doc+"\n\nIt is live: see jsonrpc.Lane.Live, whose result is returned.", send.Bool().Block(body...))
	case n.Seq != nil:
		seq, f := g.memberAt(jen.Id("v"), n.Params, n.Seq.Member)
		if f == nil || g.isPointer(f) {
			g.problems.Add(n.Pos, "notification %s is numbered by %s, which is no member that is always there", n.Name, n.Seq.Member)
			return
		}
		if f.Type.Kind == model.RefNamed {
			seq = jen.Int64().Call(seq)
		}
		body := append(guards, jen.Id("l").Dot("Event").Call(seq, jen.Lit(0), frame))
		if len(guards) > 0 {
			body = append(body, jen.Return(jen.True()))
			s.decl(doc, send.Bool().Block(body...))
		} else {
			s.decl(doc, send.Block(body...))
		}
	default:
		s.decl(doc+"\n\nThe result is that of jsonrpc.Lane.Frame.", send.Bool().Block(append(guards, jen.Return(jen.Id("l").Dot("Frame").Call(frame)))...))
	}
	body := append(g.cut(n),
		jen.Id("b").Op("=").Append(jen.Id("b"), jen.Add(text(head(n))).Op("...")),
		jen.Id("b").Op("=").Id("v").Dot("AppendJSON").Call(jen.Id("b")),
		jen.Return(jen.Append(jen.Id("b"), jen.LitRune('}'))),
	)
	receiver := onPeer()
	if !g.cutsNote(n) {
		receiver = jen.Func().Params(jen.Op("*").Id("Peer"))
	}
	s.decl("Append"+name+" appends the frame of a "+n.Name+" as this client knows it, without a newline.",
		receiver.Id("Append"+name).Params(jen.Id("b").Index().Byte(), param).Index().Byte().Block(body...))
	if n.Live != nil {
		g.emitLive(s, n)
	}
}

// emitAsk writes what sends a request to the client.
func (g *gen) emitAsk(s *source, m *model.Method) {
	doc := strings.TrimSpace(m.Doc.EN)
	if rest, ok := strings.CutPrefix(doc, m.Var+" "); ok {
		doc = m.GoName + " " + rest
	}
	result := func(values ...jen.Code) jen.Code { return jen.Return(values...) }
	zeroAnd := func(err jen.Code) jen.Code {
		if m.Result == "" {
			return result(err)
		}
		return result(g.noResult(m), err)
	}
	var body []jen.Code
	if m.Needs != "" {
		cond := g.lacks(jen.Id("p").Dot("Capabilities").Call(), g.offersType(), m.Needs)
		if cond == nil {
			g.problems.Add(m.Pos, "method %s needs capability %s, which is no member of what the client announces: give it one, by its path from %s on", m.Name, m.Needs, g.offersType())
			return
		}
		var absent []jen.Code
		switch {
		case m.Absent != "" && m.Result == "":
			doc += "\n\nA client that did not announce " + m.Needs + " is not asked."
			absent = append(absent, jen.Return(jen.Nil()))
		case m.Absent != "" && !g.plain(m):
			doc += "\n\nA client that did not announce " + m.Needs + " is not asked: the answer is " + m.Absent + "."
			absent = append(absent,
				jen.Id("r").Op(":=").Qual(codecPath, "Into").Call(g.resultReader(m)),
				jen.Err().Op(":=").Qual(codecPath, "Unmarshal").Call(jen.Index().Byte().Call(jen.Id(absentFunc(m))), jen.Id("r")),
				jen.Return(jen.Id("r").Dot("V"), jen.Err()),
			)
			s.decl("", jen.Const().Id(absentFunc(m)).Op("=").Add(text(m.Absent)))
		case m.Absent != "":
			doc += "\n\nA client that did not announce " + m.Needs + " is not asked: the answer is " + m.Absent + "."
			absent = append(absent,
				jen.Id("result").Op(":=").New(g.ref(m.Result)),
				jen.Return(jen.Id("result"), jen.Qual(codecPath, "Unmarshal").Call(jen.Index().Byte().Call(jen.Id(absentFunc(m))), jen.Id("result"))),
			)
			s.decl("", jen.Const().Id(absentFunc(m)).Op("=").Add(text(m.Absent)))
		default:
			doc += "\n\nA client that did not announce " + m.Needs + " is not asked."
			absent = append(absent, zeroAnd(jen.Id("unsupported").Call(g.ref(methodConst(m)), jen.Lit(m.Needs))))
		}
		body = append(body, jen.If(cond).Block(absent...))
	}
	doc += "\n\nThe error is a typed one of the protocol, a *jsonrpc.Error of a kind that this version does not know, a *jsonrpc.ResponseError if the answer cannot be read, the context's, or a *jsonrpc.ConnectionLostError."
	body = append(body,
		jen.Id("call").Op(":=").Id("p").Dot("conn").Dot("Begin").Call(g.ref(methodConst(m))),
		jen.Defer().Id("call").Dot("Release").Call(),
	)
	if m.Params != "" {
		body = append(body, jen.Id("call").Dot("Buf").Op("=").Id("params").Dot("AppendJSON").Call(jen.Id("call").Dot("Buf")))
	}
	body = append(body,
		jen.If(jen.Err().Op(":=").Id("call").Dot("Send").Call(jen.Id("ctx")), jen.Err().Op("!=").Nil()).Block(zeroAnd(jen.Id("received").Call(jen.Err()))))
	params := []jen.Code{ctxParam()}
	if m.Params != "" {
		params = append(params, jen.Id("params").Op("*").Add(g.ref(m.Params)))
	}
	sig := onPeer().Id(m.GoName).Params(params...)
	switch {
	case m.Result == "":
		sig = sig.Error()
		body = append(body, jen.Return(jen.Nil()))
	case !g.plain(m):
		sig = sig.Params(g.resultType(m), jen.Error())
		body = append(body,
			jen.Id("r").Op(":=").Qual(codecPath, "Into").Call(g.resultReader(m)),
			jen.Id("d").Op(":=").Id("call").Dot("Result").Call(),
			jen.Id("r").Dot("DecodeJSON").Call(jen.Id("d")),
			jen.Return(jen.Id("r").Dot("V"), jen.Id("d").Dot("Err").Call()),
		)
	default:
		sig = sig.Params(jen.Op("*").Add(g.ref(m.Result)), jen.Error())
		body = append(body,
			jen.Id("result").Op(":=").New(g.ref(m.Result)),
			jen.Return(jen.Id("result"), jen.Id("call").Dot("ReadExact").Call(jen.Id("result"))),
		)
	}
	s.decl(doc, sig.Block(body...))
	if !g.asked {
		g.asked = true
		typed := jen.Return(g.ref("DecodeError").Call(jen.Id("e")))
		if len(g.p.Errors) == 0 {
			typed = jen.Return(jen.Id("e"))
		}
		s.decl("received gives an error that the client sent the type of its kind.",
			jen.Func().Id("received").Params(jen.Err().Error()).Error().Block(
				jen.Var().Id("e").Op("*").Qual(jsonrpcPath, "Error"),
				jen.If(jen.Qual("errors", "As").Call(jen.Err(), jen.Op("&").Id("e"))).Block(typed),
				jen.Return(jen.Err()),
			))
	}
}
