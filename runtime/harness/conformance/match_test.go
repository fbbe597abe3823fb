// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFramesMatch(t *testing.T) {
	b := bindings{}
	require.NoError(t, b.match([]byte(`{"id":"$r","method":"m","params":{"a":[{"x":1}]}}`),
		[]byte(`{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":[{"x":1.0,"y":2}],"b":3}}`)), "members may be added")
	assert.Equal(t, "7", b["$r"])
	assert.NoError(t, b.match([]byte(`{"id":"$r"}`), []byte(`{"id":7}`)))
	assert.ErrorContains(t, b.match([]byte(`{"id":"$r"}`), []byte(`{"id":8}`)), "id is 8, and $r was bound to 7")
	assert.ErrorContains(t, b.match([]byte(`{"id":"$r"}`), []byte(`{"id":"7"}`)), "bound", "a number is not a string")
	assert.ErrorContains(t, b.match([]byte(`{"method":"m"}`), []byte(`{"id":1}`)), "member method is missing")
	assert.ErrorContains(t, b.match([]byte(`{"a":[1,2]}`), []byte(`{"a":[1]}`)), "a is [1], expected [1,2]")
	assert.ErrorContains(t, b.match([]byte(`{"a":[1]}`), []byte(`{"a":[1,2]}`)), "a is [1,2]")
	assert.ErrorContains(t, b.match([]byte(`{"a":9007199254740993}`), []byte(`{"a":9007199254740992}`)), "expected")
	assert.ErrorContains(t, b.match([]byte(`{"a":null}`), []byte(`{}`)), "missing", "null is not absent")
	assert.Error(t, b.match([]byte(`{"a":1}`), []byte(`garbage`)))

	assert.NoError(t, b.match([]byte(`{"method":"shutdown","params":{}}`), []byte(`{"method":"shutdown"}`)))
	require.Error(t, b.match([]byte(`{"id":"$new","method":"x"}`), []byte(`{"id":9,"method":"y"}`)))
	assert.NotContains(t, b, "$new", "a frame that does not match binds nothing")
	assert.Error(t, b.match([]byte(`{"a":"$two","b":"$two"}`), []byte(`{"a":1,"b":2}`)))
}

func TestNamesAreSubstitutedByTheirExactText(t *testing.T) {
	b := bindings{"$r": "7", "$s": `"abc"`}
	assert.Equal(t, `{"id":7,"x":"$r1","$r":1,"y":["abc","\"$r\""],"n":1.0}`,
		string(b.substitute([]byte(`{"id":"$r","x":"$r1","$r":1,"y":["$s","\"$r\""],"n":1.0}`))))
	assert.Equal(t, `{"id":"srv-q","method":"ask","other":"$nobody"}`,
		string(b.substitute([]byte(`{"id":"$q","method":"ask","other":"$nobody"}`))), "a request of the runtime's gets an id")
	assert.Equal(t, `"srv-q"`, b["$q"])
	assert.Equal(t, "\ufeff{\"id\":7", string(b.replace([]byte("\ufeff{\"id\":\"$r\""))), "in raw text too")
}

func TestCharactersAreCutInside(t *testing.T) {
	pieces := cutCharacters([]byte("a完🎉é\n"))
	require.Len(t, pieces, 4)
	assert.Equal(t, "a\xe5", string(pieces[0]))
	assert.Equal(t, "\xae\x8c\xf0\x9f", string(pieces[1]))
	assert.Equal(t, "\x8e\x89\xc3", string(pieces[2]))
	assert.Equal(t, "\xa9\n", string(pieces[3]))
	assert.Len(t, cutCharacters([]byte("plain\n")), 1)
}
