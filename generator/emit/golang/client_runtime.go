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
	s.decl("If this line does not compile, the code in this package was generated for another runtime than the one it is built with: bring github.com/accordkit/accord up to date, or run `accord gen` again.",
		jen.Const().Id("_").Op("=").Qual(contractPath, "Generated1"))
	if n := c.p.Negotiation; c.versioned() {
		s.decl("Version is the version of the protocol that this client speaks.",
			jen.Const().Id("Version").Op("=").Lit(slices.Max(n.Versions)))
	}
	c.emitOptions(s)
	fields := []jen.Code{jen.Id("client").Op("*").Qual(trackPath, "Client"), jen.Id("options").Id("Options")}
	for _, sc := range c.scopes {
		fields = append(fields, jen.Id(sc.field()).Op("*").Qual(trackPath, "Scopes").Types(append([]jen.Code{c.keyType(sc)}, sc.params()...)...))
	}
	if m := c.negotiation(); m != nil {
		fields = append(fields, jen.Id("info").Id(m.Result))
	}
	for _, n := range c.valued() {
		fields = append(fields, jen.Id(spare(n)).Qual(trackPath, "Spare").Types(jen.Id(n.Params)))
	}
	s.decl(c.conn()+" is a connection to "+c.aNoun()+" that was begun.", jen.Type().Id(c.conn()).Struct(fields...))
	c.emitBegin(s)
	c.emitNegotiation(s)
	c.emitHostMethods(s)
}

// optionFields are the members of the negotiation's params that a host sets.
func (c *client) optionFields() (m *model.Method, fields []*model.Field) {
	if m = c.negotiation(); m == nil {
		return nil, nil
	}
	for _, f := range c.types[m.Params].Fields {
		if n := c.p.Negotiation; f.Wire != n.Asked && f.Wire != n.Offers {
			fields = append(fields, f)
		}
	}
	return m, fields
}

func (c *client) optionName(m *model.Method, f *model.Field) string {
	return c.override(m.Name+"."+f.Wire, f.Name)
}

// asks are the requests that the other side makes.
func (c *client) asks() []*model.Method { return c.calls(model.Server) }

// askName is the member of Options that answers one.
func (c *client) askName(m *model.Method) string {
	alone := 0
	for _, other := range c.asks() {
		if other.Needs == m.Needs {
			alone++
		}
	}
	if m.Needs != "" && alone == 1 {
		return exported(m.Needs)
	}
	return m.GoName
}

func (c *client) askFunc(m *model.Method) jen.Code {
	params := []jen.Code{ctxParam()}
	if m.Params != "" {
		params = append(params, jen.Id("p").Op("*").Id(m.Params))
	}
	if m.Result == "" {
		return jen.Func().Params(params...).Error()
	}
	return jen.Func().Params(params...).Params(jen.Op("*").Id(m.Result), jen.Error())
}

func (c *client) emitOptions(s *source) {
	var code []jen.Code
	add := func(doc string, field jen.Code) {
		if len(code) > 0 {
			code = append(code, jen.Line())
		}
		code = append(append(code, comments(doc)...), field)
	}
	m, fields := c.optionFields()
	for _, f := range fields {
		add(c.memberDoc(f), jen.Id(c.optionName(m, f)).Add(c.fieldType(f)))
	}
	if c.versioned() {
		add("Legacy offers no version: the "+c.noun()+" is treated as one that does not negotiate.", jen.Id("Legacy").Bool())
	}
	if m != nil && c.offersType() != "" && c.offersMore(c.offersType()) {
		add(c.offersField().Name+" may change what is announced: what the other functions of these options can serve is there already.",
			jen.Id(c.offersField().Name).Func().Params(jen.Op("*").Id(c.offersType())))
	}
	add("Handler takes what the "+c.noun()+" sends.", jen.Id("Handler").Id("Handler"))
	for _, m := range c.asks() {
		doc := c.askName(m) + " answers " + m.Name + ". Its context ends when the " + c.noun() + " withdraws the question."
		if m.Needs != "" {
			doc += " Without it the capability is not announced."
		}
		if m.Absent != "" {
			doc += " Without it, and when it returns neither a result nor an error, the answer is " + m.Absent + "."
		}
		add(doc, jen.Id(c.askName(m)).Add(c.askFunc(m)))
	}
	add("Diagnose is told what the connection met and went on after. It must be quick and may be called from several goroutines.",
		jen.Id("Diagnose").Func().Params(jen.Qual(jsonrpcPath, "Diagnostic")))
	add("Limits bound the connection.", jen.Id("Limits").Qual(jsonrpcPath, "Limits"))
	if len(c.scopes) > 0 {
		add("QueueLimit bounds the bytes that wait for handlers and handles in one scope; 0 means 8 MiB. Past it live messages are merged, then dropped and counted; if the others alone exceed it, whoever is behind fails.",
			jen.Id("QueueLimit").Int())
	}
	if m != nil {
		add("HandshakeTimeout bounds the beginning; 0 means 30 s.", jen.Id("HandshakeTimeout").Qual("time", "Duration"))
	}
	add("Retry says how often calls are made again where an error and the method's idempotency allow it. The zero value repeats nothing.",
		jen.Id("Retry").Qual(trackPath, "Retry"))
	s.decl("Options say how to begin with "+c.aNoun()+", and who takes what it sends.", jen.Type().Id("Options").Struct(code...))
}

func (c *client) emitBegin(s *source) {
	cmd := jen.Id("cmd").Op("*").Qual(processPath, "Cmd")
	opts := jen.Id("o").Id("Options")
	rw := []jen.Code{jen.Id("r").Qual("io", "Reader"), jen.Id("w").Qual("io", "Writer")}
	result := []jen.Code{jen.Op("*").Id(c.conn()), jen.Error()}
	failed := jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err()))
	s.decl("Launch starts "+c.aNoun()+" as a child process and begins with it. ctx bounds the beginning alone. If that fails the child is ended, and the error tells its last lines on stderr.",
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
		body = append(body, jen.Id("rt."+sc.field()).Op("=").Qual(trackPath, "NewScopes").Call(jen.Id("rt."+sc.maker())))
		fails = append(fails, jen.Id("rt."+sc.field()+".Fail").Call(jen.Err()))
	}
	fail := jen.Code(jen.Func().Params(jen.Err().Error()).Block(fails...))
	if len(c.scopes) == 1 {
		fail = jen.Id("rt." + c.scopes[0].field() + ".Fail")
	}
	errs := []jen.Code{jen.Id("Decode").Op(":").Id("decodeError")}
	if c.versioned() {
		errs = append(errs, jen.Id("Missing").Op(":").Id("missing"))
	}
	errs = append(errs, jen.Id("Unsupported").Op(":").Id("unsupported"), jen.Id("Repeat").Op(":").Id("repeat"))
	body = append(body,
		jen.Id("rt.client").Op("=").Qual(trackPath, "NewClient").Call(jen.Id("r"), jen.Id("w"), jen.Id("p"), jen.Qual(trackPath, "ClientConfig").Values(broken([]jen.Code{
			jen.Id("Conn").Op(":").Qual(jsonrpcPath, "Config").Values(
				jen.Id("Handler").Op(":").Parens(jen.Op("*").Id("receiver")).Call(jen.Id("rt")),
				jen.Id("Limits").Op(":").Id("o.Limits"), jen.Id("Diagnose").Op(":").Id("o.Diagnose")),
			jen.Id("Errors").Op(":").Qual(trackPath, "Errors").Values(errs...),
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

// maxNesting is how deep capabilities may lie.
const maxNesting = 8

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
			if len(inner) == 0 {
				continue
			}
			one := jen.Id(under.Name).Values(inner...)
			if c.isPointer(f) {
				one = jen.Op("&").Add(one)
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

// offersMore tells whether a client may announce what is more than true or
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
		caps := jen.Id(of).Values(c.offered(of, "")...)
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
	body := []jen.Code{jen.Id("p").Op(":=").Op("&").Id(m.Params).Values(broken(values)...)}
	agreed := []jen.Code{jen.Id("rt.client.Caller.Negotiated").Call(announces), jen.Return(jen.Nil())}
	if c.versioned() {
		body = append(body, jen.If(jen.Op("!").Id("rt.options.Legacy")).Block(offer...))
		agreed = []jen.Code{jen.Return(jen.Id("rt.client.Caller.Agreed").Call(
			jen.Id("p."+c.member(m.Params, n.Asked).Name), jen.Id("rt.info."+c.member(m.Result, n.Answered).Name), announces))}
	} else {
		body = append(body, offer...)
	}
	body = append(body, c.exchange("rt", m, jen.Op("&").Id("rt.info"), accepting(agreed...))...)
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
			has = c.has(jen.Id("told"), c.under(announced.Type).Name, capability.Name)
		}
		if has == nil {
			c.problems.Add(capability.Pos, "capability %s is no member of what the "+c.noun()+" announces", capability.Name)
			continue
		}
		cases = append(cases, jen.Case(jen.Lit(capability.Name)).Block(jen.Return(has)))
	}
	body = []jen.Code{jen.Return(jen.False())}
	if len(cases) > 0 {
		told := []jen.Code{jen.Id("told").Op(":=").Id("rt.info." + announced.Name)}
		if c.isPointer(announced) {
			told = append(told, jen.If(jen.Id("told").Op("==").Nil()).Block(jen.Return(jen.False())))
		}
		body = append(append(told, jen.Switch(jen.Id("capability")).Block(cases...)), body...)
	}
	s.decl("announces tells whether the "+c.noun()+" announced a capability.",
		c.onConn().Id("announces").Params(jen.Id("capability").String()).Bool().Block(body...))
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

// emitHostMethods writes what every connection has.
func (c *client) emitHostMethods(s *source) {
	one := func(doc, name string, result, value jen.Code) {
		s.decl(doc, c.onConn().Id(name).Params().Add(result, oneLine(jen.Return(value))))
	}
	if m := c.negotiation(); m != nil {
		one("Info is what the "+c.noun()+" said of itself.", "Info", jen.Op("*").Id(m.Result), jen.Op("&").Id("rt.info"))
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
	one("Counters tell what has passed on the connection and what went wrong.", "Counters", jen.Qual(jsonrpcPath, "Counters"), jen.Id("rt.client.Conn.Counters").Call())
	for _, sc := range c.scopes {
		doc := "Counts tell what became of the messages of each " + sc.s.Name + "."
		if sc.whole {
			doc = "Counts tell what became of the messages about work that is followed."
		}
		name := "Counts"
		if len(c.scopes) > 1 {
			name = sc.s.Handle + "Counts"
		}
		one(doc, name, jen.Qual(trackPath, "Counts"), jen.Id("rt."+sc.field()+".Counts").Call())
	}
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
	doc += "end of stdin, SIGTERM, SIGKILL. It returns when nothing that the client started is left. It runs once; later calls get the same answer."
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
