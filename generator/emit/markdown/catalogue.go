// SPDX-License-Identifier: Apache-2.0

package markdown

import (
	"fmt"

	"github.com/accordkit/accord/spec/model"
)

// Lang is a language of the documents.
type Lang string

// The two languages. Chinese is simplified Chinese.
const (
	English Lang = "en"
	Chinese Lang = "zh"
)

// phrase is a fixed text in both languages. Both have the same %[n] verbs.
type phrase struct{ en, zh string }

func (p phrase) in(l Lang, args ...any) string {
	s := p.en
	if l == Chinese {
		s = p.zh
	}
	if len(args) > 0 {
		s = fmt.Sprintf(s, args...)
	}
	if l == Chinese {
		s = spaced(s)
	}
	return s
}

// pick is the author's text in a language; without one, the other's.
func pick(t model.Text, l Lang) string {
	if l == Chinese && t.ZH != "" || t.EN == "" {
		return t.ZH
	}
	return t.EN
}

// words is every fixed text of the documents.
var words = struct {
	// column heads and labels
	Method, Params, Result, Accepts, Settled, Repeats, From, Meaning, Kind, Code, Retry, Data, Name,
	Value, Error, Errors, Event, Members, Note, Type, Presence, Lacks, Differs, Rule, Answer, State, Call,
	Capability, Needs, NeededBy, Outcome, Tells, Step, Bound, Fact, Example, Examples, Scope, Queue, Handle, Key phrase
	// headings
	Reference, Contents, Methods, ClientMethods, ServerMethods, Notifications, Events, Types, Machines,
	Generations, Limits, Rules, Capabilities, Activities, Scopes, Negotiation phrase
	// who
	Client, Server, ClientOnly phrase
	// acceptance
	Answers, AlsoNotify phrase
	// settlement
	AtResponse, EndOf, LaterCall, Via, Where, Named, Otherwise, If, Or, OrWay, Clause, Colon, Semicolon, Comma, Present, Missing, IsValue phrase
	// repetition
	KeyedBy, KeyedFor, KeyedForTime, KeyedConflict, KeyedAbsent, KeyedMarker phrase
	// members
	Between, AtLeast, AtMost, Chars, Items, Octets, Pattern, Default, DefaultIf, Sensitive, Since, Union, Beside, Within, Unknown, ByShape, AnyOther,
	OrNull, OpenEnum, ClosedEnum, OffWire, Only, NoMembers, WideInt, ListOf, MapOf, Any, Bytes, Numbered, LiveMerge, LiveJoin, LiveLast, LiveCount phrase
	// method facts
	Opens, Attaches, Closes, Cancels, Fenced, After, Replays, ReplaysEnd, Pages, AbsentAs, Agree, Exclude, Need, BeforeNegotiation, Shared,
	Serial, Quick, Deferred, LackedBy, DeprecatedBy, Stability, Concurrency, Order, Fences, Together, ScopeFact, QueueOf, Empty, Fails phrase
	// the rest
	UnknownText, OneCode, Versions, Asked, OpenedBy, Offered, TooEarly, NoCommon, Without,
	Waits, AllStates, Changes, OKOutcome, NotTold, OtherEnd, LostEnd, ParentScope, Undoes, Interrupts, InterruptKeeps, LifeOf, Detaches, ShutsDown, StandsFor, StepBeside, Link, LinkTo, Fold, Told,
	ActivityKey, ActivityIn, ActivityBegins, ActivityEnds, TableSize, Says, Legacy, Switch, Legend, ByItself, Levels, UnderWay, Settles, AnswerProves phrase
	// one name explained
	Notification, Activity, Generation, Limit, Member, Inside, PartOf, OfProtocol, DeclaredAt, AnsweredBy, UsedIn phrase
}{
	Method: phrase{"method", "方法"}, Params: phrase{"params", "参数"}, Result: phrase{"result", "结果"},
	Accepts: phrase{"acceptance", "受理"}, Settled: phrase{"settled by", "敲定"}, Repeats: phrase{"idempotency", "幂等性"},
	From: phrase{"from", "发送方"}, Meaning: phrase{"meaning", "含义"}, Kind: phrase{"kind", "种类"}, Code: phrase{"code", "代码"},
	Retry: phrase{"retry", "重试"}, Data: phrase{"data", "数据"}, Name: phrase{"name", "名称"}, Value: phrase{"value", "值"},
	Error: phrase{"error", "错误"}, Errors: phrase{"Errors", "错误"}, Event: phrase{"event", "事件"}, Members: phrase{"members", "成员"},
	Note: phrase{"notes", "备注"}, Type: phrase{"type", "类型"}, Presence: phrase{"presence", "出现"},
	Lacks: phrase{"lacks", "缺少"}, Differs: phrase{"intended difference", "有意的差异"}, Rule: phrase{"rule", "规则"},
	Answer: phrase{"answer", "应答"}, State: phrase{"state", "状态"}, Call: phrase{"call", "调用"},
	Capability: phrase{"capability", "能力"}, Needs: phrase{"needs", "需要"}, NeededBy: phrase{"needed by", "使用方"},
	Outcome: phrase{"outcome", "结局"}, Tells: phrase{"reported by", "判定依据"}, Step: phrase{"step", "步骤"}, Bound: phrase{"bound", "上限"},
	Fact: phrase{"fact", "事实"}, Example: phrase{"example", "示例"}, Examples: phrase{"Examples", "示例"},
	Scope: phrase{"scope", "作用域"}, Queue: phrase{"queue", "队列"}, Handle: phrase{"handle", "句柄"}, Key: phrase{"key", "键"},

	Reference: phrase{"The protocol `%[1]s`: reference", "协议 `%[1]s`：参考"}, Contents: phrase{"Contents", "目录"},
	Methods: phrase{"Methods", "方法"}, ClientMethods: phrase{"From client to server", "客户端到服务端"},
	ServerMethods: phrase{"From server to client", "服务端到客户端"}, Notifications: phrase{"Notifications", "通知"},
	Events: phrase{"Events", "事件"}, Types: phrase{"Types", "类型"}, Machines: phrase{"State machines", "状态机"},
	Generations: phrase{"Generations", "世代"}, Limits: phrase{"Limits", "限制"}, Rules: phrase{"Rules", "规则"},
	Capabilities: phrase{"Capabilities", "能力"}, Activities: phrase{"Activities", "活动"}, Scopes: phrase{"Scopes", "作用域"},
	Negotiation: phrase{"Negotiation", "版本协商"},

	Client: phrase{"client", "客户端"}, Server: phrase{"server", "服务端"}, ClientOnly: phrase{"at the client only", "仅在客户端"},

	Answers:    phrase{"the caller chooses when it is answered by %[1]s", "调用方以 %[1]s 选择何时应答"},
	AlsoNotify: phrase{"may also be sent as a notification: same effect, no response", "也可以作为通知发送：效果相同，没有应答"},

	AtResponse: phrase{"the response", "应答"}, EndOf: phrase{"end of the %[1]s (%[2]s)", "%[1]s结束（%[2]s）"},
	LaterCall: phrase{"a later call of %[1]s that names the same %[2]s", "之后对 %[1]s 的调用，其 %[2]s 相同"},
	Via:       phrase{"found via %[1]s from %[2]s", "由 %[2]s 经 %[1]s 找到"}, Where: phrase{"%[1]s where %[2]s", "%[2]s 的 %[1]s"}, Named: phrase{"%[1]s (%[2]s)", "%[1]s（%[2]s）"},
	Otherwise: phrase{"otherwise", "否则"}, If: phrase{"if %[1]s", "若%[1]s"}, Or: phrase{" or ", " 或 "}, OrWay: phrase{"; or ", "；或 "}, Clause: phrase{", ", "，"},
	Colon: phrase{": ", "："}, Semicolon: phrase{"; ", "；"}, Comma: phrase{", ", "、"},
	Present: phrase{"%[1]s is present", "%[1]s 存在"}, Missing: phrase{"%[1]s is absent", "%[1]s 不存在"},
	IsValue: phrase{"%[1]s is %[2]s", "%[1]s 为 %[2]s"},

	KeyedBy: phrase{"keyed by %[1]s in its %[2]s", "以 %[1]s 为键，在所属%[2]s内有效"}, KeyedFor: phrase{"for the %[1]s", "有效期为%[1]s"}, KeyedForTime: phrase{"for %[1]s", "有效期为%[1]s"},
	KeyedConflict: phrase{"the same key with other %[1]s is %[2]s", "键相同而 %[1]s 不同时为 %[2]s"},
	KeyedAbsent:   phrase{"without a key, %[1]s", "没有键时，%[1]s"}, KeyedMarker: phrase{"a repetition is marked by %[1]s", "重复由 %[1]s 标明"},

	Between: phrase{"%[1]s to %[2]s", "%[1]s 至 %[2]s"}, AtLeast: phrase{"at least %[1]s", "至少 %[1]s"}, AtMost: phrase{"at most %[1]s", "至多 %[1]s"},
	Chars: phrase{"code points: %[1]s", "码点数：%[1]s"}, Items: phrase{"items: %[1]s", "项数：%[1]s"}, Octets: phrase{"bytes: %[1]s", "字节数：%[1]s"}, Pattern: phrase{"matches %[1]s", "匹配 %[1]s"},
	Default: phrase{"default %[1]s", "默认 %[1]s"}, DefaultIf: phrase{"%[2]s if %[1]s", "若%[1]s则为%[2]s"},
	Sensitive: phrase{"sensitive: never in logs", "敏感：从不写入日志"}, Since: phrase{"since %[1]s", "自 %[1]s 起"},
	Union:  phrase{"A choice by the member %[1]s.", "由成员 %[1]s 决定的选择。"},
	Beside: phrase{"The chosen variant's members are next to it.", "所选变体的成员与它并列。"},
	Within: phrase{"The chosen variant's members are in %[1]s.", "所选变体的成员位于 %[1]s 中。"}, Unknown: phrase{"An unknown variant is kept as it was written.", "未知变体按原样保留。"},
	ByShape:  phrase{"A choice without a tag: the variants are distinguished by their shape. A value that matches none is kept as it was written.", "没有标签的选择：根据形状区分变体。与任何变体都不相符的值按原样保留。"},
	AnyOther: phrase{"any other: %[1]s", "其他：%[1]s"},
	OrNull:   phrase{"%[1]s, or null", "%[1]s，或 null"}, OpenEnum: phrase{"Other values may occur and are kept.", "可能出现其他值，会原样保留。"}, ClosedEnum: phrase{"There are no other values.", "没有其他值。"},
	OffWire: phrase{"stored, never sent", "只存储，从不发送"}, Only: phrase{"written by %[1]s alone", "只由 %[1]s 写出"}, NoMembers: phrase{"none", "无"},
	WideInt: phrase{"64-bit integer in a string", "字符串中的 64 位整数"}, ListOf: phrase{"list of %[1]s", "%[1]s 的列表"}, MapOf: phrase{"map of %[1]s", "%[1]s 的映射"},
	Any: phrase{"any JSON value", "任意 JSON 值"}, Bytes: phrase{"base64", "base64"}, Numbered: phrase{"numbered by %[1]s", "由 %[1]s 编号"},
	LiveMerge: phrase{"live: may be merged or dropped for a slow reader", "实时：读取较慢时可能被合并或丢弃"},
	LiveJoin:  phrase{"live: may be merged (joins %[1]s) or dropped for a slow reader", "实时：读取较慢时可能被合并（拼接 %[1]s）或丢弃"},
	LiveLast:  phrase{"of merged ones the last %[1]s counts", "合并时以最后的 %[1]s 为准"},
	LiveCount: phrase{"%[1]s is a counter, %[2]s is how many were merged", "%[1]s 是计数，%[2]s 是合并的数量"},

	Opens: phrase{"opens its %[1]s", "打开所属%[1]s"}, Attaches: phrase{"the caller gets the frames of its %[1]s from now on", "调用方自此收到所属%[1]s的帧"},
	Closes: phrase{"closes its %[1]s", "关闭所属%[1]s"}, Cancels: phrase{"cancels the %[1]s", "取消%[1]s"},
	Fenced: phrase{"%[1]s fences it: if its target has ended, %[2]s", "%[1]s 用于隔离过期操作：若目标已结束，则 %[2]s"},
	After:  phrase{"the response comes after %[1]s", "应答在 %[1]s 之后"}, Replays: phrase{"first come the stored %[1]s, marked (%[2]s) and after the cursor %[3]s", "先是已存储的 %[1]s，带标记（%[2]s），位于游标 %[3]s 之后"},
	ReplaysEnd: phrase{"%[1]s ends them", "以 %[1]s 结束"},
	Pages:      phrase{"%[1]s continues where %[2]s of the last response ended; the items are %[3]s", "%[1]s 从上一次应答的 %[2]s 处继续；条目为 %[3]s"},
	AbsentAs:   phrase{"if the peer cannot be asked, the result is %[1]s", "若无法询问对端，结果为 %[1]s"},
	Agree:      phrase{"%[1]s must agree", "%[1]s 必须一致"}, Exclude: phrase{"at most one of %[1]s", "%[1]s 至多出现一个"}, Need: phrase{"%[1]s come together or not at all", "%[1]s 要么同时出现，要么都不出现"},
	BeforeNegotiation: phrase{"works before negotiation", "协商之前即可使用"}, Shared: phrase{"runs concurrently with any call", "可与任何调用并行"},
	Serial:   phrase{"one after another in its scope", "在其作用域内依次执行"},
	Quick:    phrase{"waits for nothing: answered before anything else is read", "不等待任何事物：读到即应答，然后才继续读取"},
	Deferred: phrase{"its response has a place in the ordered stream", "其应答在有序流中有确定的位置"},
	LackedBy: phrase{"%[1]s lacks it", "%[1]s 没有此方法"}, DeprecatedBy: phrase{"deprecated since %[1]s: use %[2]s", "自 %[1]s 起弃用：请使用 %[2]s"},
	Stability: phrase{"stability", "稳定性"}, Concurrency: phrase{"concurrency", "并发"}, Order: phrase{"order", "顺序"}, Fences: phrase{"fence", "过期隔离"},
	Together: phrase{"members together", "成员关系"}, ScopeFact: phrase{"%[1]s, named by %[2]s", "%[1]s，由 %[2]s 指明"},
	QueueOf: phrase{"%[1]s may wait; then %[2]s", "最多等待 %[1]s 个；超出则 %[2]s"}, Empty: phrase{"empty object", "空对象"}, Fails: phrase{"refused with %[1]s", "以 %[1]s 拒绝"},

	UnknownText: phrase{"text for an unknown method", "未知方法的文本"}, OneCode: phrase{"code of its errors", "其错误的代码"},
	Versions: phrase{"versions: %[1]s", "版本：%[1]s"}, Asked: phrase{"the client asks with %[1]s of %[2]s, the server answers with %[3]s", "客户端以 %[2]s 的 %[1]s 请求，服务端以 %[3]s 应答"},
	OpenedBy: phrase{"a connection is opened by %[1]s", "连接由 %[1]s 打开"},
	Offered:  phrase{"capabilities: the client's in %[1]s, the server's in %[2]s; what is absent is false", "能力：客户端在 %[1]s 中声明，服务端在 %[2]s 中声明；缺省为 false"},
	TooEarly: phrase{"a call before it: %[1]s", "在它之前的调用：%[1]s"}, NoCommon: phrase{"no common version: %[1]s", "没有共同版本：%[1]s"}, Without: phrase{"a peer that names no version is %[1]s", "不声明版本的对端属于 %[1]s"},
	Waits: phrase{"waits", "等待"}, AllStates: phrase{"any", "任意"}, Changes: phrase{"How %[1]s changes:", "%[1]s 如何变化："}, OKOutcome: phrase{"success", "成功"},
	NotTold: phrase{"not reported by the ending frame", "结束帧中没有"}, OtherEnd: phrase{"any other end", "任何其他结束"},
	LostEnd: phrase{"no end came before the connection was lost", "连接断开时尚未收到结束"}, ParentScope: phrase{"within", "从属于"},
	Undoes:         phrase{"withdraws calls of %[1]s whose caller gave up", "撤回调用方已放弃的 %[1]s 调用"},
	Interrupts:     phrase{"interrupts: a client calls it and %[1]s in one operation, `%[2]s`", "中断：客户端在一个操作 `%[2]s` 中同时调用它和 %[1]s"},
	InterruptKeeps: phrase{"what waits behind is not stopped if %[1]s", "若%[1]s，则不停止排在后面的工作"},
	LifeOf:         phrase{"the life of a %[1]s that another one began", "由同类启动的%[1]s的生命周期"}, Detaches: phrase{"not waited for, once %[1]s has come", "收到 %[1]s 后不再等待它"},
	ShutsDown: phrase{"asks the server to end", "请求服务端结束"},
	StandsFor: phrase{"Given by the connection itself for: %[1]s", "由连接自身给出：%[1]s"}, StepBeside: phrase{"%[1]s, concurrently with the steps after it", "%[1]s，与其后的步骤并行"},
	Link: phrase{"link", "关联"}, LinkTo: phrase{"leads to", "通向"}, Fold: phrase{"fold", "推算规则"}, Told: phrase{"reported by", "依据"},
	ActivityKey: phrase{"key: %[1]s", "键：%[1]s"}, ActivityIn: phrase{"scope: %[1]s", "作用域：%[1]s"},
	ActivityBegins: phrase{"begins with %[1]s", "以 %[1]s 开始"}, ActivityEnds: phrase{"ends with %[1]s", "以 %[1]s 结束"},
	TableSize: phrase{"States: %[1]s of %[2]s can be reached. Answers: %[3]s of %[4]s in them can arise, of %[5]s in all.", "状态：%[2]s 种中可达 %[1]s 种。应答：可达状态的 %[4]s 种中可能出现 %[3]s 种，总数为 %[5]s 种。"}, Says: phrase{"message", "消息文本"}, Legacy: phrase{"text for peers that never negotiated", "对从未协商的对端的文本"},
	Switch: phrase{"English | [简体中文](%[1]s)", "[English](%[1]s) | 简体中文"}, Legend: phrase{"Acceptance is what the response proves: %[1]s. Settlement is what proves that the work is over.", "受理：应答证明了什么，即 %[1]s。敲定：什么证明工作已经结束。"},
	ByItself: phrase{"by itself", "自行发生"}, Levels: phrase{"%[1]s levels", "%[1]s 层"},
	UnderWay: phrase{"the %[1]s is under way", "%[1]s进行中"}, Settles: phrase{"this settles %[1]s", "由此敲定 %[1]s"},
	AnswerProves: phrase{"answer (%[1]s)", "应答（%[1]s）"},

	Notification: phrase{"notification", "通知"}, Activity: phrase{"activity", "活动"}, Generation: phrase{"generation", "世代"},
	Limit: phrase{"limit", "限制"}, Member: phrase{"member", "成员"}, Inside: phrase{"in", "所在"},
	PartOf: phrase{"%[1]s of %[2]s", "%[2]s 的%[1]s"}, OfProtocol: phrase{"%[1]s of the protocol %[2]s", "协议 %[2]s：%[1]s"},
	DeclaredAt: phrase{"%[1]s, declared at %[2]s", "%[1]s，声明于 %[2]s"},
	AnsweredBy: phrase{"answered by %[1]s", "由 %[1]s 应答"}, UsedIn: phrase{"Used in %[1]s.", "用于 %[1]s。"},
}

// terms is the language's own vocabulary: values of the model that documents
// show as words.
var terms = map[string]phrase{
	model.Done:        {"done", "完成"},
	model.Admitted:    {"admitted", "已接纳"},
	model.Durable:     {"durable", "已持久"},
	model.ReadOnly:    {"read only", "只读"},
	model.Idempotent:  {"idempotent", "幂等"},
	model.Keyed:       {"keyed", "按键幂等"},
	model.Unsafe:      {"unsafe: must not be repeated", "不安全：不得重复"},
	model.RetryNever:  {"never", "从不"},
	model.RetryAfter:  {"after a while", "稍后"},
	model.RetryReload: {"after reloading", "重新载入之后"},
	// retry with the same key
	model.RetrySameKey: {"with the same key", "用相同的键"},
	model.Required:     {"required", "必需"},
	model.Optional:     {"optional", "可选"},
	model.OmitZero:     {"optional", "可选"},
	model.Nullable:     {"optional, may be null", "可选，可为 null"},
	model.OrNull:       {"required, may be null", "必需，可为 null"},
	// what an error stands for
	model.ParseFault:      {"a line that is no JSON", "不是 JSON 的行"},
	model.RequestFault:    {"JSON that is no request", "不构成请求的 JSON"},
	model.MethodFault:     {"a method that is not served", "不提供的方法"},
	model.ParamsFault:     {"params of a wrong shape or value", "形状或取值有误的参数"},
	model.LimitFault:      {"a message that is too long or too deep", "过长或嵌套过深的消息"},
	model.OverloadFault:   {"more requests at once than are taken", "同时到来的请求过多"},
	model.CancelFault:     {"a request that its caller abandoned", "调用方已放弃的请求"},
	model.InternalFault:   {"a failure of the server itself", "服务端自身的故障"},
	model.ConnectionFault: {"a connection that is lost", "连接断开"},
	model.LagFault:        {"messages that were not taken in time", "未及时取走的消息"},
	"stable":              {"stable", "稳定"},
	"experimental":        {"experimental", "实验性"},
	// windows and meanings of an absent key, as authors usually word them
	"life of the log":      {"life of the log", "日志存在期间"},
	"life of the scope":    {"life of the scope", "作用域存在期间"},
	"life of the process":  {"life of the process", "进程运行期间"},
	"each call is new":     {"each call is new", "每次调用都是新的"},
	"each call is refused": {"each call is refused", "每次调用都被拒绝"},
}

// proofs says what each acceptance proves.
var proofs = map[string]phrase{
	model.Done:     {"the work is over", "工作已结束"},
	model.Admitted: {"this process will do it", "本进程将会执行"},
	model.Durable:  {"it is stored, as durably as the server's store makes it", "已存储，持久程度取决于服务端的存储"},
}

// term shows a value of the model as a word; one that the catalogue does not
// know is shown as the author wrote it.
func term(value string, l Lang) string {
	if p, ok := terms[value]; ok {
		return p.in(l)
	}
	return value
}
