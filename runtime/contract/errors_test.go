// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

type failure struct{ retry Retry }

func (failure) Error() string  { return "failure" }
func (failure) Kind() string   { return "full" }
func (failure) Code() int      { return 1 }
func (f failure) Retry() Retry { return f.retry }

func TestErrorsSayWhatMayBeDone(t *testing.T) {
	for _, r := range []Retry{Never, SameKey, After, Reload} {
		assert.Equal(t, r, RetryOf(fmt.Errorf("at: %w", failure{r})))
		assert.True(t, r.Known())
	}
	assert.Equal(t, Never, RetryOf(failure{"later"}), "a class that is not known is never")
	assert.Equal(t, Never, RetryOf(errors.New("other")))
	assert.Equal(t, "full", KindOf(errors.Join(errors.New("other"), failure{After})))
	assert.Empty(t, KindOf(nil))
}
