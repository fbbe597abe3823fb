// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// Prompt puts one user message into a session's inbox. The response proves that
// the message is in its log, as durable as the runtime's store makes it (see
// durability in the capabilities), and nothing more: the turn that takes it ends
// later. The insert and, if the session was idle, running, turn/start and the
// claim come before the response; a client must subscribe before it sends and
// must not rely on either order. Prompts on a busy session queue, one turn
// each, in order; parked ones run before a new one.
//
// zh: 将一条用户消息放入会话的收件箱。应答仅证明消息已写入其日志，持久程度取决于运行时的存储（见能力中的 durability）：取用它的轮次稍后才结束。应答之前先有放入事件；会话原本空闲时，还有 running、turn/start 与认领。客户端必须在发送之前订阅，且不能依赖两者的先后。忙碌会话上的提示按顺序排队，每条一个轮次；被搁置的提示先于新提示运行。
var Prompt = &spec.Method[PromptParams, PromptReceipt]{
	Name:     "session/prompt",
	From:     spec.Client,
	In:       spec.In(Session, func(p *PromptParams) *SessionID { return &p.SessionID }),
	Opens:    Session,
	Attaches: Session,
	Accepts:  spec.Durable,
	Deferred: true,
	Settles: spec.Cases(
		spec.When(spec.Present(func(r *PromptReceipt) any { return &r.Settled }), spec.AtResponse[PromptReceipt]()),
		spec.Otherwise(
			spec.EndVia(Turn, Claim, func(r *PromptReceipt) *MessageID { return &r.MessageID }),
			spec.ByFrame[PromptReceipt](frameWithdrawn, TurnWithdrawn.Name),
			spec.ByFrame[PromptReceipt](frameClosed, TurnInterrupted.Name),
			spec.ByFrame[PromptReceipt](frameLost, TurnInterrupted.Name),
		),
	),
	Repeats: spec.Keyed[PromptParams, PromptReceipt]{
		By:          func(p *PromptParams) any { return &p.IdempotencyKey },
		Scope:       Session,
		Window:      "life of the log",
		Fingerprint: spec.List[spec.Member[PromptParams]](func(p *PromptParams) any { return &p.ContentBlocks }),
		Conflict:    ErrIdempotencyConflict,
		Absent:      "each call is new",
		Marker:      func(r *PromptReceipt) any { return &r.Duplicate },
	},
	Runs:  spec.Serial,
	After: []spec.Frame{frameInserted, frameRunning, frameTurnStart, frameClaimed},
	Refusals: []spec.Refusal[PromptParams]{
		{
			Member: func(p *PromptParams) any { return &p.SessionID }, Text: `agent id "undefined" does not match session id "session-1"`,
			Wrong: "format v4 header id must be a string", Blank: "cannot encode an empty path segment", Empty: true,
		},
		{
			Member: func(p *PromptParams) any { return &p.ContentBlocks }, Text: "Cannot read properties of undefined (reading 'filter')",
			Wrong: "blocks.filter is not a function",
		},
	},
	Legacy: &spec.Legacy{Texts: []spec.LegacyText{
		{Error: ErrInvalidParams, Text: "Image upload is not canonical base64."},
		{Error: ErrInvalidParams, Text: "Declared image type does not match its bytes."},
		{Error: ErrInvalidParams, Text: "Image type {mimeType} is not accepted by this deployment."},
	}},
	Fails: spec.Errors(
		ErrInvalidParams, ErrNotInitialized, ErrSessionNotFound, ErrSessionExists, ErrSessionClosed, ErrSessionLocked,
		ErrSessionFenced, ErrSessionDamaged, ErrFormatUnsupported, ErrIdempotencyConflict, ErrOverloaded, ErrShuttingDown,
		ErrStoreFailed, ErrRequestCancelled, ErrInternal,
	),
	Examples: spec.List(
		spec.Ex("first prompt",
			PromptParams{SessionID: "order-42", ContentBlocks: exampleContent, IdempotencyKey: new("k1")},
			PromptReceipt{MessageID: "e8ab4615-a75e-4e96-b93c-fbd4931195af", Seq: new(int64(0))}),
		spec.Ex("the same again, while its turn runs",
			PromptParams{SessionID: "order-42", ContentBlocks: exampleContent, IdempotencyKey: new("k1")},
			PromptReceipt{MessageID: "e8ab4615-a75e-4e96-b93c-fbd4931195af", Seq: new(int64(0)), Duplicate: true}),
		spec.Ex("the same again, after its turn",
			PromptParams{SessionID: "order-42", ContentBlocks: exampleContent, IdempotencyKey: new("k1")},
			PromptReceipt{
				MessageID: "e8ab4615-a75e-4e96-b93c-fbd4931195af", Seq: new(int64(0)), Duplicate: true,
				Settled: &PromptSettled{Turn: 1, Reason: EndReason{Completed: &EndCompleted{}}},
			}),
		spec.Ex("an image, for the running turn",
			PromptParams{SessionID: "order-42", Delivery: DeliverySteer, ContentBlocks: []ContentBlock{
				{Text: &TextBlock{Text: "look at this"}},
				{Image: &ImageBlock{Data: new("iVBORw0KGgo="), MimeType: MediaPNG}},
			}},
			PromptReceipt{MessageID: "1c3b7c0e-52a8-4f0c-9d4f-0b7b0a5b3c11", Seq: new(int64(17))}),
		spec.Refused("the same key for something else",
			PromptParams{SessionID: "order-42", ContentBlocks: []ContentBlock{{Text: &TextBlock{Text: "bye"}}}, IdempotencyKey: new("k1")},
			ErrIdempotencyConflict),
		spec.Refused("a session that must exist",
			PromptParams{SessionID: "order-43", ContentBlocks: exampleContent, IfMissing: IfMissingFail}, ErrSessionNotFound),
	),
}

var exampleContent = []ContentBlock{{Text: &TextBlock{Text: "hello"}}}

// Cancel stops the running turn, withdraws queued messages, or both. It may
// also be sent as a notification, with the same effect and no response. It is
// answered in every phase of a session; while the session is being created or
// loaded, it waits until that is done. The turn settles as aborted with cause
// user, never as an error, and text that was streamed is kept as an interrupted
// message. A cancel that is latched before the turn's own success is recorded
// wins; after that, and between causes, the first wins. The response does not
// wait for the agent: an agent or tool that has not returned one second after
// the latch is abandoned, named in turn/end, and fenced.
//
// zh: 停止运行中的轮次、撤回排队的消息，或两者兼有。也可以作为通知发送：效果相同，没有应答。在会话的任何阶段都会应答；会话正在创建或载入时，等其完成后再应答。轮次以原因为 user 的 aborted 敲定，从不作为错误；已流式输出的文本保留为被中断的消息。在轮次的成功被记录之前生效的取消优先；此后以及在多个原因之间，以最先的为准。应答不等待智能体：取消生效一秒之后仍未返回的智能体或工具会被放弃，在 turn/end 中列出并被隔离。
var Cancel = &spec.Method[CancelParams, CancelResult]{
	Name:       "session/cancel",
	From:       spec.Client,
	In:         spec.In(Session, func(p *CancelParams) *SessionID { return &p.SessionID }),
	AlsoNotify: true,
	Needs:      CanCancel,
	Accepts:    spec.Admitted,
	AnswersAt:  func(p *CancelParams) any { return &p.WaitFor },
	Deferred:   true,
	Cancels:    Turn,
	Undoes:     Prompt,
	Interrupts: &spec.Interrupts{Begins: Prompt, Keeps: spec.Is(func(p *CancelParams) any { return &p.Queue }, QueueKeep, QueueContinue)},
	Settles: spec.Cases(
		spec.When(spec.Is(func(r *CancelResult) any { return &r.Effect }, EffectStopping, EffectAlreadyStopping),
			spec.EndOf(Turn, func(r *CancelResult) *TurnID { return &r.Turn }),
			spec.ByFrame[CancelResult](frameLost, TurnInterrupted.Name)),
		spec.Otherwise(spec.AtResponse[CancelResult]()),
	),
	Repeats: spec.Idempotent[CancelParams](),
	Runs:    spec.Serial,
	Fences: []spec.Fence[CancelParams]{
		{Member: func(p *CancelParams) any { return &p.MessageID }, Stale: stale},
		{Member: func(p *CancelParams) any { return &p.IdempotencyKey }, Stale: stale},
		{Member: func(p *CancelParams) any { return &p.Turn }, Stale: stale},
	},
	Together: spec.List(spec.Agree[CancelParams](
		func(p *CancelParams) any { return &p.MessageID },
		func(p *CancelParams) any { return &p.IdempotencyKey },
		func(p *CancelParams) any { return &p.Turn },
	)),
	After: []spec.Frame{frameWithdrawn},
	Fails: spec.Errors(ErrInvalidParams, ErrNotInitialized, ErrUnsupported, ErrSessionFenced, ErrShuttingDown, ErrStoreFailed, ErrRequestCancelled, ErrInternal),
	Since: "2",
	Examples: spec.List(
		spec.Ex("the running turn and one prompt behind it", CancelParams{SessionID: "order-42"},
			CancelResult{Cancelled: true, Effect: EffectStopping, Turn: 3, Withdrawn: []MessageID{"1c3b7c0e-52a8-4f0c-9d4f-0b7b0a5b3c11"}}),
		spec.Ex("nothing to stop", CancelParams{SessionID: "order-42"},
			CancelResult{Cancelled: true, Effect: EffectIdle, Withdrawn: []MessageID{}}),
		spec.Ex("a turn that is over", CancelParams{SessionID: "order-42", Turn: new(TurnID(2))},
			CancelResult{Cancelled: false, Effect: EffectStale, Withdrawn: []MessageID{}}),
		spec.Ex("proven over", CancelParams{SessionID: "order-42", Turn: new(TurnID(3)), WaitFor: WaitForSettled},
			CancelResult{Cancelled: true, Effect: EffectStopped, Turn: 3, Withdrawn: []MessageID{}}),
		spec.Ex("no such session", CancelParams{SessionID: "nobody"},
			CancelResult{Cancelled: false, Effect: EffectUnknown, Withdrawn: []MessageID{}}),
	),
}

var stale = spec.Is(func(r *CancelResult) any { return &r.Effect }, EffectStale)
