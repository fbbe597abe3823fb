// SPDX-License-Identifier: Apache-2.0

package doctext

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/accordkit/accord/generator/emit/emittest"
)

func TestDocumentsDoNotBeginWithGoNames(t *testing.T) {
	for _, c := range []struct{ in, name, want string }{
		{"Stop stops a job.", "Stop", "Stops a job."},
		{"Job is one job.", "Job", "One job."},
		{"JobPrinted is a job.", "printed", "A job."},
		{"TurnMaxTokens is a turn.", "max-tokens", "A turn."},
		{"Printed to the last sheet.", "Printed", "Printed to the last sheet."},
		{"The job.", "Job", "The job."},
		{"E7 is job.end, the last.", "E7", "job.end, the last."},
		{"Word", "Word", "Word"},
		{"", "Job", ""},
		{"停止任务。", "Stop", "停止任务。"},
	} {
		assert.Equal(t, c.want, lead(c.in, c.name))
	}
}

func TestMembersAreNamedAsOnTheWire(t *testing.T) {
	n := NewNames(emittest.Queue())
	assert.Equal(t, "See `trayId` and `TrayID`, Copies, JavaScript.", n.wired("See TrayID and `TrayID`, Copies, JavaScript."))
}
