// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/spec/model"
)

// emitRuntime writes the connection as a host holds it.
func (c *client) emitRuntime() {
	s := c.source("client.gen.go")
	s.guard()
	if n := c.p.Negotiation; c.versioned() {
		s.decl("Version is the version of the protocol that this client speaks.",
			jen.Const().Id("Version").Op("=").Lit(slices.Max(n.Versions)))
	}
	c.emitOptions(s)
	fields := []jen.Code{jen.Id("client").Op("*").Qual(clientPath, "Client"), jen.Id("options").Id("Options")}
	for _, sc := range c.scopes {
		fields = append(fields, jen.Id(sc.field()).Op("*").Qual(clientPath, "Scopes").Types(append([]jen.Code{c.keyType(sc)}, sc.params()...)...))
	}
	if m := c.negotiation(); m != nil {
		fields = append(fields, jen.Id("info").Add(c.ref(m.Result)))
	}
	for _, n := range c.valued() {
		fields = append(fields, jen.Id(spare(n)).Qual(clientPath, "Spare").Types(c.ref(n.Params)))
	}
	s.decl(c.conn()+" is a connection to "+c.aNoun()+" that was begun.", jen.Type().Id(c.conn()).Struct(fields...))
	c.emitBegin(s)
	c.emitNegotiation(s)
	c.emitHostMethods(s)
}

func (c *client) emitBegin(s *source) {
	cmd := jen.Id("cmd").Op("*").Qual(processPath, "Cmd")
	opts := jen.Id("o").Id("Options")
	rw := []jen.Code{jen.Id("r").Qual("io", "Reader"), jen.Id("w").Qual("io", "Writer")}
	result := []jen.Code{jen.Op("*").Id(c.conn()), jen.Error()}
	failed := jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err()))
	s.decl("Launch starts "+c.aNoun()+" as a child process and begins with it. ctx bounds the beginning alone. If that fails the child is ended, and the error has its last lines on stderr.",
		jen.Func().Id("Launch").Params(ctxParam(), cmd, opts).Params(result...).Block(
			jen.List(jen.Id("p"), jen.Err()).Op(":=").Id("cmd.Start").Call(),
			failed,
			jen.Return(jen.Id("begin").Call(jen.Id("ctx"), jen.Id("p.Stdout").Call(), jen.Id("p.Stdin").Call(), jen.Id("p"), jen.Id("o"))),
		))
	s.decl("Connect begins with "+c.aNoun()+" at the other end of any transport. If r and w are io.Closers they are closed in the end.",
		jen.Func().Id("Connect").Params(append([]jen.Code{ctxParam()}, append(rw, opts)...)...).Params(result...).Block(
			jen.Return(jen.Id("begin").Call(jen.Id("ctx"), jen.Id("r"), jen.Id("w"), jen.Nil(), jen.Id("o"))),
		))
	var fails []jen.Code
	body := []jen.Code{jen.Id("rt").Op(":=").Op("&").Id(c.conn()).Values(jen.Id("options").Op(":").Id("o"))}
	for _, sc := range c.scopes {
		body = append(body, jen.Id("rt."+sc.field()).Op("=").Qual(clientPath, "NewScopes").Call(jen.Id("rt."+sc.maker())))
		fails = append(fails, jen.Id("rt."+sc.field()+".Fail").Call(jen.Err()))
	}
	fail := jen.Code(jen.Func().Params(jen.Err().Error()).Block(fails...))
	if len(c.scopes) == 1 {
		fail = jen.Id("rt." + c.scopes[0].field() + ".Fail")
	}
	errs := []jen.Code{jen.Id("Decode").Op(":").Id("decodeError")}
	if texts := c.unknownTexts(); c.versioned() && len(texts) > 0 {
		errs = append(errs, jen.Id("Unknown").Op(":").Index().String().Values(texts...))
	}
	errs = append(errs, jen.Id("Unsupported").Op(":").Id("unsupported"), jen.Id("After").Op(":").Id("after"))
	body = append(body,
		jen.Id("rt.client").Op("=").Qual(clientPath, "NewClient").Call(jen.Id("r"), jen.Id("w"), jen.Id("p"), jen.Qual(clientPath, "ClientConfig").Values(broken([]jen.Code{
			jen.Id("Conn").Op(":").Qual(jsonrpcPath, "Config").Values(
				jen.Id("Handler").Op(":").Parens(jen.Op("*").Id("receiver")).Call(jen.Id("rt")),
				jen.Id("Limits").Op(":").Id("o.Limits"), jen.Id("Diagnose").Op(":").Id("o.Diagnose")),
			jen.Id("Errors").Op(":").Qual(clientPath, "Errors").Values(errs...),
			jen.Id("Retry").Op(":").Id("o.Retry"),
			jen.Id("Lost").Op(":").Id("lost"),
			jen.Id("Fail").Op(":").Add(fail),
		})...)),
	)
	ctx := ctxParam()
	if !c.versioned() {
		body = append(body, jen.Id("rt.client.Caller.Negotiated").Call(jen.Nil()).Comment("there are no versions to agree on"))
	}
	body = append(body, jen.Id("rt.client.Start").Call())
	if c.negotiation() != nil {
		body = append(body,
			jen.If(jen.Err().Op(":=").Id("rt.client.Begin").Call(jen.Id("ctx"), jen.Id("o.HandshakeTimeout"), jen.Id("rt.negotiate")), jen.Err().Op("!=").Nil()).
				Block(jen.Return(jen.Nil(), jen.Err())))
	} else {
		ctx = jen.Id("_").Qual("context", "Context")
	}
	body = append(body, jen.Return(jen.Id("rt"), jen.Nil()))
	s.decl("", jen.Func().Id("begin").Params(append([]jen.Code{ctx}, append(rw, jen.Id("p").Op("*").Qual(processPath, "Process"), opts)...)...).
		Params(result...).Block(body...))
}

// noun is what clients call the other side.
func (c *client) noun() string {
	if c.p.Server == "" {
		return "server"
	}
	return c.p.Server
}

// aNoun is that with its article.
func (c *client) aNoun() string {
	if strings.ContainsRune("aeiou", rune(c.noun()[0])) {
		return "an " + c.noun()
	}
	return "a " + c.noun()
}

// conn is the type of a connection to it.
func (c *client) conn() string { return exported(c.noun()) }

func (c *client) onConn() *jen.Statement {
	return jen.Func().Params(jen.Id("rt").Op("*").Id(c.conn()))
}

// emitHostMethods writes what every connection has.
func (c *client) emitHostMethods(s *source) {
	one := func(doc, name string, result, value jen.Code) {
		s.decl(doc, c.onConn().Id(name).Params().Add(result, oneLine(jen.Return(value))))
	}
	if m := c.negotiation(); m != nil {
		one("Info is what the "+c.noun()+" said of itself.", "Info", jen.Op("*").Add(c.ref(m.Result)), jen.Op("&").Id("rt.info"))
	}
	if m := c.negotiation(); c.versioned() {
		answered := "rt.info." + c.member(m.Result, c.p.Negotiation.Answered).Name
		s.decl("Version is the version in force, 0 if the "+c.noun()+" did not negotiate.", c.onConn().Id("Version").Params().Int64().Block(
			jen.If(jen.Id(answered).Op("==").Nil()).Block(jen.Return(jen.Lit(0))),
			jen.Return(jen.Op("*").Id(answered)),
		))
	}
	one("Done is closed when the connection is lost or closed.", "Done", jen.Op("<-").Chan().Struct(), jen.Id("rt.client.Done").Call())
	one("Err is why the connection is lost; nil while it is not.", "Err", jen.Error(), jen.Id("rt.client.Err").Call())
	one("Process is the "+c.noun()+"'s process if Launch started it, and else nil.", "Process", jen.Op("*").Qual(processPath, "Process"), jen.Id("rt.client.Process").Call())
	var scopes []jen.Code
	for _, sc := range c.scopes {
		scopes = append(scopes, jen.Id("rt."+sc.field()))
	}
	one("Counters count what has passed on the connection, what went wrong, and what became of messages that handlers and handles take.",
		"Counters", jen.Qual(clientPath, "Counters"), jen.Id("rt.client.Counters").Call(scopes...))
	shutdown := jen.Code(jen.Nil())
	doc := "Close ends the connection, and " + c.aNoun() + " that Launch started with it, by the ladder of process.Cmd: "
	if m := c.shutdown(); m != nil {
		shutdown = jen.Id("rt." + c.handleName(m))
		if m.Result != "" {
			shutdown = jen.Func().Params(ctxParam()).Error().Block(
				jen.List(jen.Id("_"), jen.Err()).Op(":=").Id("rt."+c.handleName(m)).Call(jen.Id("ctx")), jen.Return(jen.Err()))
		}
		doc += m.Name + ", "
	}
	doc += "end of stdin, SIGTERM, SIGKILL. It returns when nothing that the client started is left. It runs once; later calls get the same answer. A handler calls it with its own context, and is not waited for."
	s.decl(doc, c.onConn().Id("Close").Params(ctxParam()).Error().Add(oneLine(
		jen.Return(jen.Id("rt.client.Close").Call(jen.Id("ctx"), shutdown)))))
	s.decl("Call makes a call that this client has no method for; params is a JSON object, or nil.",
		c.onConn().Id("Call").Params(ctxParam(), jen.Id("method").String(), jen.Id("params").Qual(codecPath, "Raw")).
			Params(jen.Qual(codecPath, "Raw"), jen.Error()).Block(
			jen.Return(jen.Id("rt.client.Caller.Raw").Call(jen.Id("ctx"), jen.Id("method"), jen.Id("params")))))
}

// shutdown is the method by which the other side is asked to end.
func (c *client) shutdown() *model.Method {
	for _, m := range c.calls(model.Client) {
		if m.Shutdown {
			return m
		}
	}
	return nil
}
