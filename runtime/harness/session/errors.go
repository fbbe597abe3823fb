// SPDX-License-Identifier: Apache-2.0

package session

import (
	"errors"
	"fmt"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/store"
)

func errShuttingDown() error {
	return &harness.ShuttingDownError{Message: "the runtime is shutting down"}
}

func errOverloaded(id harness.SessionID) error {
	return &harness.OverloadedError{Message: "too many commands wait for the session", SessionID: id, RetryAfterMS: 1000}
}

func errNotFound(id harness.SessionID) error {
	return &harness.SessionNotFoundError{Message: fmt.Sprintf("no session %q", id), SessionID: id}
}

func errExists(id harness.SessionID) error {
	return &harness.SessionExistsError{Message: fmt.Sprintf("session %q already exists", id), SessionID: id}
}

func errOwned(id harness.SessionID) error {
	return &harness.SessionExistsError{
		Message:   fmt.Sprintf("session %q is a running child of another session, which owns it", id),
		SessionID: id,
	}
}

func errClosing(id harness.SessionID) error {
	return &harness.SessionClosedError{
		Message:   fmt.Sprintf("session %q is closing; load or resume it when it is closed", id),
		SessionID: id,
	}
}

func errInvalid(path, format string, args ...any) error {
	return &harness.InvalidParamsError{Message: fmt.Sprintf(format, args...), Path: path}
}

// storeError returns a store's error as the wire has it.
func storeError(id harness.SessionID, err error) error {
	var (
		missing *store.NotFoundError
		exists  *store.ExistsError
		locked  *store.LockedError
		fenced  *store.FencedError
		damaged *store.DamagedError
		format  *store.FormatError
		badID   *store.IDError
	)
	switch {
	case errors.As(err, &badID):
		return &harness.InvalidParamsError{Message: badID.Reason, SessionID: id, Path: "sessionId"}
	case errors.As(err, &missing):
		return errNotFound(id)
	case errors.As(err, &exists):
		return errExists(id)
	case errors.As(err, &locked):
		return &harness.SessionLockedError{
			Message: fmt.Sprintf("session %q is open in another process", id), SessionID: id, Owner: owner(locked.Owner),
		}
	case errors.As(err, &fenced):
		return &harness.SessionFencedError{
			Message: fmt.Sprintf("another process took session %q over", id), SessionID: id,
		}
	case errors.As(err, &damaged):
		e := &harness.SessionDamagedError{
			Message: fmt.Sprintf("the log of session %q cannot be read", id), SessionID: id,
			Line: damaged.Line, Reason: damaged.Reason, Path: damaged.Path, Err: err,
		}
		if damaged.Seq >= 0 {
			e.ExpectedSeq = &damaged.Seq
		}
		if damaged.Got >= 0 {
			e.GotSeq = &damaged.Got
		}
		return e
	case errors.As(err, &format):
		e := &harness.FormatUnsupportedError{
			Message: fmt.Sprintf("the log of session %q cannot be continued: %s", id, format.Reason), SessionID: id,
			Version: int64(format.Version), Supported: int64(format.Newest), EventType: format.EventType, Path: format.Path,
		}
		if format.EventType != "" {
			e.Seq = &format.Seq
		}
		return e
	}
	return &harness.StoreFailedError{
		Message: fmt.Sprintf("the log of session %q could not be read or written", id), SessionID: id, Err: err,
	}
}

func owner(o *store.Owner) *harness.Owner {
	if o == nil {
		return nil
	}
	return &harness.Owner{PID: int64(o.PID), Host: o.Host}
}

// errTooLong refuses content that would make an event longer than a line.
func errTooLong(longest int) error {
	return &harness.InvalidParamsError{
		Message: fmt.Sprintf("contentBlocks: longer than the %d bytes that one event may have", longest), Path: "contentBlocks",
	}
}
