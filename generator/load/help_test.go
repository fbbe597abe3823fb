// SPDX-License-Identifier: Apache-2.0

package load_test

import (
	stdcontext "context"
	"os"
	"strings"
	"time"
)

// patience is how long to wait for what should happen at once.
const patience = 5 * time.Second

type errorString string

func (e errorString) Error() string { return string(e) }

func context() stdcontext.Context { return stdcontext.Background() }

// running reports whether a process is there and no zombie.
func running(pid string) bool {
	data, err := os.ReadFile("/proc/" + strings.TrimSpace(pid) + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return !strings.HasPrefix(rest, "Z")
}
