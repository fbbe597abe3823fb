// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// NotifyEvent carries one event of a session, in the order of its seq. An event
// is in the store before it is on the wire. Events are never dropped: a slow
// reader gets them from the log, later.
//
// zh: 按 seq 的顺序携带会话的一个事件。事件先入存储，再传输。事件从不丢弃：读取较慢的一方稍后会从日志得到它们。
var NotifyEvent = &spec.Notification[SessionEventParams]{
	Name: "session.event",
	From: spec.Server,
	In:   spec.In(Session, func(p *SessionEventParams) *SessionID { return &p.SessionID }),
	Seq:  func(p *SessionEventParams) any { return &p.Event.Seq },
	Examples: spec.List(
		spec.Shown("a turn begins", SessionEventParams{SessionID: "order-42", Event: Event{Seq: 1, Time: exampleTime, TurnStart: &TurnStart{Turn: 1}}, Turn: 1}),
		spec.Shown("a prompt is put into the inbox", SessionEventParams{SessionID: "order-42", Event: Event{Seq: 0, Time: exampleTime, InboxSpliced: &InboxSpliced{
			Target: InboxNextTurn, Inserted: []UserMessage{{
				Content: []ContentBlock{{Text: &TextBlock{Text: "hello"}}},
				Source:  MessageSource{User: &SourceUser{}}, Role: RoleUser, ID: "e8ab4615-a75e-4e96-b93c-fbd4931195af",
			}},
		}}}),
		spec.Shown("a turn was cancelled", SessionEventParams{SessionID: "order-42", Event: Event{Seq: 9, Time: exampleTime, TurnEnd: &TurnEnd{
			Turn: 1, Reason: EndReason{Aborted: &EndAborted{Reason: AbortCause{User: &CauseUser{}}}},
		}}, Turn: 1}),
	),
}

// exampleTime is the time in all examples.
const exampleTime = 1795990899437

// NotifyDelta carries a piece of an answer while the model produces it. It is
// live and not durable. For a slow reader, pieces of one block are merged and
// then dropped; n and merged show it: a gap past n + merged is a loss. Every
// client gets them, unless the runtime is configured otherwise: older clients
// pass them to their notification callbacks.
//
// zh: 在回答产生过程中携带其片段。片段是实时的，不持久。读取较慢时，同一内容块的片段会先合并，再丢弃；从 n 与 merged 可以看出：超出 n + merged 的间断就是丢失。除非运行时另有配置，每个客户端都会收到：旧客户端会将其交给通知回调。
var NotifyDelta = &spec.Notification[SessionDelta]{
	Name: "session.delta",
	From: spec.Server,
	In:   spec.In(Session, func(p *SessionDelta) *SessionID { return &p.SessionID }),
	Live: &spec.Live[SessionDelta]{
		Same: spec.List[spec.Member[SessionDelta]](
			func(p *SessionDelta) any { return &p.Turn },
			func(p *SessionDelta) any { return &p.Step },
			func(p *SessionDelta) any { return &p.Attempt },
			func(p *SessionDelta) any { return &p.Index },
			func(p *SessionDelta) any { return &p.Kind },
			func(p *SessionDelta) any { return &p.ToolCallID },
		),
		Join: spec.List[spec.Member[SessionDelta]](
			func(p *SessionDelta) any { return &p.Text },
			func(p *SessionDelta) any { return &p.Arguments },
		),
		Counter: func(p *SessionDelta) any { return &p.N },
		Merged:  func(p *SessionDelta) any { return &p.Merged },
	},
	Examples: spec.List(
		spec.Shown("one word", SessionDelta{SessionID: "order-42", Turn: 1, Step: 1, Attempt: 1, N: 0, Index: 0, Kind: DeltaText, Text: "Hello "}),
		spec.Shown("three merged into one", SessionDelta{SessionID: "order-42", Turn: 1, Step: 1, Attempt: 1, N: 1, Index: 0, Kind: DeltaText, Text: "wide wide world", Merged: 3}),
		spec.Shown("the beginning of a tool call", SessionDelta{SessionID: "order-42", Turn: 1, Step: 1, Attempt: 1, N: 4, Index: 1, Kind: DeltaToolCall, ToolCallID: "call_1", Name: "bash"}),
	),
}

// NotifyStatus announces that a session begins or stops being busy. Running and
// idle alternate, with requires-action in between in version 2. Idle is
// announced only when nothing of the session's own work is open or waiting, or
// its prompts are parked by choice; its background children may continue.
//
// zh: 通报会话开始或不再忙碌。running 与 idle 交替出现，版本 2 中其间可有 requires-action。仅当会话自身没有未结束或排队的工作、或其提示是主动搁置时才通报 idle；其后台子会话可能仍在继续。
var NotifyStatus = &spec.Notification[SessionStatusParams]{
	Name: "session.status",
	From: spec.Server,
	In:   spec.In(Session, func(p *SessionStatusParams) *SessionID { return &p.SessionID }),
	Examples: spec.List(
		spec.Shown("busy", SessionStatusParams{SessionID: "order-42", Status: StatusRunning}),
		spec.Shown("at rest", SessionStatusParams{SessionID: "order-42", Status: StatusIdle}),
	),
}

// NotifyReplayed ends the replay of a session/load, once, also if there was
// nothing to replay. Live events follow without a gap or an overlap.
//
// zh: 标志 session/load 的重放结束，仅一次，即使没有可重放的内容。随后的实时事件既不间断也不重叠。
var NotifyReplayed = &spec.Notification[SessionReplayed]{
	Name:     "session.replayed",
	From:     spec.Server,
	In:       spec.In(Session, func(p *SessionReplayed) *SessionID { return &p.SessionID }),
	Examples: spec.List(spec.Shown("after 14 events", SessionReplayed{SessionID: "order-42", NextSeq: 14})),
}

// NotifyClosed is the last frame of a session on each connection that had its
// frames. It is not sent to peers that did not negotiate.
//
// zh: 会话在每个接收其帧的连接上的最后一帧。不发送给没有协商过的对端。
var NotifyClosed = &spec.Notification[SessionClosed]{
	Name:  "session.closed",
	From:  spec.Server,
	In:    spec.In(Session, func(p *SessionClosed) *SessionID { return &p.SessionID }),
	Since: "2",
	Examples: spec.List(
		spec.Shown("clean", SessionClosed{SessionID: "order-42", Outcome: CloseClean}),
		spec.Shown("a tool did not return", SessionClosed{SessionID: "order-42", Outcome: CloseForced, Unfinished: []CloseStep{CloseJoin}}),
	),
}

// NotifyLost reports that ownership of a session has moved to another process.
// This process sends nothing more of the session. It is not sent to peers that
// did not negotiate.
//
// zh: 说明会话的所有权已转移到其他进程。本进程不再发送该会话的任何内容。不发送给没有协商过的对端。
var NotifyLost = &spec.Notification[SessionLost]{
	Name:     "session.lost",
	From:     spec.Server,
	In:       spec.In(Session, func(p *SessionLost) *SessionID { return &p.SessionID }),
	Since:    "2",
	Examples: spec.List(spec.Shown("moved", SessionLost{SessionID: "order-42", Reason: LostMoved})),
}

// NotifySubagentStarted reports that a child session has started: one that an
// agent started, a fork, or a resumed child. It precedes the child's frames.
//
// zh: 说明子会话已启动：由智能体启动、分叉产生或恢复的子会话。它先于子会话的帧。
var NotifySubagentStarted = &spec.Notification[SubagentStarted]{
	Name:     "subagent.started",
	From:     spec.Server,
	In:       spec.In(Session, func(p *SubagentStarted) *SessionID { return &p.ParentSessionID }),
	Examples: spec.List(spec.Shown("a child", SubagentStarted{ParentSessionID: "order-42", ChildSessionID: "4a1fbf9f-7c23-4281-b094-df1d4786029c"})),
}

// NotifySubagentFinished reports that one run of a child session has ended. It
// may follow the start of the parent's next turn, which takes the child's
// notice.
//
// zh: 说明子会话的一次运行已结束。它可能出现在取用子会话通知的父会话下一轮次开始之后。
var NotifySubagentFinished = &spec.Notification[SubagentFinished]{
	Name: "subagent.finished",
	From: spec.Server,
	In:   spec.In(Session, func(p *SubagentFinished) *SessionID { return &p.ParentSessionID }),
	Examples: spec.List(spec.Shown("a child's answer", SubagentFinished{
		Provider: "spawn", AgentID: "4a1fbf9f-7c23-4281-b094-df1d4786029c", ParentSessionID: "order-42",
		ChildSessionID: "4a1fbf9f-7c23-4281-b094-df1d4786029c", Status: SubagentOK, StopReason: SubagentCompleted,
		LastAssistantMessage: []ContentBlock{{Text: &TextBlock{Text: "done"}}},
	})),
}
