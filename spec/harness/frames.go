// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/accordkit/accord/spec"

// Frames that methods name. Each is one notification, or one kind of event.
var (
	frameInserted = spec.On(NotifyEvent,
		spec.Variant(func(p *SessionEventParams) any { return &p.Event.InboxSpliced }),
		spec.Where(spec.Present(func(p *SessionEventParams) any { return &p.Event.InboxSpliced.Inserted })))

	frameRunning = spec.On(NotifyStatus,
		spec.Where(spec.Is(func(p *SessionStatusParams) any { return &p.Status }, StatusRunning)))

	frameTurnStart = spec.On(NotifyEvent,
		spec.Variant(func(p *SessionEventParams) any { return &p.Event.TurnStart }))

	frameClaimed = spec.On(NotifyEvent,
		spec.Variant(func(p *SessionEventParams) any { return &p.Event.InboxSpliced }),
		spec.Where(spec.Present(func(p *SessionEventParams) any { return &p.Event.InboxSpliced.RemovedCount })),
		spec.Where(spec.Absent(spliceOutcome)))

	frameWithdrawn = spec.On(NotifyEvent,
		spec.Variant(func(p *SessionEventParams) any { return &p.Event.InboxSpliced }),
		spec.Where(spec.Is(spliceOutcome, SpliceCanceled)))

	frameTurnEnd = spec.On(NotifyEvent,
		spec.Variant(func(p *SessionEventParams) any { return &p.Event.TurnEnd }))

	frameReplay = spec.On(NotifyEvent,
		spec.Where(spec.True(func(p *SessionEventParams) any { return &p.Replay })))

	frameReplayed = spec.On(NotifyReplayed)

	frameClosed = spec.On(NotifyClosed,
		spec.Key(func(p *SessionClosed) *SessionID { return &p.SessionID }))

	frameLost = spec.On(NotifyLost,
		spec.Key(func(p *SessionLost) *SessionID { return &p.SessionID }))

	frameWorkingDirectory = spec.On(NotifyEvent,
		spec.Variant(func(p *SessionEventParams) any { return &p.Event.WorkingDirectoryChange }))
)

func spliceOutcome(p *SessionEventParams) any { return &p.Event.InboxSpliced.Outcome }
