package harness

import (
	"errors"
	"strings"
	"time"

	"github.com/accordkit/accord/runtime/contract"
	"github.com/accordkit/accord/runtime/contract/track"
	wire "github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/jsonrpc"
	"github.com/accordkit/accord/runtime/process"
)

// decodeError gives an error of the other side its type.
func decodeError(e *jsonrpc.Error, negotiated bool) error {
	if !negotiated && len(e.Data) == 0 {
		return legacyError(e)
	}
	return wire.DecodeError(e)
}

// legacyTexts are the texts by which peers that never negotiated name a kind.
var legacyTexts = []struct {
	template string
	typed    func(message string, members map[string]string) error
}{
	{`session "{sessionId}" not found`, func(message string, m map[string]string) error {
		return &SessionNotFoundError{Message: message, SessionID: SessionID(m["sessionId"])}
	}},
	{`session "{sessionId}" already exists`, func(message string, m map[string]string) error {
		return &SessionExistsError{Message: message, SessionID: SessionID(m["sessionId"])}
	}},
	{`session "{sessionId}" is already owned by an active write handle`, func(message string, m map[string]string) error {
		return &SessionLockedError{Message: message, SessionID: SessionID(m["sessionId"])}
	}},
	{`SDK server is shutting down`, func(message string, m map[string]string) error {
		return &ShuttingDownError{Message: message, SessionID: SessionID(m["sessionId"])}
	}},
	{`SDK server is not initialized`, func(message string, m map[string]string) error {
		return &NotInitializedError{Message: message, SessionID: SessionID(m["sessionId"])}
	}},
}

func legacyError(e *jsonrpc.Error) error {
	for _, l := range legacyTexts {
		if members, ok := track.MatchLegacy(l.template, e.Message); ok {
			return l.typed(e.Message, members)
		}
	}
	return e
}

// missing tells whether an error says that a method is not known.
func missing(e *jsonrpc.Error, method string) bool {
	return e.Code == -32603 && e.Message == strings.ReplaceAll("unknown DeepSeek Harness SDK runtime method: {method}", "{method}", method)
}

func unsupported(m *track.Method) error {
	return &UnsupportedError{Message: m.Lacking(), Method: m.Name, Capability: m.Needs}
}

// repeat tells whether a call may be made again after an error.
func repeat(err error) (again bool, after time.Duration) {
	switch contract.RetryOf(err) {
	case contract.SameKey, contract.After:
	default:
		return false, 0
	}
	var o *OverloadedError
	if errors.As(err, &o) {
		after = time.Duration(o.RetryAfterMS) * time.Millisecond
	}
	return true, after
}

func lagging(id SessionID, after int64) error {
	return &LaggingError{
		Message:   track.LagText(string(id), after),
		SessionID: id, AfterSeq: after,
	}
}

func lost(cause error, exit *process.Exit, stderr []string) error {
	e := &ConnectionLostError{Message: track.LostText(cause, exit, stderr), Err: cause, Stderr: strings.Join(stderr, "\n")}
	if exit != nil {
		e.ExitCode, e.Signal = new(int64(exit.Code)), exit.Signal
	}
	return e
}
