// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// Claim leads from a message to the turn that consumed it. The claim itself
// carries no id: a client folds both lists of the inbox from the splices, and
// the turn whose claim removed the message's position is its turn. The
// user/message event that carries the id confirms it later.
//
// zh: 由消息找到取用它的轮次。认领事件本身不带标识：客户端根据拼接事件推算出收件箱的两个列表：某个轮次的认领移除了该消息所在的位置，该轮次就是它的轮次。之后携带该标识的 user/message 事件可以印证这一点。
var Claim = &spec.Link[MessageID, TurnID]{
	By: spec.On(NotifyEvent,
		spec.Variant(func(p *SessionEventParams) any { return &p.Event.UserMessage }),
		spec.Key(func(p *SessionEventParams) *TurnID { return &p.Turn })),
	Fold: "inbox",
}

// Turn is the agent's work on one prompt, or on a notice of its own: steps of
// model requests and tools. It begins with turn/start and ends with turn/end,
// exactly one of each, and nothing of the turn follows its end.
//
// zh: 智能体针对一条提示或自身通知的工作，由若干步骤组成，每步是一次模型请求及其工具调用。轮次以 turn/start 开始，以 turn/end 结束，各恰好一个；结束之后不再有属于它的内容。
var Turn = &spec.Activity[TurnID]{
	Name: "turn", Chinese: "轮次", Handle: "Turn", In: Session,
	Begins: spec.On(NotifyEvent,
		spec.Variant(func(p *SessionEventParams) any { return &p.Event.TurnStart }),
		spec.Key(func(p *SessionEventParams) *TurnID { return &p.Event.TurnStart.Turn })),
	Ends: spec.On(NotifyEvent,
		spec.Variant(func(p *SessionEventParams) any { return &p.Event.TurnEnd }),
		spec.Key(func(p *SessionEventParams) *TurnID { return &p.Event.TurnEnd.Turn })),
	Outcomes: []*spec.Outcome{
		TurnCompleted, TurnCancelled, TurnFailed, TurnBlocked, TurnMaxTokens, TurnInterrupted,
		TurnWithdrawn, TurnOther, TurnConnectionLost,
	},
	Carries: spec.List(
		spec.Bears(NotifyEvent, func(p *SessionEventParams) *TurnID { return &p.Turn },
			func(p *SessionEventParams) any { return &p.Event.InboxSpliced }),
		spec.Bears(NotifyDelta, func(p *SessionDelta) *TurnID { return &p.Turn }),
	),
}

func turnEndReason(p *SessionEventParams) any { return &p.Event.TurnEnd.Reason }

// TurnCompleted is a turn that ended naturally.
//
// zh: 轮次自然结束。
var TurnCompleted = &spec.Outcome{Name: "completed", When: spec.Is(turnEndReason, "completed"), OK: true}

// TurnCancelled is a turn that was stopped: by a cancel, by its parent, by a
// hook, by a close or by a shutdown. The cause says which.
//
// zh: 轮次被停止：原因可能是取消、父会话、钩子、关闭或关停，由 cause 说明。
var TurnCancelled = &spec.Outcome{Name: "cancelled", When: spec.Is(turnEndReason, "aborted")}

// TurnFailed is a turn that ended in an error.
//
// zh: 轮次以错误结束。
var TurnFailed = &spec.Outcome{Name: "failed", When: spec.Is(turnEndReason, "error")}

// TurnBlocked is a turn whose input a hook refused.
//
// zh: 轮次的输入被钩子拒绝。
var TurnBlocked = &spec.Outcome{Name: "blocked", When: spec.Is(turnEndReason, "blocked")}

// TurnMaxTokens is a turn in which an answer reached the token limit. What was
// produced until then is kept.
//
// zh: 轮次中的回答达到 token 上限。已产生的内容保留。
var TurnMaxTokens = &spec.Outcome{Name: "max-tokens", When: spec.Is(turnEndReason, "max-tokens")}

// TurnInterrupted is a turn whose process died, or a prompt whose session was
// closed before a turn took it: it waits in the inbox for the next load.
//
// zh: 轮次所在进程已终止，或提示在被轮次取用之前会话已关闭：它留在收件箱中等待下次载入。
var TurnInterrupted = &spec.Outcome{Name: "interrupted", When: spec.Is(turnEndReason, "interrupted")}

// TurnWithdrawn is a prompt that was taken out of the inbox before a turn took
// it. An inbox splice reports it, not a turn/end.
//
// zh: 提示在被轮次取用之前已从收件箱撤回。由收件箱拼接事件说明，而不是 turn/end。
var TurnWithdrawn = &spec.Outcome{Name: "withdrawn"}

// TurnOther is an end for a reason that this client does not know. The reason
// is kept as it was read.
//
// zh: 因本客户端不认识的原因结束。原因按读取时原样保留。
var TurnOther = &spec.Outcome{Name: "other", Other: true}

// TurnConnectionLost is a turn whose end had not come when the connection was
// lost. It may continue in the runtime.
//
// zh: 连接断开时尚未收到结束的轮次。它可能仍在运行时中继续。
var TurnConnectionLost = &spec.Outcome{Name: "connection-lost", Lost: true}

// Life is a session's life on a connection, from the call that attached it to
// session.closed, the last frame of it.
//
// zh: 会话在一个连接上的生命周期：从接入它的调用开始，到它的最后一帧 session.closed 为止。
var Life = &spec.Activity[SessionID]{
	Name: "life", Chinese: "生命周期", Handle: "Life", In: Session,
	Ends:     spec.On(NotifyClosed, spec.Key(func(p *SessionClosed) *SessionID { return &p.SessionID })),
	Outcomes: []*spec.Outcome{LifeClosed, LifeForced, LifeOther, LifeLost, LifeConnectionLost},
}

func closeOutcome(p *SessionClosed) any { return &p.Outcome }

// LifeClosed is a close in which every step ended in time.
//
// zh: 每个步骤都按时结束的关闭。
var LifeClosed = &spec.Outcome{Name: "closed", When: spec.Is(closeOutcome, CloseClean), OK: true}

// LifeForced is a close in which something did not end in time.
//
// zh: 有步骤未按时结束的关闭。
var LifeForced = &spec.Outcome{Name: "forced", When: spec.Is(closeOutcome, CloseForced)}

// LifeOther is a close with an outcome that this client does not know.
//
// zh: 关闭的结局是本客户端不认识的。
var LifeOther = &spec.Outcome{Name: "other", Other: true}

// LifeLost is a session that another process took over: session.lost came.
//
// zh: 会话被其他进程接管：收到了 session.lost。
var LifeLost = &spec.Outcome{Name: "lost"}

// LifeConnectionLost is a connection that ended before session.closed came.
//
// zh: 连接在 session.closed 到来之前断开。
var LifeConnectionLost = &spec.Outcome{Name: "connection-lost", Lost: true}

// Child is one run of a child session: a session that another one started, forked or
// brought back. It begins with subagent.started and ends with subagent.finished, and
// the child's frames come in between. Children that run in the background continue when
// the turn that started them is over; the others end with it.
//
// zh: 子会话的一次运行：由另一个会话启动、分叉或恢复的会话。它以 subagent.started 开始，以 subagent.finished 结束，子会话的帧位于两者之间。在后台运行的子会话在启动它的轮次结束后继续；其余的随该轮次结束。
var Child = &spec.Activity[SessionID]{
	Name: "child", Chinese: "子会话", Handle: "Child", In: Session, Life: Session,
	Begins: spec.On(NotifySubagentStarted, spec.Key(func(p *SubagentStarted) *SessionID { return &p.ChildSessionID })),
	Ends:   spec.On(NotifySubagentFinished, spec.Key(func(p *SubagentFinished) *SessionID { return &p.ChildSessionID })),
	Detaches: spec.On(NotifyEvent,
		spec.Variant(func(p *SessionEventParams) any { return &p.Event.SubagentCatalog }),
		spec.Key(func(p *SessionEventParams) *SessionID { return &p.Event.SubagentCatalog.ChildID }),
		spec.Where(spec.Is(func(p *SessionEventParams) any { return &p.Event.SubagentCatalog.Mode }, "continuable"))),
	Outcomes: []*spec.Outcome{ChildOK, ChildError, ChildOther, ChildConnectionLost},
}

func childStatus(p *SubagentFinished) any { return &p.Status }

// ChildOK is a child that did its work.
//
// zh: 完成了工作的子会话。
var ChildOK = &spec.Outcome{Name: "ok", When: spec.Is(childStatus, SubagentOK), OK: true}

// ChildError is a child that did not.
//
// zh: 没有完成工作的子会话。
var ChildError = &spec.Outcome{Name: "error", When: spec.Is(childStatus, SubagentError)}

// ChildOther is a child that ended with a status that this client does not know.
//
// zh: 以本客户端不认识的状态结束的子会话。
var ChildOther = &spec.Outcome{Name: "other", Other: true}

// ChildConnectionLost is a child whose end had not come when the connection was lost.
//
// zh: 连接断开时尚未收到结束的子会话。
var ChildConnectionLost = &spec.Outcome{Name: "connection-lost", Lost: true}
