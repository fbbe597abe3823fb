// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"github.com/accordkit/accord/runtime/codec"
)

// exactInt is what a JSON text is as an integer within bounds, by other means.
func exactInt(text string) (n int64, ok bool) {
	text = strings.Trim(text, " \t\r\n")
	if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') || !json.Valid([]byte(text)) {
		return 0, false
	}
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		var err error
		if exponent, err = strconv.Atoi(text[i+1:]); err != nil || exponent > 4000 || exponent < -4000 {
			// Beyond what a fuzzer's digits could make up for, except for zero.
			return 0, strings.Trim(text[:i], "-0.") == ""
		}
		mantissa = text[:i]
	}
	r, valid := new(big.Rat).SetString(mantissa)
	if !valid {
		return 0, false
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(exponent, -exponent))), nil)
	if exponent < 0 {
		r.Quo(r, new(big.Rat).SetInt(scale))
	} else {
		r.Mul(r, new(big.Rat).SetInt(scale))
	}
	if !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	n = r.Num().Int64()
	return n, n >= -codec.MaxInt && n <= codec.MaxInt
}
