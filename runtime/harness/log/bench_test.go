// SPDX-License-Identifier: Apache-2.0

package log

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// bigLog is a log of n turns like those that DSH wrote.
func bigLog(b *testing.B, n int) []byte {
	const path = "testdata/golden/v4-raw-plain/sessions/--tmp-ws--/plain/session.v4.jsonl"
	rows, err := all(open(b, path))
	require.NoError(b, err)
	text, err := os.ReadFile(path)
	require.NoError(b, err)
	text = text[:bytes.IndexByte(text, '\n')+1]
	seq := int64(0)
	for turn := range n {
		for _, r := range rows {
			if turn > 0 && (r.Type == "system/message" || r.Type == "request/header") {
				continue
			}
			r.Seq = seq
			r.Data = bytes.Replace(r.Data, []byte(`"turn":1`), fmt.Appendf(nil, `"turn":%d`, turn+1), 1)
			text = append(r.Append(text), '\n')
			seq++
		}
	}
	return text
}

func BenchmarkRead(b *testing.B) {
	raw := bigLog(b, 5000)
	header := raw[:bytes.IndexByte(raw, '\n')+1]
	packed := AppendBatch(AppendBatch(nil, Zstd, header), Zstd, raw[len(header):])
	b.Run("split", func(b *testing.B) {
		b.SetBytes(int64(len(raw)))
		for b.Loop() {
			s := bufio.NewScanner(bytes.NewReader(raw))
			for s.Scan() {
			}
		}
	})
	for name, read := range map[string]func(l *Reader) error{
		"cat": func(l *Reader) error {
			for {
				if _, err := l.Next(); err != nil {
					return err
				}
			}
		},
		"usage":  func(l *Reader) error { _, err := UsageOf(l); return err },
		"verify": func(l *Reader) error { _, err := Verify(l); return err },
	} {
		for e, file := range [][]byte{raw, packed} {
			b.Run(fmt.Sprintf("%s/%d", name, e), func(b *testing.B) {
				b.SetBytes(int64(len(raw)))
				b.ReportAllocs()
				for b.Loop() {
					l, err := NewReader(bytes.NewReader(file), Options{Encoding: Encoding(e), Skim: name != "verify"})
					require.NoError(b, err)
					if err := read(l); err != nil && err != io.EOF {
						b.Fatal(err)
					}
					l.Close()
				}
			})
		}
	}
}
