// SPDX-License-Identifier: Apache-2.0

package emittest

import "github.com/accordkit/accord/spec/model"

// Everything is a protocol that uses each form of payload, the odd ones too. It
// means nothing.
func Everything(unknown string) *model.Protocol {
	at := func(file string, line int) model.Pos { return model.Pos{File: file, Line: line, Col: 1} }
	name := func(n string) *model.Ref { return &model.Ref{Kind: model.RefNamed, Name: n} }
	list := func(r *model.Ref) *model.Ref { return &model.Ref{Kind: model.RefList, Elem: r} }
	dict := func(r *model.Ref) *model.Ref { return &model.Ref{Kind: model.RefMap, Elem: r} }
	basic := func(kind string) *model.Ref { return &model.Ref{Kind: kind} }
	str, integer, boolean, float, raw, blob := basic(model.RefString), basic(model.RefInt), basic(model.RefBool), basic(model.RefFloat), basic(model.RefRaw), basic(model.RefBytes)
	wide := &model.Ref{Kind: model.RefInt, Wide: true}
	field := func(goName, wire string, r *model.Ref, presence string) *model.Field {
		return &model.Field{Name: goName, Wire: wire, Type: r, Presence: presence, Doc: model.Text{EN: goName + " is a member"}}
	}
	doc := func(s string) model.Text { return model.Text{EN: s, ZH: "中文"} }
	n64 := func(n int64) *int64 { return &n }
	n := func(n int) *int { return &n }

	level := field("Level", "level", name("Level"), model.OmitZero)
	level.Min, level.Max = n64(-3), n64(3)
	code := field("Code", "code", name("Code"), model.Optional)
	code.Pattern, code.MaxLength = "^[A-Z`]{2,}$", n(8)
	few := field("Few", "few", list(str), model.Optional)
	few.MinLength, few.MaxLength = n(1), n(3)
	shared := field("Shared", "shared", name("Code"), model.OmitZero)
	shared.Intern = true
	grade := field("ZeroGrade", "zeroGrade", name("Grade"), model.OmitZero)
	grade.Min, grade.Max = n64(-1), n64(500)
	sureFew := field("SureFew", "sureFew", list(str), model.OrNull)
	sureFew.MinLength = n(1)
	lonely := field("Pointer", "pointer", name("Point"), model.Optional)

	scalars := []*model.Field{
		field("Text", "text", str, model.Required), field("Flag", "flag", boolean, model.Required),
		field("Count", "count", integer, model.Required), field("Big", "big", wide, model.Required),
		field("Ratio", "ratio", float, model.Required), field("Any", "any", raw, model.Required), field("Blob", "blob", blob, model.Required),
		field("Mood", "mood", name("Mood"), model.Required), level, code, shared,
		field("MaybeFlag", "maybeFlag", boolean, model.Optional), field("MaybeMood", "maybeMood", name("Mood"), model.Optional),
		field("MaybeBig", "maybeBig", wide, model.Optional), field("MaybeRatio", "maybeRatio", float, model.OmitZero),
		field("MaybeAny", "maybeAny", raw, model.Optional), field("MaybeBlob", "maybeBlob", blob, model.Optional),
		field("Sure", "sure", name("Sure"), model.OmitZero), field("Weight", "weight", name("Weight"), model.OmitZero),
		field("Grade", "grade", name("Grade"), model.Required), field("MaybeGrade", "maybeGrade", name("Grade"), model.Optional), grade,
		field("Verdict", "verdict", name("Verdict"), model.Required), field("ZeroVerdict", "zeroVerdict", name("Verdict"), model.OmitZero),
	}
	lists := []*model.Field{
		few, field("Words", "words", list(str), model.Required), field("Codes", "codes", list(name("Code")), model.Required),
		field("Numbers", "numbers", list(integer), model.Required), field("Bigs", "bigs", list(wide), model.Required),
		field("Levels", "levels", list(name("Level")), model.Required), field("Moods", "moods", list(name("Mood")), model.Required),
		field("Points", "points", list(name("Point")), model.Required), field("Shapes", "shapes", list(name("Shape")), model.Required),
		field("Grid", "grid", list(list(integer)), model.Required), field("Raws", "raws", list(raw), model.Required),
		field("Row", "row", name("Row"), model.Required), field("Rows", "rows", list(name("Row")), model.Optional),
		field("ByName", "byName", dict(name("Point")), model.Required), field("Ratios", "ratios", dict(float), model.Optional),
		field("Flags", "flags", list(boolean), model.Optional), field("Blobs", "blobs", list(blob), model.Optional),
		field("Weights", "weights", list(name("Weight")), model.Optional), field("ShapeMap", "shapeMap", dict(list(name("Shape"))), model.Optional),
		field("Events", "events", list(name("Event")), model.Optional), field("Grades", "grades", list(name("Grade")), model.Optional),
		field("Verdicts", "verdicts", dict(name("Verdict")), model.Optional),
	}
	nullables := []*model.Field{
		field("Text", "text", str, model.Nullable), field("Count", "count", integer, model.Nullable), field("Big", "big", wide, model.Nullable),
		field("Point", "point", name("Point"), model.Nullable), field("Mood", "mood", name("Mood"), model.Nullable),
		field("Shape", "shape", name("Shape"), model.Nullable), field("List", "list", list(name("Point")), model.Nullable),
		field("Code", "code", name("Code"), model.Nullable), field("Level", "level", name("Level"), model.Nullable), field("Grade", "grade", name("Grade"), model.Nullable),
		field("SureText", "sureText", str, model.OrNull), field("SureCode", "sureCode", name("Code"), model.OrNull), field("SurePoint", "surePoint", name("Point"), model.OrNull),
		field("SureMood", "sureMood", name("Mood"), model.OrNull), field("SureShape", "sureShape", name("Shape"), model.OrNull), sureFew,
	}
	p := &model.Protocol{
		Format: model.Format, Name: "every-thing", Package: "example.com/everything", Var: "Everything", UnknownMembers: unknown,
		Doc: doc("Everything is a protocol that means nothing.\n\nIt has:\n  - a list\n  - that stays as it is, however long the lines of it may become in the course of time"),
		Types: []*model.Type{
			{Name: "Code", Kind: model.KindNamed, Of: str, Doc: doc("Code is a code."), Pos: at("ids.go", 1)},
			{Name: "Level", Kind: model.KindNamed, Of: integer, Doc: doc("Level is a level."), Pos: at("ids.go", 2)},
			{Name: "Sure", Kind: model.KindNamed, Of: boolean, Pos: at("ids.go", 3)},
			{Name: "Weight", Kind: model.KindNamed, Of: float, Pos: at("ids.go", 4)},
			{Name: "Row", Kind: model.KindNamed, Of: list(name("Level")), Doc: doc("Row is levels."), Pos: at("ids.go", 5)},
			{
				Name: "Mood", Kind: model.KindEnum, Doc: doc("Mood is open."), Pos: at("types_scalar.go", 1),
				Enum: &model.Enum{Values: []*model.EnumValue{{Name: "MoodGood", Wire: "good", Doc: doc("Good")}, {Name: "MoodOdd", Wire: `o"dd`}}},
			},
			{
				Name: "Grade", Kind: model.KindEnum, Doc: doc("Grade is a number."), Pos: at("types_scalar.go", 2),
				Enum: &model.Enum{Integer: true, Values: []*model.EnumValue{{Name: "GradeNone", Wire: "0"}, {Name: "GradeLow", Wire: "-1", Doc: doc("Low")}, {Name: "GradeHigh", Wire: "200"}}},
			},
			{
				Name: "Verdict", Kind: model.KindEnum, Doc: doc("Verdict is one of two numbers."), Pos: at("types_scalar.go", 2),
				Enum: &model.Enum{Integer: true, Closed: true, Values: []*model.EnumValue{{Name: "VerdictYes", Wire: "1"}, {Name: "VerdictNo", Wire: "2"}}},
			},
			{Name: "Empty", Kind: model.KindStruct, Pos: at("types_scalar.go", 2)},
			{Name: "Scalars", Kind: model.KindStruct, Fields: scalars, Pos: at("types_scalar.go", 3)},
			{Name: "Nullables", Kind: model.KindStruct, Fields: nullables, Pos: at("types_scalar.go", 4)},
			{Name: "Lists", Kind: model.KindStruct, Fields: lists, Pos: at("types_list.go", 1)},
			{Name: "Point", Kind: model.KindStruct, Pos: at("types_list.go", 2), Fields: []*model.Field{
				field("X", "x", integer, model.OmitZero), field("Y", "y", integer, model.Required), lonely,
			}},
			{Name: "Odd", Kind: model.KindStruct, Pos: at("errors.go", 1), Fields: []*model.Field{
				field("Quote", `a"b\c`, str, model.Required), field("Tick", "a`b", str, model.OmitZero), field("Type", "type", str, model.OmitZero), field("Han", "汉字", boolean, model.OmitZero),
			}},
			{
				Name: "Shape", Kind: model.KindUnion, Doc: doc("Shape is a shape."), Pos: at("union.go", 1),
				Union: &model.Union{Tag: "shape", Variants: []*model.Variant{
					{Name: "Dot", Wire: "dot", Type: "DotShape", Doc: doc("A dot"), Pos: at("union.go", 2), Since: "2"},
					{Name: "Group", Wire: `gr"oup`, Type: "GroupShape", Pos: at("union.go", 3)},
				}},
			},
			{Name: "DotShape", Kind: model.KindStruct, Pos: at("union.go", 10)},
			{Name: "GroupShape", Kind: model.KindStruct, Pos: at("union.go", 11), Fields: []*model.Field{
				field("Label", "label", str, model.OmitZero), field("Members", "members", list(name("Shape")), model.Required), field("First", "first", name("Shape"), model.Optional),
			}},
			{
				Name: "Event", Kind: model.KindUnion, Doc: doc("Event is an event."), Pos: at("union.go", 20),
				Fields: []*model.Field{
					{Name: "Seq", Wire: "seq", Type: integer, Presence: model.Required, Pos: at("union.go", 21)},
					{Name: "Note", Wire: "note", Type: str, Presence: model.Optional, Pos: at("union.go", 25)},
				},
				Union: &model.Union{Tag: "event-type", Content: "body", Before: 1, Variants: []*model.Variant{
					{Name: "Begin", Wire: "begin", Type: "BeginBody", Doc: doc("It begins"), Pos: at("union.go", 22)},
					{Name: "End", Wire: "end", Type: "EndBody", Doc: doc("It ends"), Pos: at("union.go", 23), OffWire: true},
				}},
			},
			{Name: "BeginBody", Kind: model.KindStruct, Pos: at("union.go", 30), Fields: []*model.Field{field("Shape", "shape", name("Shape"), model.Required)}},
			{Name: "EndBody", Kind: model.KindStruct, Pos: at("union.go", 31), Fields: []*model.Field{field("Why", "why", str, model.Required)}},
			{
				Name: "Token", Kind: model.KindUnion, Doc: doc("Token is a number or a code."), Pos: at("shape.go", 1),
				Union: &model.Union{Variants: []*model.Variant{
					{Name: "Number", Wire: "number", Of: integer, Doc: doc("Number counts"), Pos: at("shape.go", 2)},
					{Name: "Code", Wire: "code", Of: name("Code"), Pos: at("shape.go", 3)},
				}},
			},
			{
				Name: "Pick", Kind: model.KindUnion, Doc: doc("Pick is nearly anything."), Pos: at("shape.go", 10),
				Union: &model.Union{Variants: []*model.Variant{
					{Name: "Sure", Wire: "sure", Of: name("Sure"), Pos: at("shape.go", 11)},
					{Name: "Grade", Wire: "grade", Of: name("Grade"), Pos: at("shape.go", 12)},
					{Name: "Points", Wire: "points", Of: list(name("Point")), Pos: at("shape.go", 13)},
					{Name: "Run", Wire: "run", Of: name("Run"), Doc: doc("It runs"), Pos: at("shape.go", 14)},
					{Name: "Blank", Wire: "blank", Of: name("Blank"), Pos: at("shape.go", 15)},
					{Name: "Fix", Wire: "fix", Of: name("Fix"), Pos: at("shape.go", 16)},
				}},
			},
			{
				Name: "Notes", Kind: model.KindUnion, Pos: at("shape.go", 20),
				Union: &model.Union{Variants: []*model.Variant{
					{Name: "Blob", Wire: "blob", Of: blob, Pos: at("shape.go", 21)},
					{Name: "Ratio", Wire: "ratio", Of: float, Pos: at("shape.go", 22)},
					{Name: "Row", Wire: "row", Of: name("Row"), Pos: at("shape.go", 23)},
					{Name: "ByName", Wire: "byName", Of: dict(list(str)), Pos: at("shape.go", 24)},
				}},
			},
			{Name: "Run", Kind: model.KindStruct, Pos: at("shape.go", 30), Fields: []*model.Field{
				field("Title", "title", str, model.Required), field("Do", "do", str, model.OrNull), field("With", "with", list(raw), model.Optional),
			}},
			{Name: "Blank", Kind: model.KindStruct, Pos: at("shape.go", 31), Fields: []*model.Field{
				field("Title", "title", str, model.Required), field("Blank", "blank", boolean, model.Required), field("Do", "do", integer, model.Required),
			}},
			{Name: "Fix", Kind: model.KindStruct, Pos: at("shape.go", 32), Fields: []*model.Field{
				field("Title", "title", str, model.Required), field("Do", "do", name("Run"), model.Required), field("Next", "next", name("Pick"), model.Optional),
			}},
			{Name: "Choices", Kind: model.KindStruct, Pos: at("shape.go", 40), Fields: []*model.Field{
				field("Token", "token", name("Token"), model.Required), field("MaybeToken", "maybeToken", name("Token"), model.Optional),
				field("Pick", "pick", name("Pick"), model.OmitZero), field("Picks", "picks", list(name("Pick")), model.Optional),
				field("NullPick", "nullPick", name("Pick"), model.Nullable), field("SureToken", "sureToken", name("Token"), model.OrNull),
				field("Tokens", "tokens", dict(name("Token")), model.Optional), field("Notes", "notes", name("Notes"), model.Optional),
			}},
			{
				Name: "Bare", Kind: model.KindUnion, Pos: at("union.go", 40),
				Union: &model.Union{Tag: "kind", Content: "of", Variants: nil},
			},
		},
		Errors: []*model.Error{
			{
				Kind: "too-many", Var: "ErrTooMany", Code: 1, Retry: model.RetryAfter, Doc: doc("ErrTooMany is too many."),
				Data: []*model.Field{
					field("Limit", "limit", integer, model.Required), field("Where", "where", str, model.OmitZero), field("At", "at", integer, model.Optional),
					field("Owner", "owner", name("Point"), model.Optional),
				},
				Says:   "there are more than {limit} at {where}: send fewer",
				Legacy: []string{"more than {limit}", "more than {limit} in {where}, at {at}"},
			},
			{Kind: "lost", Var: "LostError", Code: 2, Retry: model.RetryReload, At: model.Client},
		},
	}
	return p
}
