// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/accordkit/accord/generator/emit/golang"
	"github.com/accordkit/accord/generator/emit/jsonschema"
	"github.com/accordkit/accord/generator/emit/markdown"
	"github.com/accordkit/accord/generator/emit/openrpc"
	"github.com/accordkit/accord/generator/emit/vectors"
	"github.com/accordkit/accord/spec/model"
)

// Target is one kind of output.
type Target struct {
	Name  string
	About model.Text
	Takes []string // members of a setting that it needs, in the order of the documents
	May   []string // members that it may have
	emit  func(s Setting, m *model.Protocol) ([]File, error)
}

// Targets lists what can be generated, in the order of the documents.
func Targets() []Target {
	return []Target{
		{
			Name: "go", Takes: []string{"dir"},
			About: model.Text{
				EN: "Go: what both sides share, payload types, their codecs, options of calls and typed errors.",
				ZH: "Go：两端共用的部分，即载荷类型及其编解码、调用选项与带类型的错误。",
			},
			emit: goFiles(golang.Payloads),
		},
		{
			Name: "go-server", Takes: []string{"dir", "package"},
			About: model.Text{
				EN: "Go: the server's interface and its dispatch. \"package\" is the import path of the package of target go.",
				ZH: "Go：服务端接口及其分派。\"package\" 为目标 go 所生成的包的导入路径。",
			},
			emit: func(s Setting, m *model.Protocol) ([]File, error) {
				server := func(m *model.Protocol) ([]golang.File, error) { return golang.Server(m, s.Package) }
				return goFiles(server)(s, m)
			},
		},
		{
			Name: "go-client", Takes: []string{"dir", "package"}, May: []string{"names"},
			About: model.Text{
				EN: "Go: the typed client. \"package\" is the import path of the package of target go. \"names\" are of methods, by wire name, and of members of its Options, as in \"initialize.cwd\".",
				ZH: "Go：带类型的客户端。\"package\" 为目标 go 所生成的包的导入路径。\"names\" 以协议中的名称指定方法名，以 \"initialize.cwd\" 的形式指定其 Options 的成员名。",
			},
			emit: func(s Setting, m *model.Protocol) ([]File, error) {
				client := func(m *model.Protocol) ([]golang.File, error) {
					return golang.Client(m, golang.ClientOptions{Payloads: s.Package, Names: s.Names})
				}
				return goFiles(client)(s, m)
			},
		},
		{
			Name: "go-tests", Takes: []string{"dir"},
			About: model.Text{
				EN: "Go: a test in the folder of target go that plays the golden vectors of its testdata/vectors.json, and fuzzes the codecs.",
				ZH: "Go：目标 go 的目录中的测试，逐一检验其 testdata/vectors.json 中的基准向量，并对编解码进行模糊测试。",
			},
			emit: goFiles(golang.Tests),
		},
		{
			Name: "vectors", Takes: []string{"file"},
			About: model.Text{
				EN: "JSON: golden vectors, what the codecs of any language must read, write and refuse, and every example as a frame.",
				ZH: "JSON：基准向量，即任何语言的编解码必须读取、写出与拒绝的文本，以及以帧的形式给出的所有示例。",
			},
			emit: func(s Setting, m *model.Protocol) ([]File, error) {
				data, err := vectors.EmitCodecs(m)
				return []File{{Path: s.File, Content: data}}, err
			},
		},
		{
			Name: "json-schema", Takes: []string{"file"},
			About: model.Text{EN: "JSON Schema: one bundle of all messages and types.", ZH: "JSON Schema：包含所有消息和类型的一个文件。"},
			emit: func(s Setting, m *model.Protocol) ([]File, error) {
				data, err := jsonschema.Emit(m)
				return []File{{Path: s.File, Content: data}}, err
			},
		},
		{
			Name: "openrpc", Takes: []string{"file"},
			About: model.Text{
				EN: "OpenRPC 1.4: one document of all methods and notifications; what OpenRPC has no word for stands in x- members.",
				ZH: "OpenRPC 1.4：包含所有方法与通知的一个文档；OpenRPC 无法表达的内容放在 x- 成员中。",
			},
			emit: func(s Setting, m *model.Protocol) ([]File, error) {
				data, err := openrpc.Emit(m)
				return []File{{Path: s.File, Content: data}}, err
			},
		},
		{
			Name: "machine-rows", Takes: []string{"file"},
			About: model.Text{
				EN: "JSON: what each method answers and changes in each state of the protocol's machines, as rows that any implementation can be tested with.",
				ZH: "JSON：每个方法在协议各状态机的每种状态下的应答与变化，以行的形式给出，可用于测试任何实现。",
			},
			emit: func(s Setting, m *model.Protocol) ([]File, error) {
				data, err := vectors.Rows(m)
				return []File{{Path: s.File, Content: data}}, err
			},
		},
		{
			Name: "reference", Takes: []string{"file", "lang"}, May: []string{"other"},
			About: model.Text{EN: "Markdown: the reference page in one language.", ZH: "Markdown：一种语言的参考页面。"},
			emit: func(s Setting, m *model.Protocol) ([]File, error) {
				text := markdown.Reference(m, markdown.Lang(s.Lang), s.Other)
				return []File{{Path: s.File, Content: []byte(text)}}, nil
			},
		},
		{
			Name: "tables", Takes: []string{"file", "lang"},
			About: model.Text{
				EN: "Markdown: tables between markers in a page that people write.",
				ZH: "Markdown：写入人工页面中标记之间的表格。",
			},
			emit: func(s Setting, m *model.Protocol) ([]File, error) {
				var out []File
				for _, r := range markdown.Regions(m, markdown.Lang(s.Lang)) {
					out = append(out, File{Path: s.File, Region: r.Name, Content: []byte(r.Text)})
				}
				return out, nil
			},
		},
	}
}

// goFiles adapts an emitter of one Go package.
func goFiles(emit func(*model.Protocol) ([]golang.File, error)) func(Setting, *model.Protocol) ([]File, error) {
	return func(s Setting, m *model.Protocol) ([]File, error) {
		files, err := emit(m)
		var out []File
		for _, f := range files {
			if !filepath.IsLocal(f.Name) {
				return nil, fmt.Errorf("the generated name %q is not within its folder", f.Name)
			}
			out = append(out, File{Path: path.Join(s.Dir, f.Name), Content: f.Data})
		}
		return out, err
	}
}

// Emitters makes the emitters that a configuration asks for, or says, for each
// wrong setting, what is wrong with it.
func Emitters(c *Config) ([]Emitter, error) {
	var out []Emitter
	var failed []error
	for i, s := range c.Emit {
		t, err := find(s)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: emit[%d]: %w", ConfigName, i, err))
			continue
		}
		out = append(out, emitter{t, s, c.License})
	}
	if !license.MatchString(c.License) {
		failed = append(failed, fmt.Errorf("%s: license is an SPDX expression such as \"Apache-2.0\", not %q", ConfigName, c.License))
	}
	if len(c.Emit) == 0 {
		failed = append(failed, fmt.Errorf("%s asks for nothing: list targets under \"emit\" (there are %s)", ConfigName, names()))
	}
	return out, errors.Join(failed...)
}

func find(s Setting) (Target, error) {
	all := Targets()
	i := slices.IndexFunc(all, func(t Target) bool { return t.Name == s.Target })
	if i < 0 {
		return Target{}, fmt.Errorf("there is no target %q (there are %s)", s.Target, names())
	}
	t := all[i]
	for _, m := range []struct{ name, value string }{
		{"dir", s.Dir}, {"file", s.File}, {"lang", s.Lang}, {"package", s.Package}, {"other", s.Other},
	} {
		takes, may := slices.Contains(t.Takes, m.name), slices.Contains(t.May, m.name)
		switch {
		case takes && m.value == "":
			return t, fmt.Errorf("target %s needs %q", t.Name, m.name)
		case !takes && !may && m.value != "":
			return t, fmt.Errorf("target %s has no %q", t.Name, m.name)
		}
	}
	if len(s.Names) > 0 && !slices.Contains(t.May, "names") {
		return t, fmt.Errorf("target %s has no \"names\"", t.Name)
	}
	if s.Lang != "" && s.Lang != "en" && s.Lang != "zh" {
		return t, fmt.Errorf("lang is \"en\" or \"zh\", not %q", s.Lang)
	}
	return t, nil
}

func names() string {
	var out []string
	for _, t := range Targets() {
		out = append(out, t.Name)
	}
	return strings.Join(out, ", ")
}

// license is what an SPDX expression consists of.
var license = regexp.MustCompile(`^[A-Za-z0-9.+() -]*$`)

type emitter struct {
	target  Target
	setting Setting
	license string
}

func (e emitter) Name() string { return e.target.Name }

func (e emitter) Emit(m *model.Protocol) ([]File, error) {
	files, err := e.target.emit(e.setting, m)
	for i, f := range files {
		// Generated Go begins with the line that marks it as generated.
		if head, body, ok := bytes.Cut(f.Content, []byte("\n")); ok && e.license != "" && path.Ext(f.Path) == ".go" {
			files[i].Content = slices.Concat(head, []byte("\n// SPDX-License-Identifier: "+e.license+"\n"), body)
		}
	}
	return files, err
}
