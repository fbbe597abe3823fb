// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"
)

// prompt is what matters of a session/prompt frame.
type prompt struct {
	session string
	text    string
}

// promptOf reads a session/prompt frame; nil for any other.
func promptOf(frame []byte) *prompt {
	var f struct {
		Method string `json:"method"`
		Params struct {
			SessionID     string `json:"sessionId"`
			ContentBlocks []struct {
				Text string `json:"text"`
			} `json:"contentBlocks"`
		} `json:"params"`
	}
	if json.Unmarshal(frame, &f) != nil || f.Method != "session/prompt" {
		return nil
	}
	p := &prompt{session: f.Params.SessionID}
	for _, b := range f.Params.ContentBlocks {
		p.text += b.Text
	}
	return p
}

// methodOf is a frame's method and, when there is one, its session.
func methodOf(frame []byte) (method, session string) {
	var f struct {
		Method string `json:"method"`
		Params struct {
			SessionID string `json:"sessionId"`
		} `json:"params"`
	}
	// A frame whose params are of another shape still has its method.
	_ = json.Unmarshal(frame, &f)
	return f.Method, f.Params.SessionID
}

// seqContiguous reports whether the live events of each session follow each
// other without a gap.
func (s *seen) seqContiguous() bool {
	last := map[string]int64{}
	for _, e := range s.events {
		if prev, ok := last[e.session]; ok && e.seq != prev+1 {
			return false
		}
		last[e.session] = e.seq
	}
	return len(last) > 0
}

// closedByHost are the closed sessions without those whose session.closed was
// written after the client had asked for the runtime's end, which closes all.
func (s *seen) closedByHost() map[string]string {
	var end time.Time
	for _, l := range s.sent {
		if m, _ := methodOf(l.data); m == "shutdown" && end.IsZero() {
			end = l.at
		}
	}
	closed := maps.Clone(s.closed)
	for _, w := range s.written {
		if m, session := methodOf(w.text); m == "session.closed" && !end.IsZero() && w.at.After(end) {
			delete(closed, session)
		}
	}
	return closed
}

// nothingHangs reports whether every host action came to an end.
func (s *seen) nothingHangs() bool {
	for _, a := range s.actions {
		if !a.over() {
			return false
		}
	}
	return true
}

// eventsBeforeReply counts the events that were written before the first
// resume was answered.
func (s *seen) eventsBeforeReply() (int64, bool) {
	a := s.first("resume", "load")
	if a == nil {
		return 0, false
	}
	id := ""
	for _, l := range s.sent {
		if m, session := methodOf(l.data); (m == "session/resume" || m == "session/load") && session == a.session {
			if f, err := members(l.data); err == nil {
				id = string(f["id"])
			}
			break
		}
	}
	n := int64(0)
	for _, w := range s.written {
		f, err := members(w.text)
		if err != nil {
			continue
		}
		if f["method"] == nil && string(f["id"]) == id {
			return n, true
		}
		if string(f["method"]) == `"session.event"` {
			n++
		}
	}
	return n, true
}

// checkRoundTrip holds when each named value came out of the client, decoded
// and encoded again, byte for byte as the runtime wrote it. A value is named
// by its first word: a member's name, a block's or event's type, or a number.
func checkRoundTrip(c *checker, path string, want any) {
	names, ok := want.([]any)
	if !ok {
		c.unknown(path)
		return
	}
	out := c.seen.encodedAgain()
	for _, n := range names {
		name, _ := n.(string)
		word, _, _ := strings.Cut(name, " ")
		at := fmt.Sprintf("%s[%q]", path, name)
		values := occurrences(c.seen.written, word)
		if len(values) == 0 {
			c.add(at, "the script writes no member, type or number of that name")
			continue
		}
		why := ""
		for _, v := range values {
			if !strings.Contains(out, v) {
				why = "was written as " + short(v) + " and did not come out so"
				break
			}
		}
		c.add(at, why)
	}
}

// encodedAgain is everything that the client handed out, encoded by it.
func (s *seen) encodedAgain() string {
	var b strings.Builder
	for _, e := range s.events {
		b.Write(e.params)
		b.WriteByte('\n')
	}
	for _, r := range s.receipts {
		b.Write(r)
		b.WriteByte('\n')
	}
	for _, n := range s.unknown {
		b.Write(n.params)
		b.WriteByte('\n')
	}
	return b.String()
}

// occurrences are the texts that a name stands for in the runtime's frames.
func occurrences(frames []writtenFrame, word string) []string {
	var found []string
	for _, f := range frames {
		found = append(found, occurrencesIn(f.text, word)...)
	}
	return found
}

func occurrencesIn(text []byte, word string) []string {
	var found []string
	if m, err := members(text); err == nil {
		for _, k := range sortedKeys(m) {
			if k == word {
				found = append(found, encode(k)+":"+string(m[k]))
			}
			if k == "type" && string(m[k]) == encode(word) {
				found = append(found, string(text))
			}
			found = append(found, occurrencesIn(m[k], word)...)
		}
		return found
	}
	var list []json.RawMessage
	if json.Unmarshal(text, &list) == nil {
		for _, v := range list {
			found = append(found, occurrencesIn(v, word)...)
		}
		return found
	}
	if string(text) == word {
		found = append(found, word)
	}
	return found
}
