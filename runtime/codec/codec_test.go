// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/runtime/codec"
)

func reader(text string) *codec.Decoder {
	d := new(codec.Decoder)
	d.Reset([]byte(text))
	return d
}

// check reads text with one function, to its end, and gives the error.
func check(text string, setup func(*codec.Decoder), read func(*codec.Decoder)) *codec.Error {
	d := reader(text)
	if setup != nil {
		setup(d)
	}
	read(d)
	d.End()
	var e *codec.Error
	if errors.As(d.Err(), &e) {
		return e
	}
	return nil
}

func lax(d *codec.Decoder)    { d.Lax = true }
func strict(d *codec.Decoder) { d.Strict = true }
func skip(d *codec.Decoder)   { d.Skip() }

func TestTextRules(t *testing.T) {
	deep := strings.Repeat("[", 64) + strings.Repeat("]", 64)
	for _, c := range []struct {
		name, text string
		kind       codec.Kind // 0: fine
		offset     int
		path       string
	}{
		{"word", `true`, 0, 0, ""},
		{"blanks", " {\t\"a\" :\r\n[ 1 , 2 ] } ", 0, 0, ""},
		{"leading zero", `01`, codec.Syntax, 1, ""},
		{"hexadecimal", `0x10`, codec.Syntax, 1, ""},
		{"NaN", `NaN`, codec.Syntax, 0, ""},
		{"plus", `+1`, codec.Syntax, 0, ""},
		{"bare point", `1.`, codec.Syntax, 0, ""},
		{"bare exponent", `1e`, codec.Syntax, 0, ""},
		{"bare minus", `-`, codec.Syntax, 0, ""},
		{"huge number is text", `1e400`, 0, 0, ""},
		{"empty", ``, codec.Syntax, 0, ""},
		{"half a word", `tru`, codec.Syntax, 0, ""},
		{"trailing", `{} {}`, codec.Syntax, 3, ""},
		{"trailing comma in list", `[1,]`, codec.Syntax, 3, "[0]"},
		{"trailing comma in object", `{"a":1,}`, codec.Syntax, 7, "a"},
		{"missing comma", `{"a":1 "b":2}`, codec.Syntax, 7, "a"},
		{"missing colon", `{"a" 1}`, codec.Syntax, 5, "a"},
		{"leading comma", `[,1]`, codec.Syntax, 1, "[0]"},
		{"unclosed", `{"a":[1,2`, codec.Syntax, 9, "a[1]"},
		{"wrong bracket", `[1}`, codec.Syntax, 2, "[0]"},
		{"control character", "\"a\nb\"", codec.Syntax, 0, ""},
		{"unclosed string", `"abc`, codec.Syntax, 0, ""},
		{"unclosed escape", `"abc\`, codec.Syntax, 0, ""},
		{"bad escape", `["a","\x"]`, codec.Syntax, 6, "[1]"},
		{"bad unicode escape", `"\u12g4"`, codec.Syntax, 1, ""},
		{"half of an escape", `"\u12"`, codec.Syntax, 1, ""},
		{"pair", `"\ud83d\ude00"`, 0, 0, ""},
		{"high half", `{"a":"\ud83d"}`, codec.UTF8, 6, "a"},
		{"low half", `"\ude00"`, codec.UTF8, 1, ""},
		{"halves the wrong way", `"\ude00\ud83d"`, codec.UTF8, 1, ""},
		{"half in a key", `{"\ud83d":1}`, codec.UTF8, 2, ""},
		{"invalid UTF-8", "\"a\xff\"", codec.UTF8, 0, ""},
		{"overlong UTF-8", "\"\xc0\xaf\"", codec.UTF8, 0, ""},
		{"surrogate in UTF-8", "\"\xed\xa0\x80\"", codec.UTF8, 0, ""},
		{"invalid UTF-8 in a key", "{\"\xff\":1}", codec.UTF8, 1, ""},
		{"invalid UTF-8 outside of a string", "\xff", codec.Syntax, 0, ""},
		{"duplicate", `{"a":1,"a":2}`, codec.Duplicate, 7, "a"},
		{"duplicate by escape", `{"a":1,"\u0061":2}`, codec.Duplicate, 7, "a"},
		{"duplicate deep inside", `[{"x":{"y":[{"k":1,"l":2,"k":3}]}}]`, codec.Duplicate, 25, "[0].x.y[0].k"},
		{"same name in two objects", `[{"a":1},{"a":{"a":1}}]`, 0, 0, ""},
		{"case matters", `{"a":1,"A":2}`, 0, 0, ""},
		{"depth 64", deep, 0, 0, ""},
		{"depth 65", "[" + deep + "]", codec.Depth, 64, strings.Repeat("[0]", 64)},
		{"odd names", `{"a b":{"":{"x.y":tru}}}`, codec.Syntax, 18, `["a b"][""]["x.y"]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := check(c.text, nil, skip)
			if c.kind == 0 {
				require.Nil(t, e)
				return
			}
			require.NotNil(t, e)
			assert.Equal(t, c.kind, e.Kind, e.Error())
			assert.Equal(t, c.offset, e.Offset, e.Error())
			assert.Equal(t, c.path, e.Path)
			assert.Contains(t, e.Error(), e.Msg)
			assert.True(t, e.Kind.OfText())
		})
	}
}

func TestManyKeys(t *testing.T) {
	object := func(n int, more string) string {
		var b strings.Builder
		b.WriteByte('{')
		for i := range n {
			fmt.Fprintf(&b, `"k%d":{"k%d":1},`, i, i)
		}
		return b.String() + more + "}"
	}
	for _, n := range []int{1, 15, 16, 17, 18, 100, 5000} {
		require.Nil(t, check(object(n, `"last":1`), nil, skip), n)
		for _, again := range []int{0, n / 2, n - 1} {
			e := check(object(n, fmt.Sprintf(`"k%d":1`, again)), nil, skip)
			require.NotNil(t, e, n)
			require.Equal(t, codec.Duplicate, e.Kind)
			e = check(object(n, fmt.Sprintf(`"\u006b%d":1`, again)), nil, skip)
			require.NotNil(t, e, n)
			require.Equal(t, codec.Duplicate, e.Kind)
		}
	}
}

func TestLaxText(t *testing.T) {
	d := reader("{\"a\":\"x\xffy\\ud83dz\",\"a\":\"\\ude00\"}")
	d.Lax = true
	var got []string
	for d.Object(); d.More(); {
		got = append(got, string(d.Key())+"="+d.String())
	}
	d.End()
	require.NoError(t, d.Err())
	assert.Equal(t, []string{"a=x\uFFFDy\uFFFDz", "a=\uFFFD"}, got)

	d = reader("[\"a\xffb\"]")
	d.Lax = true
	assert.Equal(t, "[\"a\uFFFDb\"]", string(d.Raw()))
}

// A peer that never negotiated may send unknown members, as many as a line
// holds, and each twice: reading them must not cost more than reading.
func TestExtraOfLaxText(t *testing.T) {
	extra := func(text string) string {
		var e codec.Extra
		d := reader(text)
		d.Lax = true
		for d.Object(); d.More(); {
			d.Extra(&e)
		}
		d.End()
		require.NoError(t, d.Err())
		return string(e)
	}
	assert.Equal(t, `"b":{"x":2},"a":3,"c":[]`, extra(`{"a":1, "b":{"x":1,"x":2}, "\u0061":2, "a":3, "c":[]}`), "the last one counts")

	const n = 1 << 17
	var text, want strings.Builder
	for i := range 2 * n {
		fmt.Fprintf(&text, `,"k%d":%d`, i%n, i)
	}
	for i := range n {
		fmt.Fprintf(&want, `,"k%d":%d`, i, n+i)
	}
	// What is quadratic in this many names does not end within a test's time.
	got := extra("{" + text.String()[1:] + "}")
	assert.True(t, want.String()[1:] == got, "each once, in order")
	got = extra(`{"of":{` + text.String()[1:] + `}}`)
	assert.True(t, `"of":{`+want.String()[1:]+`}` == got, "and so in what is kept of one")
}

func TestIntegers(t *testing.T) {
	for text, want := range map[string]int64{
		`0`: 0, `-0`: 0, `7`: 7, `-12`: -12, `1.0`: 1, `1e3`: 1000, `1E+3`: 1000, `12.50e1`: 125, `100e-2`: 1,
		`9007199254740991`: codec.MaxInt, `-9007199254740991`: -codec.MaxInt, `0e999999999999`: 0, `0.000`: 0,
		`9007199254740991.00000000000000000`: codec.MaxInt, `900719925474099100000000000e-11`: codec.MaxInt,
		`999999999999999`: 999999999999999, `0.00000000000000000000000001e26`: 1,
	} {
		d := reader(text)
		assert.Equal(t, want, d.Int64(), text)
		d.End()
		assert.NoError(t, d.Err(), text)
	}
	for text, kind := range map[string]codec.Kind{
		`9007199254740992`: codec.Bounds, `-9007199254740993`: codec.Bounds, `1e16`: codec.Bounds, `1e400`: codec.Bounds,
		`1e999999999999`: codec.Bounds, `123456789012345678901234567890`: codec.Bounds,
		`1.5`: codec.Type, `1e-1`: codec.Type, `1e-999999999999`: codec.Type, `0.1`: codec.Type,
		`01`: codec.Syntax, `-01`: codec.Syntax, `00`: codec.Syntax, `1.e3`: codec.Syntax, `-`: codec.Syntax, `- 1`: codec.Syntax, `1x`: codec.Syntax,
		`"1"`: codec.Type, `null`: codec.Type, `true`: codec.Type, `[]`: codec.Type, `{}`: codec.Type, ``: codec.Syntax,
	} {
		e := check(text, nil, func(d *codec.Decoder) { d.Int64() })
		if assert.NotNil(t, e, text) {
			assert.Equal(t, kind, e.Kind, "%s: %s", text, e)
		}
	}
}

func TestWide(t *testing.T) {
	d := reader(`["9223372036854775807","-9223372036854775808",5]`)
	got := codec.List(d, (*codec.Decoder).Wide)
	require.NoError(t, d.Err())
	assert.Equal(t, []int64{math.MaxInt64, math.MinInt64, 5}, got)

	for text, kind := range map[string]codec.Kind{
		`5`: codec.Type, `"9223372036854775808"`: codec.Bounds, `"05"`: codec.Type, `"+5"`: codec.Type, `""`: codec.Type, `" 5"`: codec.Type,
	} {
		e := check(text, strict, func(d *codec.Decoder) { d.Wide() })
		if assert.NotNil(t, e, text) {
			assert.Equal(t, kind, e.Kind, "%s: %s", text, e)
		}
	}
}

func TestFloat(t *testing.T) {
	d := reader(`1.25e-3`)
	assert.Equal(t, 1.25e-3, d.Float64())
	require.NoError(t, d.Err())
	e := check(`1e400`, nil, func(d *codec.Decoder) { d.Float64() })
	require.NotNil(t, e)
	assert.Equal(t, codec.Bounds, e.Kind)
}

func TestMismatchSaysWhatItFound(t *testing.T) {
	d := reader(`{"params":{"contentBlocks":[{},{},{"text":5}]}}`)
	for d.Object(); d.More(); {
		for d.Object(); d.More(); {
			for d.Array(); d.Next(); {
				for d.Object(); d.More(); {
					assert.Empty(t, d.String())
				}
			}
		}
	}
	require.EqualError(t, d.Err(), "params.contentBlocks[2].text: want a string, found a number (byte 42)")
	assert.Empty(t, d.String(), "errors are sticky")
	assert.False(t, d.More())
	assert.Zero(t, d.Peek())
}

func TestParseRaw(t *testing.T) {
	r, err := codec.ParseRaw([]byte(" {\"a\": 1}\n"))
	require.NoError(t, err)
	assert.Equal(t, `{"a": 1}`, string(r))
	for _, text := range []string{"", "{", "1 2", `{"a":1,"a":2}`, "\"\xff\""} {
		_, err := codec.ParseRaw([]byte(text))
		assert.Error(t, err, text)
		assert.False(t, codec.Raw(text).Valid(), text)
	}
}

func TestHugeTextAgainAndAgain(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"a":"\u0041` + strings.Repeat("x", 1<<20) + `"`)
	for i := range 20000 {
		fmt.Fprintf(&b, `,"\u006b%d":1`, i)
	}
	b.WriteByte('}')
	text := []byte(b.String())
	d := new(codec.Decoder)
	for range 3 { // and works as well the next time
		d.Reset(text)
		for d.Object(); d.More(); {
			if string(d.Key()) == "a" {
				assert.Len(t, d.String(), 1<<20+1)
			} else {
				d.Skip()
			}
		}
		d.End()
		require.NoError(t, d.Err())
	}
}

func TestCheckBytes(t *testing.T) {
	for n, want := range map[int]string{0: "1 to 3 bytes", 1: "", 3: "", 4: "1 to 3 bytes"} {
		d := &codec.Decoder{Strict: true}
		d.Reset([]byte("0"))
		d.CheckBytes(n, 1, 3)
		if want == "" {
			assert.NoError(t, d.Err())
		} else {
			assert.ErrorContains(t, d.Err(), want)
		}
	}
	lenient := &codec.Decoder{}
	lenient.CheckBytes(9, 0, 3)
	assert.NoError(t, lenient.Err())
}

func TestAppend(t *testing.T) {
	assert.Equal(t, `"<a>&\"\\\n\u0001`+"\u2028\x7f\uFFFD"+`"`, string(codec.AppendString(nil, "<a>&\"\\\n\x01\u2028\x7f\xff")))
	assert.Equal(t, `null`, string(codec.AppendFloat(nil, math.NaN())))
	assert.Equal(t, `"-5"`, string(codec.AppendWide(nil, -5)))
	assert.Equal(t, `null`, string(codec.AppendRaw(nil, nil)))
	assert.NotContains(t, string(codec.AppendRaw(nil, codec.Raw("{\r\n\"a\":1}"))), "\n", "a frame is one line")
	assert.Equal(t, `{"a":1,"b":null}`, string(codec.AppendMap(nil, map[string]codec.Raw{"b": nil, "a": codec.Raw("1")}, codec.AppendRaw)))
	for _, f := range []float64{0, 1, -1.5, 1e20, 1e21, 1e-6, 1e-7, 1.5e-9, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		want, err := json.Marshal(f)
		require.NoError(t, err)
		assert.Equal(t, string(want), string(codec.AppendFloat(nil, f)))
	}
}

func TestChecks(t *testing.T) {
	read := func(d *codec.Decoder) {
		s := d.String()
		codec.CheckLength(d, s, 1, 3)
	}
	assert.Nil(t, check(`"äöü"`, strict, read))
	assert.Nil(t, check(`""`, nil, read), "not strict")
	e := check(`"äöüß"`, strict, read)
	require.NotNil(t, e)
	assert.Equal(t, "want a string of 1 to 3 characters", e.Msg)
	assert.Equal(t, codec.Bounds, e.Kind)
}

func TestReuseAllocatesNothing(t *testing.T) {
	text := []byte(`{"a":[1,2,{"b":"c","x":"\u00e4"}],"e":5,"d":[true,null,1.5e3],"unknown":{"k":1,"l":2}}`)
	members := codec.NewMembers(codec.Required("a"), codec.Required("d"), codec.Required("e"))
	d := new(codec.Decoder)
	n := testing.AllocsPerRun(100, func() {
		d.Reset(text)
		for d.Struct(members); d.More(); {
			switch string(d.Key()) {
			case "e":
				d.Int64()
			default:
				d.Skip()
			}
		}
		d.End()
		if d.Err() != nil {
			t.Fatal(d.Err())
		}
	})
	assert.Zero(t, n)
}

func TestInterner(t *testing.T) {
	var in codec.Interner
	b := []byte("session-1")
	s := in.String(b)
	assert.Equal(t, "session-1", s)
	assert.Zero(t, testing.AllocsPerRun(100, func() { in.String(b) }))
	long := []byte(strings.Repeat("x", 1000))
	assert.Equal(t, string(long), in.String(long))
	for i := range 1000 {
		key := fmt.Sprint(i)
		assert.Equal(t, key, in.String([]byte(key)))
	}
}

// What is kept of lax text may be written to strict readers.
func TestLaxTextIsKeptAsStrictText(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": [1.50, null], "b":"\u00e9"}`:               `{"a": [1.50, null], "b":"\u00e9"}`,
		`[{"a":1,"b":2,"\u0061":3}]`:                      `[{"b":2,"a":3}]`,
		"{\"a\xff\":\"b\xff\",\"c\":[true,-0.0e1]}":       "{\"a\uFFFD\":\"b\uFFFD\",\"c\":[true,-0.0e1]}",
		`{"a":"\ud83d","\ud83d":{"x":[],"x":{}},"n": 01}`: "",
		`["\ud83d","\ud83d\ude00",[]]`:                    "[\"\uFFFD\",\"😀\",[]]",
	} {
		d := reader(in)
		d.Lax = true
		got := d.Raw()
		if want == "" {
			require.Error(t, d.Err())
			continue
		}
		require.NoError(t, d.Err(), in)
		assert.Equal(t, want, string(got))
		assert.NoError(t, codec.Validate(got, 0))

		var e codec.Extra
		d = reader(`{"k\ud83d":1,"k` + "\xff" + `":` + in + `}`)
		d.Lax = true
		for d.Object(); d.More(); {
			d.Extra(&e)
		}
		require.NoError(t, d.Err())
		assert.Equal(t, "\"k\uFFFD\":"+want, string(e), "both names are the same now: the last counts")
	}
}

func TestPathsQuoteNames(t *testing.T) {
	members := codec.NewMembers(codec.Required("a.b"))
	e := check(`{"x y":{}}`, strict, func(d *codec.Decoder) {
		for d.Object(); d.More(); {
			for d.Struct(members); d.More(); {
				d.Skip()
			}
		}
	})
	require.NotNil(t, e)
	assert.Equal(t, `["x y"]["a.b"]`, e.Path)
}

func TestStrings(t *testing.T) {
	for text, want := range map[string][]string{
		`[]`: {}, `["a"]`: {"a"}, `["a\n","","\u00fc","ü","b"]`: {"a\n", "", "ü", "ü", "b"},
	} {
		var d codec.Decoder
		d.Reset([]byte(text))
		assert.Equal(t, want, codec.Strings(&d), text)
		d.End()
		require.NoError(t, d.Err(), text)
	}
	var d codec.Decoder
	d.Reset([]byte(`["a",1]`))
	codec.Strings(&d)
	assert.ErrorContains(t, d.Err(), "want a string")

	// However long the list, it is a few allocations.
	long := []byte(`["` + strings.Repeat(`word","`, 1000) + `"]`)
	allocs := testing.AllocsPerRun(10, func() {
		d.Reset(long)
		codec.Strings(&d)
	})
	assert.LessOrEqual(t, allocs, 2.0)
}

func TestBlock(t *testing.T) {
	var k codec.Block
	var got, want []string
	for i := range 5000 {
		s := strings.Repeat(string(rune('a'+i%26)), i%300) // some too long for a block
		got, want = append(got, k.String([]byte(s))), append(want, s)
	}
	assert.Equal(t, want, got, "what is put in later does not change what is there")

	var d codec.Decoder
	d.Block = &k
	text := []byte(`"forty bytes, as a burst of a model may be"`)
	allocs := testing.AllocsPerRun(1000, func() {
		d.Reset(text)
		_ = d.String()
	})
	assert.Less(t, allocs, 0.1)
}

func TestPieces(t *testing.T) {
	var p codec.Pieces
	var want strings.Builder
	for i := range 3000 {
		s := strings.Repeat(string(rune('a'+i%26)), i%50)
		p.Add(s)
		want.WriteString(s)
	}
	p.Add(strings.Repeat("long", 50_000))
	want.WriteString(strings.Repeat("long", 50_000))
	assert.Equal(t, want.Len(), p.Len())
	assert.Equal(t, want.String(), p.String())
	p.Reset()
	p.Add("x")
	assert.Equal(t, "x", p.String())
}
