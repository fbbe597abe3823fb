// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// seen gathers what the script showed, for the expectations.
func (p *player) seen() *seen {
	h := p.host
	s := &seen{
		actions: h.all(), named: map[string]*action{}, frames: map[string]int{},
		written: p.framesWritten(), exited: p.exited, quiets: p.quiets, quietLeak: p.quietLeak, pending: p.idleSeen,
		lineLimit: lineLimit, overLimit: probeLimit,
	}
	for _, a := range s.actions {
		s.named[a.name] = a
	}
	if p.subject != nil {
		p.subject.translate(s)
	}
	p.link.mu.Lock()
	s.launches = p.link.launches
	s.sent = slices.Clone(p.link.all)
	// What the client wrote to a process that the script ended anyway does not
	// matter.
	if !p.link.gone || p.exited.IsZero() {
		for _, l := range p.link.lines {
			if !isComplaint(l.data) {
				s.unexpected = append(s.unexpected, l.data)
			}
		}
	}
	p.link.mu.Unlock()
	s.group = h.group()
	s.linesWritten = p.lines
	if l := h.current(); l != nil && s.launches == 1 {
		s.linesRead = int(l.rt.Counters().LinesIn)
	}
	if p.c.Script != "" {
		s.blind = true
		// Without the file it was never launched.
		tally, _ := os.ReadFile(p.link.tally())
		pids := strings.Fields(string(tally))
		s.launches = len(pids)
		if s.launches > 0 && s.group == 0 { // it may be gone before the client has it
			s.group, _ = strconv.Atoi(pids[s.launches-1])
		}
	}
	for _, l := range s.sent {
		if m, _ := methodOf(l.data); m != "" {
			s.frames[m]++
		}
	}
	if s.group != 0 {
		s.survivors = groupMembers(s.group)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s.events = slices.Clone(h.events)
	s.unknown = slices.Clone(h.unknown)
	s.receipts = slices.Clone(h.receipts)
	s.diagnoses = slices.Clone(h.diagnoses)
	s.leaks = slices.Clone(h.leaks)
	s.closed = maps.Clone(h.closed)
	s.closedBefore = s.closedByHost()
	return s
}

// translate gives message ids the names that the script has for them.
func (x *subjectSide) translate(s *seen) {
	script := map[string]string{}
	for name, actual := range x.actual {
		script[actual] = name.id
	}
	rename := func(id string) string {
		if name, ok := script[id]; ok {
			return name
		}
		return id
	}
	for i, id := range s.pending {
		s.pending[i] = rename(id)
	}
	for _, a := range s.actions {
		a.mu.Lock()
		a.messageID = rename(a.messageID)
		for k, v := range a.members {
			if list, ok := v.([]any); ok {
				for i := range list {
					if id, ok := list[i].(string); ok {
						list[i] = rename(id)
					}
				}
			}
			if id, ok := v.(string); ok {
				a.members[k] = rename(id)
			}
		}
		a.mu.Unlock()
	}
}
