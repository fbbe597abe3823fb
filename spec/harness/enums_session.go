// SPDX-License-Identifier: Apache-2.0

package harness

// IfStored is what a prompt does with an id that has a stored log and no live session.
//
// zh: 提示遇到有日志而无存活会话的标识时的处理方式。
type IfStored string

// Closed says that no other value is accepted.
func (IfStored) Closed() {}

// The values of IfStored.
const (
	// Bring the session back and continue it.
	//
	// zh: 恢复该会话并继续。
	IfStoredResume IfStored = "resume"

	// Answer session-exists.
	//
	// zh: 以 session-exists 应答。
	IfStoredFail IfStored = "fail"
)

// IfMissing is what a prompt does with an unknown id.
//
// zh: 提示遇到未知标识时的处理方式。
type IfMissing string

// Closed says that no other value is accepted.
func (IfMissing) Closed() {}

// The values of IfMissing.
const (
	// Create the session.
	//
	// zh: 新建会话。
	IfMissingCreate IfMissing = "create"

	// Answer session-not-found.
	//
	// zh: 以 session-not-found 应答。
	IfMissingFail IfMissing = "fail"
)

// Delivery is when a message is taken from the inbox.
//
// zh: 消息何时从收件箱取用。
type Delivery string

// Closed says that no other value is accepted.
func (Delivery) Closed() {}

// The values of Delivery.
const (
	// By a turn of its own, after those before it.
	//
	// zh: 由自己的轮次取用，排在先到的消息之后。
	DeliveryFollowup Delivery = "followup"

	// By the running turn at its next step, which settles it; with no turn it starts one,
	// and after a cancel it becomes `followup`.
	//
	// zh: 由运行中的轮次在下一步取用，并随该轮次敲定；没有轮次时自行开始一个，取消之后则变为 `followup`。
	DeliverySteer Delivery = "steer"
)

// QueuePolicy is what a cancel does with the prompts that wait.
//
// zh: 取消时如何处理排队中的提示。
type QueuePolicy string

// Closed says that no other value is accepted.
func (QueuePolicy) Closed() {}

// The values of QueuePolicy.
const (
	// Withdraw them.
	//
	// zh: 将其撤回。
	QueueDrop QueuePolicy = "drop"

	// Park them until the next prompt.
	//
	// zh: 搁置到下一条提示为止。
	QueueKeep QueuePolicy = "keep"

	// Let the next one run.
	//
	// zh: 让下一条继续运行。
	QueueContinue QueuePolicy = "continue"
)

// BackgroundPolicy is what a cancel does with background children.
//
// zh: 取消时如何处理后台子会话。
type BackgroundPolicy string

// Closed says that no other value is accepted.
func (BackgroundPolicy) Closed() {}

// The values of BackgroundPolicy.
const (
	// They continue.
	//
	// zh: 让其继续。
	BackgroundKeep BackgroundPolicy = "keep"

	// They are cancelled too.
	//
	// zh: 一并取消。
	BackgroundCancel BackgroundPolicy = "cancel"
)

// WaitFor is when the response to a cancel or a close is sent.
//
// zh: 取消或关闭何时应答。
type WaitFor string

// Closed says that no other value is accepted.
func (WaitFor) Closed() {}

// The values of WaitFor.
const (
	// At once, when the request is accepted.
	//
	// zh: 请求被受理后立即应答。
	WaitForAccepted WaitFor = "accepted"

	// When the work is over.
	//
	// zh: 工作结束时应答。
	WaitForSettled WaitFor = "settled"
)

// OnActive is what a close does while work is open.
//
// zh: 关闭时若有未结束的工作如何处理。
type OnActive string

// Closed says that no other value is accepted.
func (OnActive) Closed() {}

// The values of OnActive.
const (
	// Stop the running turn.
	//
	// zh: 停止运行中的轮次。
	OnActiveCancel OnActive = "cancel"

	// Let the running turn and the queue finish, up to the deadline, then stop.
	//
	// zh: 让运行中的轮次与队列完成，到期限后再停止。
	OnActiveDrain OnActive = "drain"

	// Answer session-busy and change nothing.
	//
	// zh: 以 session-busy 应答，不作任何改变。
	OnActiveReject OnActive = "reject"
)

// Effect is what a cancel found and did.
//
// zh: 取消时的情形与所做的处理。
type Effect string

// The values of Effect.
const (
	// A turn was open and stops now; its turn/end follows.
	//
	// zh: 有未结束的轮次，现正停止；随后会有其 turn/end。
	EffectStopping Effect = "stopping"

	// The turn was stopping already; its turn/end follows.
	//
	// zh: 轮次已在停止中；随后会有其 turn/end。
	EffectAlreadyStopping Effect = "already-stopping"

	// No turn was affected; the waiting messages were removed from the inbox.
	//
	// zh: 未触及任何轮次；排队的消息已从收件箱撤回。
	EffectWithdrawn Effect = "withdrawn"

	// The session is live and had nothing to stop.
	//
	// zh: 会话存活，但没有可停止的工作。
	EffectIdle Effect = "idle"

	// The named target has ended or was never seen; nothing was changed.
	//
	// zh: 所指对象已结束或从未出现；未作任何改变。
	EffectStale Effect = "stale"

	// No such session is live.
	//
	// zh: 没有这样的存活会话。
	EffectUnknown Effect = "unknown"

	// The turn has ended: the answer to `waitFor: settled`.
	//
	// zh: 轮次已结束：对 `waitFor: settled` 的应答。
	EffectStopped Effect = "stopped"
)

// CloseOutcome is how a close went.
//
// zh: 关闭的结果。
type CloseOutcome string

// The values of CloseOutcome.
const (
	// Every step ended within its bound.
	//
	// zh: 每个步骤都在时限内结束。
	CloseClean CloseOutcome = "clean"

	// Some step did not end in time, or something had to be abandoned.
	//
	// zh: 有步骤未按时结束，或有工作不得不放弃。
	CloseForced CloseOutcome = "forced"
)

// CloseStep is one step of closing a session, in this order.
//
// zh: 关闭会话的步骤，按此顺序执行。
type CloseStep string

// The values of CloseStep.
const (
	// Refuse new work.
	//
	// zh: 拒绝新的工作。
	CloseRefuse CloseStep = "refuse"

	// Let the running turn and the queue finish, if the caller chose drain.
	//
	// zh: 若要求排空，则让运行中的轮次与队列完成。
	CloseDrain CloseStep = "drain"

	// Cancel the running turn.
	//
	// zh: 取消运行中的轮次。
	CloseCancel CloseStep = "cancel"

	// Let the after-work of finished turns end, on a context of its own.
	//
	// zh: 让已结束轮次的后续工作在其自身的上下文中完成。
	CloseAfterWork CloseStep = "after-work"

	// Stop child sessions, background ones too.
	//
	// zh: 停止子会话，包括后台子会话。
	CloseChildren CloseStep = "children"

	// Deny the permission requests that are still pending.
	//
	// zh: 拒绝仍未应答的权限请求。
	ClosePermissions CloseStep = "permissions"

	// Let commands that were admitted end.
	//
	// zh: 让已接纳的命令执行完毕。
	CloseCommands CloseStep = "commands"

	// Wait for the turn: first cooperatively, then by force.
	//
	// zh: 等待轮次结束：先协作，后强制。
	CloseJoin CloseStep = "join"

	// Release what the session owns, and nothing else.
	//
	// zh: 释放会话拥有的资源，不涉及其他资源。
	CloseRelease CloseStep = "release"

	// Write the log out.
	//
	// zh: 将日志写出。
	CloseFlush CloseStep = "flush"
)

// State is what a session is doing, as session/status reports it.
//
// zh: session/status 所报告的会话状态。
type State string

// The values of State.
const (
	// Live, and nothing is open or about to run.
	//
	// zh: 存活，没有未结束或即将运行的工作。
	StateIdle State = "idle"

	// A turn is open.
	//
	// zh: 有未结束的轮次。
	StateRunning State = "running"

	// A turn is open and waits for a permission.
	//
	// zh: 有未结束的轮次正在等待权限。
	StateRequiresAction State = "requires-action"

	// A turn was cancelled and has not ended yet.
	//
	// zh: 轮次已被取消但尚未结束。
	StateStopping State = "stopping"

	// The session is being closed.
	//
	// zh: 会话正在关闭。
	StateClosing State = "closing"

	// Not live; only its log exists.
	//
	// zh: 未存活，仅有日志。
	StateStored State = "stored"
)

// Status is what session.status announces.
//
// zh: session.status 所通报的状态。
type Status string

// The values of Status.
const (
	// No turn of the session's own is open or about to start.
	//
	// zh: 会话自身没有未结束或即将开始的轮次。
	StatusIdle Status = "idle"

	// A turn is open.
	//
	// zh: 有未结束的轮次。
	StatusRunning Status = "running"

	// The turn waits for a permission. Only version 2.
	//
	// zh: 轮次正在等待权限；仅用于版本 2。
	StatusRequiresAction Status = "requires-action"
)

// WorkKind is a kind of work that keeps a session from being idle.
//
// zh: 使会话不能空闲的工作种类。
type WorkKind string

// The values of WorkKind.
const (
	// An open turn.
	//
	// zh: 未结束的轮次。
	WorkTurn WorkKind = "turn"

	// A message that waits and is not parked.
	//
	// zh: 排队且未被搁置的消息。
	WorkPrompt WorkKind = "prompt"

	// A background child session, or its notice that no turn has taken yet.
	//
	// zh: 后台子会话，或其尚待取用的通知。
	WorkChild WorkKind = "child"

	// Work that a finished turn left behind.
	//
	// zh: 已结束的轮次遗留的工作。
	WorkAfterWork WorkKind = "after-work"

	// An agent or tool that has not returned since its turn was ended without it.
	//
	// zh: 轮次未等其返回就已结束、至今仍未返回的智能体或工具。
	WorkAbandoned WorkKind = "abandoned"
)

// Durability is what a runtime's store survives.
//
// zh: 运行时的存储能够经受什么。
type Durability string

// The values of Durability.
const (
	// The end of the process, a crash included.
	//
	// zh: 进程结束，包括崩溃。
	DurabilityProcess Durability = "process"

	// The end of the machine, a loss of power included.
	//
	// zh: 机器停止，包括断电。
	DurabilityMachine Durability = "machine"

	// The loss of the machine: another one has a copy.
	//
	// zh: 机器丢失：另有机器保存副本。
	DurabilityReplicated Durability = "replicated"
)
