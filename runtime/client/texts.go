// SPDX-License-Identifier: Apache-2.0

package client

import (
	"fmt"
	"strings"

	"github.com/accordkit/accord/runtime/process"
)

// Lacking says that the peer does not serve the method.
func (m *Method) Lacking() string {
	if m.Needs == "" {
		return fmt.Sprintf("the other side does not serve %s", m.Name)
	}
	return fmt.Sprintf("the other side does not serve %s: it lacks the capability %s", m.Name, m.Needs)
}

// unreadable makes the error of an answer that cannot be taken.
func (m *Method) unreadable(err error) error {
	if err == nil {
		return nil
	}
	return &Failure{
		Name: InvalidResult, Err: err,
		Message: fmt.Sprintf("%s: %v; it may have taken effect, so look before you call again", m.Name, err),
	}
}

// LagText says that a scope's handles fell behind, and what to do.
func LagText(id string, after int64) string {
	return fmt.Sprintf("what %q sends was not taken in time and no longer fits into its queue; load it again from after %d", id, after)
}

// LostText says that the connection is lost, why, and how the child at its
// other end went.
func LostText(cause error, exit *process.Exit, stderr []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "the connection is lost: %v", cause)
	if exit != nil {
		fmt.Fprintf(&b, "; the process ended with %s", exit)
	}
	if len(stderr) > 0 {
		fmt.Fprintf(&b, "; its stderr ends with:\n%s", strings.Join(stderr, "\n"))
	}
	return b.String()
}

// OutcomeText says that work ended otherwise than well, and what the peer says of
// it.
func OutcomeText(work, outcome, message string) string {
	if message == "" {
		return fmt.Sprintf("the %s ended as %s", work, outcome)
	}
	return fmt.Sprintf("the %s ended as %s: %s", work, outcome, message)
}
