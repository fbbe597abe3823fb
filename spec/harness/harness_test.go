// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/spec"
	"github.com/accordkit/accord/spec/model"
)

// declared is the protocol as data, without texts and places. The names stand
// in for the variables', which only the loader knows.
var declared = sync.OnceValues(func() (*model.Protocol, []spec.Problem) {
	names := map[string]any{"Harness": Harness, "Negotiation": Negotiation}
	lists := reflect.ValueOf(*Harness)
	for i := range lists.NumField() {
		list := lists.Field(i)
		if list.Kind() != reflect.Slice || lists.Type().Field(i).Name == "Types" {
			continue
		}
		for j := range list.Len() {
			names[fmt.Sprintf("%s%d", lists.Type().Field(i).Name, j)] = list.Index(j).Interface()
		}
	}
	return spec.Model(Harness, names)
})

func theModel(t *testing.T) *model.Protocol {
	t.Helper()
	m, problems := declared()
	require.Empty(t, problems)
	return m
}

func TestDeclarationHasNoProblems(t *testing.T) { theModel(t) }

// Every package variable that is a declaration is in a list: the loader says so
// too, but only to who runs it.
func TestEveryDeclarationIsListed(t *testing.T) {
	m := theModel(t)
	listed := len(m.Scopes) + len(m.Capabilities) + len(m.Errors) + len(m.Notifications) + len(m.Links) +
		len(m.Activities) + len(m.Methods) + len(m.Machines) + len(m.Generations) + len(m.Limits) + len(m.Rules) +
		2 // the protocol and the negotiation
	for _, a := range m.Activities {
		listed += len(a.Outcomes)
	}
	for _, x := range m.Methods {
		listed += len(x.Steps)
	}
	differs := map[string]bool{}
	for _, g := range m.Generations {
		for _, d := range g.Differs {
			differs[d.ID] = true
		}
	}
	listed += len(differs)

	files, err := os.ReadDir(".")
	require.NoError(t, err)
	declarations := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				if u, ok := v.Values[0].(*ast.UnaryExpr); ok && u.Op == token.AND {
					declarations++
				}
			}
		}
	}
	assert.Equal(t, declarations, listed)
}

func union(t *testing.T, name string) *model.Type {
	t.Helper()
	for _, x := range theModel(t).Types {
		if x.Name == name {
			require.NotNil(t, x.Union, name)
			return x
		}
	}
	require.Fail(t, "no such type", name)
	return nil
}

// The event vocabulary is closed: exactly the types that the newest peers know,
// and those that only older ones write.
func TestEventTypes(t *testing.T) {
	text, err := os.ReadFile("testdata/known-event-types.txt")
	require.NoError(t, err)
	known := strings.Fields(string(text))
	require.Len(t, known, 62)

	var newest, older []string
	for _, v := range union(t, "Event").Union.Variants {
		if v.Only == "" {
			newest = append(newest, v.Wire)
		} else {
			older = append(older, v.Wire)
		}
	}
	slices.Sort(newest)
	slices.Sort(older)
	assert.Equal(t, known, newest)
	assert.Equal(t, []string{"assistant/chunk", "tool/code-dispatch", "tool/code-dispatch-start"}, older)
}

func TestEachVariantHasATypeOfItsOwn(t *testing.T) {
	for _, x := range theModel(t).Types {
		if x.Union == nil {
			continue
		}
		seen := map[string]string{}
		for _, v := range x.Union.Variants {
			assert.Emptyf(t, seen[v.Type], "%s: %s and %s share %s", x.Name, seen[v.Type], v.Wire, v.Type)
			seen[v.Type] = v.Wire
		}
	}
}

func TestEndReasons(t *testing.T) {
	var kinds []string
	for _, v := range union(t, "EndReason").Union.Variants {
		kinds = append(kinds, v.Wire)
	}
	assert.Equal(t, []string{"completed", "aborted", "blocked", "error", "max-tokens", "interrupted", "forked", "withdrawn"}, kinds)
}

// The numbers and retry classes are a promise to programs: a change here is a
// change of the protocol.
func TestErrors(t *testing.T) {
	want := []string{
		"parse-error -32700 never", "invalid-request -32600 never", "invalid-params -32602 never",
		"limit-exceeded -32600 never", "internal -32603 same-key", "unsupported -32601 never",
		"not-initialized -32603 after", "session-not-found -32002 never", "session-closed -32002 after",
		"session-mismatch -32602 never", "acp-client -32602 never", "version-unsupported -32022 never",
		"request-cancelled -32800 same-key", "session-exists 1001 never", "session-busy 1002 after",
		"session-locked 1003 after", "session-fenced 1004 reload", "session-damaged 1005 never",
		"format-unsupported 1006 never", "idempotency-conflict 1007 never", "overloaded 1008 after",
		"shutting-down 1009 after", "store-failed 1010 same-key", "connection-lost 1101 reload", "lagging 1102 reload",
	}
	var got []string
	for _, e := range theModel(t).Errors {
		got = append(got, fmt.Sprint(e.Kind, " ", e.Code, " ", e.Retry))
	}
	assert.Equal(t, want, got)
}

// Each capability is a member of what its side announces, and the other way
// round.
func TestCapabilitiesAreMembers(t *testing.T) {
	members := map[string][]string{
		model.Server: switches(reflect.TypeFor[RuntimeCapabilities](), ""),
		model.Client: switches(reflect.TypeFor[ClientCapabilities](), ""),
	}
	got := map[string][]string{}
	for _, c := range theModel(t).Capabilities {
		got[c.Of] = append(got[c.Of], c.Name)
	}
	for side := range members {
		assert.ElementsMatch(t, members[side], got[side], side)
	}
}

func switches(t reflect.Type, prefix string) []string {
	var out []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch f.Type.Kind() {
		case reflect.Pointer:
			out = append(out, switches(f.Type.Elem(), prefix+name+".")...)
		case reflect.Bool:
			out = append(out, prefix+name)
		}
	}
	return out
}

// A client must be able to refuse what a runtime lacks: every method beyond the
// oldest generation is announced by a capability.
func TestMethodsBeyondTheOldestNeedACapability(t *testing.T) {
	for _, m := range theModel(t).Methods {
		if slices.Contains(m.Lacks, "dsh-0.1") {
			assert.NotEmpty(t, m.Needs, m.Name)
		} else {
			assert.Empty(t, m.Needs, m.Name)
		}
	}
}

// What hangs in a close is named by a step, and the steps fit into the close.
func TestCloseSteps(t *testing.T) {
	m := theModel(t)
	var names, values []string
	var total, whole int64
	for _, x := range m.Methods {
		if x.Name != Close.Name {
			continue
		}
		for _, s := range x.Steps {
			names = append(names, s.Name)
			if !s.Beside {
				total += s.BoundMS
			}
		}
	}
	for _, l := range m.Limits {
		if l.Name == "close" {
			whole = l.Value
		}
	}
	for _, s := range []CloseStep{
		CloseRefuse, CloseDrain, CloseCancel, CloseAfterWork, CloseChildren, ClosePermissions, CloseCommands, CloseJoin, CloseRelease, CloseFlush,
	} {
		values = append(values, string(s))
	}
	assert.Equal(t, values, names)
	assert.LessOrEqual(t, total, whole)
}
