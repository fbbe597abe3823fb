// SPDX-License-Identifier: Apache-2.0

package golang_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/accordkit/accord/generator/emit/emittest/schematest"
	"github.com/accordkit/accord/generator/emit/golang"
	"github.com/accordkit/accord/generator/emit/vectors"
	"github.com/accordkit/accord/spec/model"
)

// TestRandomModels renders unlikely protocols, has the compiler read all of
// them in one run, and plays the vectors of each through its codecs and its
// schema. They lie in an overlay: nothing is written into the work tree.
func TestRandomModels(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	const models = 12
	here, err := os.Getwd()
	require.NoError(t, err)
	temp := t.TempDir()
	overlay := map[string]string{}
	args := []string{"test", "-c", "-vet=off", "-overlay", filepath.Join(temp, "overlay.json"), "-o", temp + "/"}
	for i := range models {
		p := rapid.Custom(drawModel).Example(i)
		files, err := golang.Payloads(p)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		pkg := fmt.Sprintf("random%d", i)
		schematest.Schema(t, p)
		data, err := vectors.EmitCodecs(p)
		require.NoError(t, err)
		golden := filepath.Join(temp, pkg+".json")
		require.NoError(t, os.WriteFile(golden, data, 0o600))
		tests, err := golang.Tests(p)
		require.NoError(t, err)
		for _, f := range tests {
			f.Data = bytes.ReplaceAll(f.Data, []byte(`"testdata/vectors.json"`), strconv.AppendQuote(nil, golden))
			files = append(files, f)
		}
		for _, f := range files {
			formatted, err := format.Source(f.Data)
			require.NoError(t, err)
			assert.Equal(t, string(formatted), string(f.Data))
			real := filepath.Join(temp, pkg+"_"+f.Name)
			require.NoError(t, os.WriteFile(real, f.Data, 0o600))
			overlay[filepath.Join(here, "testdata", pkg, f.Name)] = real
		}
		args = append(args, "./testdata/"+pkg)
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(temp, "overlay.json"), text, 0o600))
	out, err := exec.Command("go", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	for i := range models {
		play := exec.Command(filepath.Join(temp, fmt.Sprintf("random%d.test", i)))
		play.Dir = temp
		out, err := play.CombinedOutput()
		assert.NoError(t, err, "model %d: %s", i, out)
	}
}

// modelDraw draws one protocol.
type modelDraw struct {
	t *rapid.T
	p *model.Protocol
	n int

	tagged map[string]bool // variants with a tag, which are nothing by themselves
}

func drawModel(t *rapid.T) *model.Protocol {
	d := &modelDraw{t: t, tagged: map[string]bool{}, p: &model.Protocol{
		Format: model.Format, Name: "random", Package: "example.com/random", Doc: model.Text{EN: "Random means nothing."},
		UnknownMembers: []string{model.Kept, model.Dropped}[d2(t, 2)],
	}}
	for range d.upTo(3) {
		d.add(model.KindNamed, func(typ *model.Type) { typ.Of = d.plain() })
	}
	for range d.upTo(3) {
		d.add(model.KindEnum, func(typ *model.Type) {
			typ.Enum = &model.Enum{Closed: d.coin(), Integer: d.coin()}
			for i := range 1 + d.upTo(2) {
				wire := d.wire(i)
				if typ.Enum.Integer {
					wire = strconv.Itoa(i*7 - 7)
				}
				typ.Enum.Values = append(typ.Enum.Values, &model.EnumValue{Name: fmt.Sprintf("%sValue%d", typ.Name, i), Wire: wire, Doc: d.doc()})
			}
		})
	}
	for range 1 + d.upTo(8) {
		if d.coin() {
			d.add(model.KindStruct, func(typ *model.Type) { typ.Fields = d.fields(6) })
			continue
		}
		var variants []*model.Variant
		tag := []string{"type", "kind", "a-tag"}[d2(t, 3)]
		for i := range 1 + d.upTo(3) {
			s := d.add(model.KindStruct, func(typ *model.Type) { typ.Fields = d.fields(4) })
			d.tagged[s.Name] = true
			variants = append(variants, &model.Variant{Name: fmt.Sprintf("V%d", i), Wire: d.wire(i), Type: s.Name, Doc: d.doc(), OffWire: d.coin()})
		}
		d.add(model.KindUnion, func(typ *model.Type) {
			typ.Union = &model.Union{Tag: tag, Variants: variants}
			if d.coin() {
				typ.Union.Content = "content"
				typ.Fields = d.fields(4)
			}
		})
	}
	for range d.upTo(2) {
		d.choice()
	}
	for i := range d.upTo(3) {
		d.p.Errors = append(d.p.Errors, &model.Error{
			Kind: fmt.Sprintf("kind-%d", i), Var: fmt.Sprintf("ErrKind%d", i), Code: i, Doc: d.doc(), Data: d.fields(4),
			Retry: []string{model.RetryNever, model.RetrySameKey, model.RetryAfter, model.RetryReload}[d2(t, 4)],
			At:    []string{"", model.Client}[d2(t, 2)],
		})
	}
	return d.p
}

// choice is a union whose variants are distinguished by their shape: at most
// one of each kind but objects, each of which has a member of its own.
func (d *modelDraw) choice() {
	var variants []*model.Variant
	add := func(r *model.Ref) {
		variants = append(variants, &model.Variant{Name: fmt.Sprintf("V%d", len(variants)), Wire: d.wire(len(variants)), Of: r, Doc: d.doc()})
	}
	taken := map[model.Shape]bool{}
	for range 1 + d.upTo(4) {
		r := d.ref(1)
		shape := model.ShapeOf(d.byName(), r)
		if !shape.One() || shape == model.ObjectShape || taken[shape] || r.Kind == model.RefNamed && typeOf(d.p, r.Name).Kind == model.KindUnion {
			continue
		}
		taken[shape] = true
		add(r)
	}
	for i := range d.upTo(3) {
		s := d.add(model.KindStruct, func(typ *model.Type) {
			telling := &model.Field{Name: "Telling", Wire: fmt.Sprintf("tells-%d", i), Type: d.plain(), Presence: model.Required, Doc: d.doc()}
			if d.coin() { // one name, of several kinds
				telling.Wire, telling.Type = "tells", &model.Ref{Kind: []string{model.RefString, model.RefBool, model.RefInt}[i]}
			}
			typ.Fields = append(d.fields(3), telling)
		})
		add(&model.Ref{Kind: model.RefNamed, Name: s.Name})
	}
	if len(variants) > 1 {
		d.add(model.KindUnion, func(typ *model.Type) { typ.Union = &model.Union{Variants: variants} })
	}
}

func (d *modelDraw) byName() map[string]*model.Type {
	out := map[string]*model.Type{}
	for _, t := range d.p.Types {
		out[t.Name] = t
	}
	return out
}

func d2(t *rapid.T, n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") }

func (d *modelDraw) upTo(n int) int { return d2(d.t, n+1) }
func (d *modelDraw) coin() bool     { return rapid.Bool().Draw(d.t, "coin") }

func (d *modelDraw) doc() model.Text {
	return model.Text{EN: rapid.SampledFrom([]string{"", "A text.", "Two\nlines", "Two.\n\nParagraphs.", "*/ // \" `"}).Draw(d.t, "doc")}
}

// wire gives names that are apart by their number.
func (d *modelDraw) wire(i int) string {
	return rapid.SampledFrom([]string{"name", "a/b", `quo"te`, "tick`", "汉", "back\\slash", "type"}).Draw(d.t, "wire") + fmt.Sprint(i)
}

func (d *modelDraw) add(kind string, fill func(*model.Type)) *model.Type {
	d.n++
	base := rapid.SampledFrom([]string{"Type", "Func", "ID", "URLPart", "Range", "String", "Codec", "Decoder", "Extra", "D", "V", "B"}).Draw(d.t, "name")
	t := &model.Type{Name: fmt.Sprintf("%s%d", base, d.n), Kind: kind, Doc: d.doc(), Pos: model.Pos{File: fmt.Sprintf("types_%d.go", d.n%3), Line: d.n}}
	fill(t)
	d.p.Types = append(d.p.Types, t)
	return t
}

// plain is a type that is not declared.
func (d *modelDraw) plain() *model.Ref {
	kind := rapid.SampledFrom([]string{model.RefString, model.RefBool, model.RefInt, model.RefFloat}).Draw(d.t, "kind")
	return &model.Ref{Kind: kind, Wide: kind == model.RefInt && d.coin()}
}

// ref is any type, declared ones among them: only those before, so that no
// struct holds itself.
func (d *modelDraw) ref(depth int) *model.Ref {
	switch n := d.upTo(6); {
	case n < 2 && len(d.p.Types) > 0:
		if name := d.p.Types[d2(d.t, len(d.p.Types))].Name; !d.tagged[name] {
			return &model.Ref{Kind: model.RefNamed, Name: name}
		}
	case n == 2 && depth < 2:
		return &model.Ref{Kind: model.RefList, Elem: d.ref(depth + 1)}
	case n == 3 && depth < 2:
		return &model.Ref{Kind: model.RefMap, Elem: d.ref(depth + 1)}
	case n == 4:
		return &model.Ref{Kind: model.RefRaw}
	case n == 5:
		return &model.Ref{Kind: model.RefBytes}
	}
	return d.plain()
}

func (d *modelDraw) fields(most int) []*model.Field {
	var list []*model.Field
	for i := range d.upTo(most) {
		f := &model.Field{
			Name: fmt.Sprintf("Field%d", i), Wire: d.wire(i), Type: d.ref(0), Doc: d.doc(), Intern: d.coin(), Pos: model.Pos{File: "f.go", Line: i + 1},
			Presence: rapid.SampledFrom([]string{model.Required, model.Optional, model.OmitZero, model.Nullable, model.OrNull}).Draw(d.t, "presence"),
		}
		if f.Presence == model.OmitZero && d.isStruct(f.Type) {
			f.Presence = model.Optional
		}
		d.bound(f)
		list = append(list, f)
	}
	return list
}

func (d *modelDraw) isStruct(r *model.Ref) bool {
	t := typeOf(d.p, r.Name)
	return r.Kind == model.RefNamed && (t.Kind == model.KindStruct || t.Kind == model.KindUnion)
}

// bound gives a member bounds that its type can have.
func (d *modelDraw) bound(f *model.Field) {
	kind := f.Type.Kind
	if t := typeOf(d.p, f.Type.Name); kind == model.RefNamed && t.Kind == model.KindNamed {
		kind = t.Of.Kind
	}
	if !d.coin() {
		return
	}
	switch kind {
	case model.RefInt:
		f.Min = new(int64(d.upTo(5)))
	case model.RefString:
		f.MaxLength, f.Pattern = new(1+d.upTo(4)), "^a*$"
	case model.RefList, model.RefMap:
		f.MinLength = new(d.upTo(2))
	}
}
