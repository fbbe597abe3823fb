// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/harness"
)

// What is read in a straight line first is the same, errors too, as when it is
// read member by member, which a blank before it brings about.
func TestStraightReadingIsReading(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	one := func(list ...string) string {
		if random.IntN(3) > 0 {
			return list[0]
		}
		return list[random.IntN(len(list))]
	}
	integer := func() string {
		return one("1", "2", "12", "0", "-1", "9007199254740991", "9007199254740992", "1.0", "1.5", "1e2", "01", "99999999", `"1"`, "[1]", "null")
	}
	text := func() string {
		return one("a", "a1", `a\n`, `a\u0031`, "é", "\xff", `\ud83d\ude00`, `\ud83d`, "", "raw\ttab", strings.Repeat("k", 300))
	}
	delta := func() string {
		s := fmt.Sprintf(`{"sessionId":"%s","turn":%s,"step":%s,"attempt":%s,"n":%s,"index":%s,"kind":"%s"`,
			text(), integer(), integer(), integer(), integer(), integer(), one("text", "reasoning", "tool-call", "new", `te\u0078t`))
		for _, optional := range []string{`"text":"` + text() + `"`, `"arguments":"` + text() + `"`, `"toolCallId":"a"`, `"name":"` + text() + `"`, `"merged":` + integer(), `"more":[{}]`, `"text":"twice"`} {
			if random.IntN(3) == 0 {
				s += "," + optional
			}
		}
		return s + "}"
	}
	spoilt := func(s string) string {
		i := random.IntN(len(s))
		switch random.IntN(6) {
		case 0:
			return s[:i]
		case 1:
			return s[:i] + s[i+1:]
		case 2:
			members := strings.Split(s, ",")
			random.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
			return strings.Join(members, ",")
		case 3:
			return strings.Replace(s, `"kind"`, `"k\u0069nd"`, 1)
		case 4:
			return s
		}
		return s[:i] + one(" ", ",", `"`, "{", "}", "[", "]", "\\", "\xff", "0", ".5", "e3", "null") + s[i:]
	}
	straight, plain := codec.Decoder{Interner: &codec.Interner{}, Block: &codec.Block{}, Memory: &codec.Memory{}}, codec.Decoder{}
	var got harness.SessionDelta // again and again
	read := 0
	for range 50_000 {
		s := delta()
		if random.IntN(2) == 0 {
			s = spoilt(s)
		}
		lax, strict, depth := random.IntN(2) == 0, random.IntN(4) == 0, 1+random.IntN(2)
		for _, d := range []*codec.Decoder{&straight, &plain} {
			d.Lax, d.Strict, d.MaxDepth = lax, strict, depth
		}
		var want harness.SessionDelta
		plain.Reset([]byte(" " + s))
		want.DecodeJSON(&plain)
		plain.End()
		straight.Reset([]byte(s))
		got.DecodeJSON(&straight)
		straight.End()
		if plain.Err() != nil {
			var a, b *codec.Error
			require.ErrorAs(t, plain.Err(), &a)
			require.ErrorAs(t, straight.Err(), &b, s)
			require.Equal(t, fmt.Sprint(a.Kind, a.Path, a.Msg, a.Offset-1), fmt.Sprint(b.Kind, b.Path, b.Msg, b.Offset), s)
			continue
		}
		require.NoError(t, straight.Err(), s)
		require.Equal(t, want, got, s)
		read++
	}
	assert.Greater(t, read, 1000)
}
