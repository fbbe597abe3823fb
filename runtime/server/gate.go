// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/accordkit/accord/runtime/codec"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// Rules is what must hold before a method's handler runs, as its declaration
// has it.
type Rules struct {
	Method    string
	Before    bool       // works before negotiation
	Asked     string     // the member with the version that is asked for, of the method that negotiates
	Prechecks []Precheck // in order; the first that applies counts
	Refusals  []Refusal  // in order; only for peers that never negotiated
	Together  []Together
}

// Precheck refuses a call by which members are there, before anything else.
type Precheck struct {
	Present []string // all of these are
	Absent  []string // and none of these
	Error   func() error
}

// Together says which members of params need or exclude each other.
type Together struct {
	Exclude bool // at most one may be there; otherwise all or none
	Members []string
}

// Gate stands before the handlers of one connection. Its first fields are set
// once, before the connection is served.
type Gate struct {
	Rules   []Rules                   // by jsonrpc.Op; the first is not used
	Unknown func(method string) error // the error for a method that there is not
	Early   func() error              // the error for a method that comes before negotiation; nil: there is none

	opened  atomic.Bool
	version atomic.Int64

	mu     sync.Mutex // guards what follows, and writing the two above
	offers []byte
}

// Admit says why a request may not run, nil if it may. The order of the checks
// is that of the protocol: unknown methods, what members are there, the texts
// that come first for peers that never negotiated, negotiation, their other
// texts, and then whether params could be read.
func (g *Gate) Admit(r *jsonrpc.Request) error {
	if r.Op == 0 || int(r.Op) >= len(g.Rules) {
		return g.Unknown(r.Method)
	}
	rules := &g.Rules[r.Op]
	opened, version := g.Opened(), g.Version()
	if err := precheck(rules.Prechecks, r.Raw); err != nil {
		return AsNegotiated(err)
	}
	legacy := version == 0 && len(rules.Refusals) > 0
	if legacy {
		if err := Refuse(rules.Refusals, r.Raw, true); err != nil {
			return err
		}
	}
	if !opened && !rules.Before && g.Early != nil {
		return g.Early()
	}
	if r.Err != nil && rules.Asked != "" && pathOf(r.Err) == rules.Asked {
		return AsNegotiated(invalid(r.Err)) // who asks for a version knows what a version is
	}
	if legacy {
		if err := Refuse(rules.Refusals, r.Raw, false); err != nil {
			return err
		}
	}
	if r.Err != nil {
		return invalid(r.Err)
	}
	return together(rules.Together, r.Raw)
}

// Opened says whether negotiation has succeeded.
func (g *Gate) Opened() bool { return g.opened.Load() }

// Version is the version that was agreed on; 0 until then, and for a peer that
// named none.
func (g *Gate) Version() int64 { return g.version.Load() }

// Agree chooses the highest version at or below the one asked for. ok is false
// if there is none. A peer that asks for none gets 0.
func Agree(asked *int64, spoken ...int64) (version int64, ok bool) {
	if asked == nil {
		return 0, true
	}
	for _, v := range spoken {
		if v <= *asked && v > version {
			version = v
		}
	}
	return version, version > 0
}

// Again says whether a negotiation that comes again asks for the same as the
// first. offers is the JSON text of what the peer offers, empty for nothing;
// versionMember and offersMember name the members in the error.
func (g *Gate) Again(version int64, offers []byte, versionMember, offersMember string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case !g.Opened():
		return nil
	case version != g.Version():
		return AsNegotiated(&jsonrpc.Fault{
			Kind: jsonrpc.ParamsFault, Path: versionMember, Detail: "the version was agreed on before and cannot change",
		})
	case !bytes.Equal(something(offers), something(g.offers)):
		return &jsonrpc.Fault{
			Kind: jsonrpc.ParamsFault, Path: offersMember, Detail: "capabilities were announced before and cannot change",
		}
	}
	return nil
}

// something is nil for offers of nothing, however that is said: an offer that is
// false is written as if it were absent.
func something(offers []byte) []byte {
	if string(offers) == "{}" {
		return nil
	}
	return offers
}

// Open records that negotiation has succeeded.
func (g *Gate) Open(version int64, offers []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.offers = offers
	g.version.Store(version)
	g.opened.Store(true)
}

// invalid makes a fault of what was wrong with params.
func invalid(err error) error {
	var wrong *codec.Error
	if errors.As(err, &wrong) {
		return &jsonrpc.Fault{Kind: jsonrpc.ParamsFault, Path: wrong.Path, Detail: detail(wrong), Err: err}
	}
	return err
}

// detail says what was wrong with which member; never its value.
func detail(e *codec.Error) string {
	if e.Path == "" {
		return "params: " + e.Msg
	}
	return e.Path + ": " + e.Msg
}

func pathOf(err error) string {
	var wrong *codec.Error
	if errors.As(err, &wrong) {
		return wrong.Path
	}
	return ""
}

func precheck(checks []Precheck, raw []byte) error {
	for _, c := range checks {
		if len(present(raw, c.Present)) == len(c.Present) && len(present(raw, c.Absent)) == 0 {
			return c.Error()
		}
	}
	return nil
}

func together(rules []Together, raw []byte) error {
	for _, t := range rules {
		there := present(raw, t.Members)
		switch {
		case t.Exclude && len(there) > 1:
			return &jsonrpc.Fault{Kind: jsonrpc.ParamsFault, Path: there[1], Detail: there[1] + ": not together with " + there[0]}
		case !t.Exclude && len(there) > 0 && len(there) < len(t.Members):
			missing := t.Members[slices.IndexFunc(t.Members, func(m string) bool { return !slices.Contains(there, m) })]
			return &jsonrpc.Fault{Kind: jsonrpc.ParamsFault, Path: missing, Detail: missing + ": needed together with " + there[0]}
		}
	}
	return nil
}

// present gives those of the named members that params have, in the order of
// the names. A member that is null is there.
func present(raw []byte, members []string) []string {
	if len(raw) == 0 || len(members) == 0 {
		return nil
	}
	seen := make([]bool, len(members))
	d := codec.Decoder{Lax: true}
	d.Reset(raw)
	for d.Object(); d.More(); d.Skip() {
		for i, m := range members {
			if m == string(d.Key()) {
				seen[i] = true
			}
		}
	}
	var out []string
	for i, m := range members {
		if seen[i] {
			out = append(out, m)
		}
	}
	return out
}
