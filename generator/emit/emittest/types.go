// SPDX-License-Identifier: Apache-2.0

package emittest

import "github.com/accordkit/accord/spec/model"

func types() []*model.Type {
	key := member("Key", "key", str(), model.Optional)
	key.MinLength, key.MaxLength = number(1), number(255)
	copies := member("Copies", "copies", integer(), model.OmitZero)
	copies.Min, copies.Max = number(int64(1)), number(int64(99))
	copies.Default = &model.Default{Value: "1"}
	pages := member("Pages", "pages", list(named("Page")), model.Required)
	pages.MinLength = number(1)
	pages.Sensitive = true
	colour := member("Colour", "colour", named("Colour"), model.OmitZero)
	colour.Default = &model.Default{Value: "black", When: []model.Cond{{Member: "copies", Present: true, Value: "grey"}}}
	owner := member("Owner", "owner", str(), model.Nullable)
	owner.Pattern = "^[a-z<>&]*$"
	return []*model.Type{
		{Name: "TrayID", Kind: model.KindNamed, Of: str(), Doc: text("TrayID names a tray.", "TrayID 是纸盒的名称。")},
		{Name: "JobID", Kind: model.KindNamed, Of: str(), Doc: text("JobID names a job.", "JobID 是任务的名称。")},
		object("HelloParams", member("Version", "version", integer(), model.Optional), member("Offers", "offers", named("Offers"), model.Optional)),
		object("HelloResult", member("Version", "version", integer(), model.Optional), member("Offers", "offers", named("Offers"), model.Optional)),
		object("Offers", member("Stop", "stop", &model.Ref{Kind: model.RefBool}, model.OmitZero)),
		object("PrintParams", member("TrayID", "trayId", named("TrayID"), model.Required), pages, key, copies, colour, owner,
			member("Meta", "_meta", &model.Ref{Kind: model.RefMap, Elem: &model.Ref{Kind: model.RefRaw}}, model.Optional)),
		object("Ticket", member("Job", "job", named("JobID"), model.Required), member("Bytes", "bytes", &model.Ref{Kind: model.RefInt, Wide: true}, model.Optional),
			member("Again", "again", &model.Ref{Kind: model.RefBool}, model.OmitZero)),
		object("StopParams", member("TrayID", "trayId", named("TrayID"), model.Required), member("Job", "job", named("JobID"), model.Optional)),
		object("StopResult", member("Effect", "effect", named("Effect"), model.Required)),
		{
			Name: "Colour", Kind: model.KindEnum, Doc: text("Colour of the ink.", "墨水的颜色。"),
			Enum: &model.Enum{Values: []*model.EnumValue{{Name: "Black", Wire: "black", Doc: text("Black ink.", "黑色。")}, {Name: "Grey", Wire: "grey", Doc: text("Grey ink.", "灰色。")}}},
		},
		{
			Name: "Effect", Kind: model.KindEnum, Doc: text("Effect of a stop.", "停止的效果。"),
			Enum: &model.Enum{Closed: true, Values: []*model.EnumValue{{Name: "Stopping", Wire: "stopping", Doc: text("It stops.", "正在停止。")}, {Name: "Over", Wire: "over", Doc: text("It was over.", "已经结束。")}}},
		},
		{
			Name: "Page", Kind: model.KindUnion, Doc: text("Page is one page.", "Page 是一页。"),
			Union: &model.Union{Tag: "type", Variants: []*model.Variant{
				{Name: "Text", Wire: "text", Type: "TextPage", Doc: text("A page of text.", "文字页。")},
				{Name: "Book", Wire: "book", Type: "BookPage", Doc: text("Pages within a page.", "页中之页。")},
			}},
		},
		object("TextPage", member("Text", "text", str(), model.Required)),
		object("BookPage", member("Pages", "pages", list(named("Page")), model.Required)),
		object("JobEventParams", member("TrayID", "trayId", named("TrayID"), model.Required), member("Job", "job", named("JobID"), model.Optional),
			member("Event", "event", named("Event"), model.Required)),
		{
			Name: "Event", Kind: model.KindUnion, Doc: text("Event is one event.", "Event 是一个事件。"),
			Fields: []*model.Field{member("Seq", "seq", integer(), model.Required)},
			Union: &model.Union{Tag: "type", Content: "data", Before: 1, Variants: []*model.Variant{
				{Name: "Note", Wire: "note", Type: "NoteData", Doc: text("A remark.", "备注。"), Only: "old"},
				{Name: "End", Wire: "end", Type: "EndData", Doc: text("The job's end.", "任务结束。")},
				{Name: "Seed", Wire: "seed", Type: "SeedData", Doc: text("Kept, not sent.", "只存储，不发送。"), OffWire: true},
			}},
		},
		object("NoteData", member("Text", "text", str(), model.OmitZero)),
		object("EndData", member("Why", "why", str(), model.Required), member("Sheets", "sheets", &model.Ref{Kind: model.RefFloat}, model.Optional)),
		object("SeedData"),
		object("JobInkParams", member("TrayID", "trayId", named("TrayID"), model.Required), member("Job", "job", named("JobID"), model.Required),
			member("N", "n", integer(), model.Required), member("Merged", "merged", integer(), model.OmitZero), member("Text", "text", str(), model.OmitZero),
			member("Scan", "scan", &model.Ref{Kind: model.RefBytes}, model.Optional)),
	}
}

func object(name string, fields ...*model.Field) *model.Type {
	return &model.Type{Name: name, Kind: model.KindStruct, Doc: text(name+" is a payload.", name+" 是一种载荷。"), Fields: fields}
}
