// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"errors"
	"io"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/log"
)

// ChildOf reads what its parent's log says of a child session. A log without a
// descriptor, or one that breaks off before it, has no mode.
func ChildOf(l *log.Reader) (Child, error) {
	c := Child{ID: l.Header().ID, CreatedAt: l.Header().CreatedAt}
	for {
		r, err := l.Next()
		var damaged *log.DamagedError
		var newer *log.IncompatibleError
		switch {
		case errors.Is(err, io.EOF), errors.As(err, &damaged), errors.As(err, &newer):
			return c, nil
		case err != nil:
			return c, err
		case r.Type == harness.EventTypeSubagentDescriptor:
			o, _ := parse(r.Data)
			c.Mode, c.Label = o.text("mode"), o.text("label")
			return c, nil
		}
	}
}
