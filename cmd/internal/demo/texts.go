// SPDX-License-Identifier: Apache-2.0

package demo

import "fmt"

// phrase is a text in both languages, with the same %[n] verbs.
type phrase struct{ en, zh string }

func (p phrase) in(lang string, args ...any) string {
	s := p.en
	if lang == "zh" {
		s = p.zh
	}
	if len(args) == 0 {
		return s
	}
	return fmt.Sprintf(s, args...)
}

var texts = struct {
	Declared, Generated, Live, Over                                                phrase
	Host, Client, Runtime                                                          phrase
	Starts, Ready, Sends, Accepted, Settled, Delta, Quiet, Ended                   phrase
	ReadyText, Receipt, Effect, TurnEnded, TurnCancelled                           phrase
	FirstPrompt, LongPrompt, ThirdPrompt, CancelText, CloseText                    phrase
	CancelProven, Late, LateText, BothText, WaitText, Closed, ProcessEnded, Source phrase
	Types, ClientCode, Schema, OpenRPC, Reference, Tables                          phrase
}{
	Declared:  phrase{"1. Declared once, in Go", "1. 用 Go 声明一次"},
	Generated: phrase{"2. What comes out of it", "2. 由此生成"},
	Live:      phrase{"3. Live: a real child process, driven by the generated client", "3. 实况：由生成的客户端驱动的真实子进程"},
	Over:      phrase{"Accepted is not settled: each was reported by a frame of its own.", "受理不等于敲定：两者各由自己的帧说明。"},
	Source:    phrase{"from %[1]s", "摘自 %[1]s"},

	Host: phrase{"host", "宿主"}, Client: phrase{"client", "客户端"}, Runtime: phrase{"runtime", "运行时"},
	Starts: phrase{"starts", "启动"}, Ready: phrase{"ready", "就绪"}, Sends: phrase{"sends", "发送"},
	Accepted: phrase{"ACCEPTED", "已受理"}, Settled: phrase{"SETTLED", "已敲定"}, Delta: phrase{"delta", "增量"}, Quiet: phrase{"idle", "空闲"}, Ended: phrase{"ended", "已结束"},

	ReadyText:     phrase{"%[1]s speaks version %[2]d", "%[1]s 使用版本 %[2]d"},
	Receipt:       phrase{"durable in the inbox: message %[1]s", "已持久写入收件箱：消息 %[1]s"},
	Effect:        phrase{"effect %[1]s: the signal is latched, the turn still runs", "效果 %[1]s：取消已生效，轮次仍在运行"},
	TurnEnded:     phrase{"turn %[1]d %[2]s: %[3]q", "轮次 %[1]d %[2]s：%[3]q"},
	TurnCancelled: phrase{"turn %[1]d %[2]s, long before 1000", "轮次 %[1]d %[2]s，远未到 1000"},
	Late:          phrase{"DROPPED", "已丢弃"},
	LateText:      phrase{"delta %[1]s and %[2]d more: read after the cancel, so not shown", "增量 %[1]s 及其后 %[2]d 个：在取消之后才读到，因此不显示"},
	BothText:      phrase{"session/prompt to two sessions at once: %[1]s and %[2]s", "session/prompt，同时发给两个会话：%[1]s 与 %[2]s"},
	FirstPrompt:   phrase{"session/prompt, a message: %[1]q", "session/prompt，一条消息：%[1]q"},
	LongPrompt:    phrase{"session/prompt, a long one: %[1]q", "session/prompt，很长的一条：%[1]q"},
	ThirdPrompt:   phrase{"session/prompt, the next one: %[1]q", "session/prompt，下一条：%[1]q"},
	CancelText:    phrase{"session/cancel, at 5 of 1000", "session/cancel，1000 个中的第 5 个之后"},
	CancelProven:  phrase{"the cancel is proven: the turn it named has ended", "取消已得到证明：所指轮次已结束"},
	WaitText:      phrase{"nothing runs, nothing waits", "没有运行中的，也没有等待中的"},
	CloseText:     phrase{"session/close", "session/close"},
	Closed:        phrase{"session.closed, outcome %[1]s: nothing follows it", "session.closed，结局 %[1]s：其后不再有任何内容"},
	ProcessEnded:  phrase{"process %[1]d has ended", "进程 %[1]d 已结束"},

	Types:      phrase{"types, exact codecs, typed errors, the Server interface and its dispatch", "类型、精确的编解码、带类型的错误、Server 接口及其分派"},
	ClientCode: phrase{"the typed client that drives the session below", "驱动下面会话的带类型客户端"},
	Schema:     phrase{"JSON Schema of every message", "每条消息的 JSON Schema"},
	OpenRPC:    phrase{"OpenRPC, with what its methods prove", "OpenRPC，含各方法所证明的内容"},
	Reference:  phrase{"the reference, in both languages", "两种语言的参考"},
	Tables:     phrase{"the tables, in both languages", "两种语言的表格"},
}
