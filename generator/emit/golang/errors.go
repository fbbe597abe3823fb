// SPDX-License-Identifier: Apache-2.0

package golang

import (
	"regexp"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/spec/model"
)

// emitErrors writes one type for each domain error, and what makes it of an
// error that a peer sent.
func (g *gen) emitErrors() {
	s := g.source("errors.gen.go")
	if len(g.p.Errors) == 0 {
		g.emitAsking(s)
		return
	}
	var kinds []jen.Code
	for _, e := range g.p.Errors {
		kinds = append(kinds, jen.Id(kindName(e)).Op("=").Lit(e.Kind))
	}
	s.decl("The kinds of errors. A kind is an error's identity; its text is for people.", jen.Const().Defs(kinds...))
	g.emitAsking(s)
	g.emitDecodeError(s)
	if m := g.scopeMember(); m != nil {
		s.decl("errorText is the message of an error that was given none.",
			jen.Func().Id("errorText").Params(jen.Id("words").String(), jen.Id("id").Add(g.goType(m.Type))).String().Block(
				jen.If(jen.Id("id").Op("==").Lit("")).Block(jen.Return(jen.Id("words"))),
				jen.Return(jen.Id("words").Op("+").Lit(": ").Op("+").Qual("strconv", "Quote").Call(jen.String().Call(jen.Id("id")))),
			))
	}

	c := g.source("errors_data.gen.go")
	for _, e := range g.p.Errors {
		g.emitError(s, e)
		g.emitErrorData(c, e)
	}
}

// emitAsking writes what a host asks of an error.
func (g *gen) emitAsking(s *source) {
	var own []jen.Code
	for _, k := range clientKinds {
		if k.fault != "" && g.errorFor(k.fault) != nil {
			continue // the protocol has an error of its own for it
		}
		if len(own) > 0 {
			own = append(own, jen.Line())
		}
		own = append(append(own, comments(k.name+" "+k.doc)...), jen.Id(k.name).Op("=").Lit(k.kind))
	}
	s.decl("The kinds of what a client finds by itself.", jen.Const().Defs(own...))
	s.decl("KindOf returns the kind of the first error of the protocol in err's tree, one of the constants above; empty if there is none.",
		jen.Func().Id("KindOf").Params(jen.Err().Error()).String().Add(oneLine(jen.Return(jen.Qual(contractPath, "KindOf").Call(jen.Err())))))
	var classes []jen.Code
	for _, c := range retryClasses {
		classes = append(classes, jen.Id("Retry"+c.name).Op("=").Qual(contractPath, c.name).Comment(c.doc))
	}
	s.decl("What a caller may do after an error.", jen.Const().Defs(classes...))
	s.decl("RetryOf returns what a caller may do after err, one of the constants above: RetryNever if no error of the protocol says otherwise.",
		jen.Func().Id("RetryOf").Params(jen.Err().Error()).Qual(contractPath, "Retry").Add(oneLine(jen.Return(jen.Qual(contractPath, "RetryOf").Call(jen.Err())))))
}

// clientKinds are the kinds of what a client finds by itself, each with the fault for
// which a protocol may have an error of its own.
var clientKinds = []struct{ name, kind, fault, doc string }{
	{"KindUnsupported", "unsupported", model.MethodFault, "is the kind of a method that the other side does not serve."},
	{"KindConnectionLost", "connection-lost", model.ConnectionFault, "is the kind of a connection that is lost."},
	{"KindLagging", "lagging", model.LagFault, "is the kind of messages that were not taken in time."},
	{"KindInvalidResult", "invalid-result", "", "is the kind of an answer that cannot be read: the call may have taken effect."},
}

// retryClasses are the classes of retry, as runtime/contract names them.
var retryClasses = []struct{ name, doc string }{
	{"Never", "the same call fails again"},
	{"SameKey", "the same call, with the same idempotency key"},
	{"After", "the same call, after a while"},
	{"Reload", "after loading anew what the call is about"},
}

// emitDecodeError writes the function that types what a peer sent.
func (g *gen) emitDecodeError(s *source) {
	s.decl("DecodeError gives an error that a peer sent the type of its kind or, if it names none, of the only kind with its code; see jsonrpc.Typed. "+
		"An error of a kind that this version does not know is returned unchanged.",
		jen.Func().Id("DecodeError").Params(jen.Id("e").Op("*").Qual(jsonrpcPath, "Error")).Error().Add(oneLine(
			jen.Return(jen.Qual(jsonrpcPath, "Typed").Call(jen.Id("e"), jen.Id("kindOf"), jen.Id("newError"))))))
	var cases []jen.Code
	kinds := map[int][]*model.Error{}
	var codes []int
	for _, e := range g.p.Errors {
		if e.At == model.Client {
			continue
		}
		cases = append(cases, jen.Case(jen.Id(kindName(e))).Block(
			jen.Return(jen.Op("&").Id(errorName(e)).Values(jen.Id("Message").Op(":").Id("message"), jen.Id("Err").Op(":").Err()))))
		if kinds[e.Code] = append(kinds[e.Code], e); len(kinds[e.Code]) == 1 {
			codes = append(codes, e.Code)
		}
	}
	s.decl("", jen.Func().Id("newError").Params(jen.List(jen.Id("kind"), jen.Id("message")).String(), jen.Err().Error()).Qual(jsonrpcPath, "TypedError").Block(
		jen.Switch(jen.Id("kind")).Block(cases...), jen.Return(jen.Nil())))
	cases = nil
	for _, code := range codes {
		if len(kinds[code]) == 1 {
			cases = append(cases, jen.Case(jen.Lit(code)).Block(jen.Return(jen.Id(kindName(kinds[code][0])))))
		}
	}
	s.decl("kindOf is the only kind with a code; empty if there is none, or more than one.",
		jen.Func().Id("kindOf").Params(jen.Id("code").Int()).String().Block(
			jen.Switch(jen.Id("code")).Block(cases...), jen.Return(jen.Lit(""))))
}

// emitError writes an error's type and what it says about itself.
func (g *gen) emitError(s *source, e *model.Error) {
	name := errorName(e)
	fields := g.errorFields(e)
	var code []jen.Code
	add := func(doc string, field jen.Code) {
		if len(code) > 0 {
			code = append(code, jen.Line())
		}
		code = append(append(code, comments(doc)...), field)
	}
	own := "the kind's own words"
	if e.Says != "" {
		own = "what the protocol says"
	}
	add("Message is for people; empty: "+own+".", jen.Id("Message").String())
	add("Legacy is the message for peers that never negotiated; empty: see LegacyText.", jen.Id("Legacy").String())
	add("Err is what it came from, for errors.Is and errors.As. It never leaves the process.", jen.Id("Err").Error())
	for _, f := range fields {
		add(g.memberDoc(f), jen.Id(f.Name).Add(g.fieldType(f)))
	}
	code = append(code, g.extraField(true)...)
	doc := strings.TrimSpace(e.Doc.EN)
	if doc == "" {
		doc = name + " is the error " + e.Kind + "."
	} else if rest, ok := strings.CutPrefix(doc, e.Var); ok {
		doc = name + rest
	}
	if e.At == model.Client {
		doc += "\n\nA client finds it; it never travels."
	}
	s.decl(doc, jen.Type().Id(name).Struct(code...))

	message := []jen.Code{jen.If(jen.Id("v").Dot("Message").Op("!=").Lit("")).Block(jen.Return(jen.Id("v").Dot("Message")))}
	s.decl("", on(name).Id("Error").Params().String().Block(append(message, g.errorText(e)...)...))
	method := func(receiver *jen.Statement, method string, result, value jen.Code) jen.Code {
		return jen.Func().Params(receiver).Id(method).Params().Add(result, oneLine(jen.Return(value)))
	}
	pointer := jen.Op("*").Id(name)
	s.decl("",
		method(pointer, "Kind", jen.String(), jen.Id(kindName(e))),
		method(pointer, "Code", jen.Int(), jen.Lit(e.Code)),
		method(pointer, "Retry", jen.Qual(contractPath, "Retry"), retry(e.Retry)),
		method(jen.Id("v").Add(pointer), "Unwrap", jen.Error(), jen.Id("v").Dot("Err")))
	g.emitLegacyText(s, e, name)
}

func retry(class string) jen.Code {
	switch class {
	case model.RetryNever:
		return jen.Qual(contractPath, "Never")
	case model.RetrySameKey:
		return jen.Qual(contractPath, "SameKey")
	case model.RetryAfter:
		return jen.Qual(contractPath, "After")
	case model.RetryReload:
		return jen.Qual(contractPath, "Reload")
	}
	return jen.Lit(class)
}

// errorText are the statements that return the default message: what the
// declaration says, or the kind's own words.
func (g *gen) errorText(e *model.Error) []jen.Code {
	about := func(says jen.Code) jen.Code {
		if m := g.scopeMember(); m != nil && !strings.Contains(e.Says, "{"+m.Wire+"}") {
			says = jen.Id("errorText").Call(says, jen.Id("v").Dot(m.Name))
		}
		return jen.Return(says)
	}
	words := about(jen.Lit(strings.ReplaceAll(e.Kind, "-", " ")))
	if e.Says == "" {
		return []jen.Code{words}
	}
	says, needs := g.legacyText(e, e.Says)
	if len(needs) == 0 {
		return []jen.Code{about(says)}
	}
	cond := jen.Add(needs[0])
	for _, n := range needs[1:] {
		cond = cond.Op("&&").Add(n)
	}
	return []jen.Code{jen.If(cond).Block(about(says)), words}
}

// scopeMember is the member of every error's data that names what it is about:
// the id of the outermost scope, under the name that messages give it. Nil if
// there is no scope.
func (g *gen) scopeMember() *model.Field {
	i := slices.IndexFunc(g.p.Scopes, func(s *model.Scope) bool { return s.Parent == "" })
	if i < 0 {
		return nil
	}
	scope := g.p.Scopes[i]
	count := map[string]int{}
	best := ""
	vote := func(in *model.Within) {
		if in == nil || in.Scope != scope.Name || strings.Contains(in.Key, ".") {
			return
		}
		if count[in.Key]++; best == "" || count[in.Key] > count[best] {
			best = in.Key
		}
	}
	for _, m := range g.p.Methods {
		vote(m.In)
	}
	for _, n := range g.p.Notifications {
		vote(n.In)
	}
	if best == "" {
		return nil
	}
	return &model.Field{
		Name: exported(best), Wire: best, Presence: model.OmitZero,
		Type: &model.Ref{Kind: model.RefNamed, Name: scope.Key},
		Doc:  model.Text{EN: "What it is about; empty: no " + scope.Name},
	}
}

// errorFields are the members of an error's data, the scope's id first.
func (g *gen) errorFields(e *model.Error) []*model.Field {
	fields := e.Data
	if m := g.scopeMember(); m != nil && !slices.ContainsFunc(fields, func(f *model.Field) bool { return f.Wire == m.Wire }) {
		fields = append([]*model.Field{m}, fields...)
	}
	for _, f := range fields {
		switch f.Name {
		case "Message", "Legacy", "Err", "Error", "Kind", "Code", "Retry", "Unwrap", "Extra", "LegacyText", "AppendData":
			g.problems.Add(f.Pos, "the Go name %s of a member of error %s is taken by what every error has: rename it", f.Name, e.Kind)
		}
		g.checkField(errorName(e), f)
	}
	return fields
}

// emitErrorData writes the codec of an error's data.
func (g *gen) emitErrorData(s *source, e *model.Error) {
	name, fields := errorName(e), g.errorFields(e)
	w := &writer{}
	w.literal("{" + key("kind") + string(codec.AppendString(nil, e.Kind)))
	w.sure = true
	rest := fields
	if m := g.scopeMember(); m != nil && len(fields) > 0 && fields[0].Wire == m.Wire {
		g.appendField(w, fields[0])
		rest = fields[1:]
	}
	w.literal("," + key("retry") + string(codec.AppendString(nil, e.Retry)))
	for _, f := range rest {
		g.appendField(w, f)
	}
	if g.keeps() {
		w.statement(jen.Id("b").Op("=").Qual(codecPath, "AppendExtra").Call(jen.Id("b"), jen.Id("v").Dot("Extra")))
	}
	if w.text != "" {
		w.literal("}")
		w.code = append(w.code, jen.Return(jen.Append(jen.Id("b"), jen.Add(text(w.text)).Op("..."))))
	} else {
		w.code = append(w.code, jen.Return(jen.Append(jen.Id("b"), jen.LitRune('}'))))
	}
	rows := []jen.Code{jen.Line().Qual(codecPath, "Ignored").Call(jen.Lit("kind")), jen.Line().Qual(codecPath, "Ignored").Call(jen.Lit("retry"))}
	for _, f := range fields {
		rows = append(rows, jen.Line().Qual(codecPath, g.presence(f)).Call(jen.Lit(f.Wire)))
	}
	s.decl("", jen.Var().Id(members(name)).Op("=").Qual(codecPath, "NewMembers").Call(append(rows, jen.Line())...))
	for _, f := range fields {
		if f.Pattern != "" {
			s.decl("", jen.Var().Id(form(name, f.Name)).Op("=").Qual("regexp", "MustCompile").Call(text(f.Pattern)))
		}
	}
	receiver := on(name)
	if len(w.code) == 1 {
		receiver = jen.Func().Params(jen.Op("*").Id(name))
	}
	s.decl("AppendData writes the data member of the error.",
		receiver.Id("AppendData").Params(jen.Id("b").Index().Byte()).Index().Byte().Block(w.code...))
	receiver = on(name)
	if len(fields) == 0 && !g.keeps() {
		receiver = jen.Func().Params(jen.Op("*").Id(name))
	}
	s.decl("", receiver.Id("DecodeData").Params(decoder()).Block(g.decodeLoop(name, fields, nil, nil)))
}

var placeholder = regexp.MustCompile(`\{([A-Za-z0-9_]+)\}`)

// emitLegacyText writes the method that gives the text for peers that never
// negotiated: the last of the declared ones whose members are all there.
func (g *gen) emitLegacyText(s *source, e *model.Error, name string) {
	body := []jen.Code{
		jen.If(jen.Id("v").Dot("Legacy").Op("!=").Lit("")).Block(jen.Return(jen.Id("v").Dot("Legacy"))),
	}
	ended := false
	for i := len(e.Legacy) - 1; i >= 0 && !ended; i-- {
		message, needs := g.legacyText(e, e.Legacy[i])
		if len(needs) == 0 || i == 0 {
			body = append(body, jen.Return(message))
			ended = true
			continue
		}
		cond := jen.Add(needs[0])
		for _, n := range needs[1:] {
			cond = cond.Op("&&").Add(n)
		}
		body = append(body, jen.If(cond).Block(jen.Return(message)))
	}
	if !ended {
		body = append(body, jen.Return(jen.Id("v").Dot("Error").Call()))
	}
	s.decl("LegacyText is the message for peers that never negotiated.",
		on(name).Id("LegacyText").Params().String().Block(body...))
}

// legacyText is one text with its members put in, and what must hold for them
// to be there.
func (g *gen) legacyText(e *model.Error, template string) (message jen.Code, needs []jen.Code) {
	return g.legacyTextOf("v", e, template)
}

// legacyTextOf is legacyText for an error in a variable.
func (g *gen) legacyTextOf(variable string, e *model.Error, template string) (message jen.Code, needs []jen.Code) {
	fields := g.errorFields(e)
	sum := jen.Null()
	add := func(part jen.Code) {
		if len(*sum) > 1 {
			sum = sum.Op("+")
		}
		sum = sum.Add(part)
	}
	at := 0
	for _, m := range placeholder.FindAllStringSubmatchIndex(template, -1) {
		if m[0] > at {
			add(text(template[at:m[0]]))
		}
		at = m[1]
		wire := template[m[2]:m[3]]
		i := slices.IndexFunc(fields, func(f *model.Field) bool { return f.Wire == wire })
		if i < 0 {
			g.problems.Add(e.Pos, "the text %q of error %s names {%s}, which is no member of its data", template, e.Kind, wire)
			continue
		}
		f := fields[i]
		value := jen.Id(variable).Dot(f.Name)
		if g.isPointer(f) {
			needs = append(needs, jen.Add(value).Op("!=").Nil())
			value = jen.Op("*").Add(value)
		} else if f.Presence == model.OmitZero && wire != scopeWire(g) {
			needs = append(needs, jen.Add(value).Op("!=").Add(g.zero(f.Type)))
		}
		add(g.shown(e, f, value))
	}
	if at < len(template) {
		add(text(template[at:]))
	}
	return sum, needs
}

func scopeWire(g *gen) string {
	if m := g.scopeMember(); m != nil {
		return m.Wire
	}
	return ""
}

// shown is a member as text within a message.
func (g *gen) shown(e *model.Error, f *model.Field, value jen.Code) jen.Code {
	switch under := g.under(f.Type); {
	case under.Kind == model.RefString || g.kind(f.Type) == enumKind && !g.integral(f.Type):
		if f.Type.Kind == model.RefNamed {
			return jen.String().Call(value)
		}
		return value
	case under.Kind == model.RefInt || g.integral(f.Type):
		if f.Type.Kind == model.RefNamed {
			value = jen.Int64().Call(value)
		}
		return jen.Qual("strconv", "FormatInt").Call(value, jen.Lit(10))
	case under.Kind == model.RefList && g.under(under.Elem).Kind == model.RefInt && !g.isPointer(f):
		return jen.Qual(contractPath, "Listed").Call(value)
	}
	g.problems.Add(e.Pos, "a text of error %s names {%s}, which is neither a string nor an integer, nor a list of these", e.Kind, f.Wire)
	return jen.Lit("")
}
