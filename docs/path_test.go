// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// longestWay is how many steps the way of an idempotency key has at most.
const longestWay = 16

// hop is one row of the page of the path of a frame.
type hop struct {
	pkg, function, next string
}

var hopRow = regexp.MustCompile("^\\|(?: \\d+ \\|)? `([^`]+)` \\| `([^`]+)` \\| (\\S*) ?\\|$")

// paths returns the page's tables.
func paths(t *testing.T, page string) (tables [][]hop) {
	inside := false
	for line := range strings.Lines(read(t, page)) {
		m := hopRow.FindStringSubmatch(strings.TrimSpace(line))
		if m != nil && !inside {
			tables = append(tables, nil)
		}
		if inside = m != nil; inside {
			last := &tables[len(tables)-1]
			*last = append(*last, hop{m[1], m[2], m[3]})
		}
	}
	return tables
}

// functions returns what each function or method of a package mentions, by its
// name: Type.method, for an interface too.
func functions(t *testing.T, dir string) map[string]map[string]bool {
	t.Helper()
	found := make(map[string]map[string]bool)
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(dir), "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files, dir)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				mentions := make(map[string]bool)
				ast.Inspect(f.Body, func(n ast.Node) bool {
					if call, ok := n.(*ast.SelectorExpr); ok {
						mentions[call.Sel.Name] = true
					}
					return true
				})
				found[receiver(f.Recv.List[0].Type)+"."+f.Name.Name] = mentions
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.TypeSpec); ok {
				if i, ok := s.Type.(*ast.InterfaceType); ok {
					for _, m := range i.Methods.List {
						for _, name := range m.Names {
							found[s.Name.Name+"."+name.Name] = nil
						}
					}
				}
			}
			return true
		})
	}
	return found
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// The functions of the page exist, and call each other as it says; both
// languages have the same, and the longest way gets no longer.
func TestThePathOfAFrame(t *testing.T) {
	words := map[string]string{"call": "调用", "return": "返回", "queue": "队列", "wire": "连接", "": ""}
	english, chinese := paths(t, "the-path-of-a-frame.md"), paths(t, "the-path-of-a-frame.zh.md")
	require.Len(t, english, 6)
	require.Len(t, chinese, len(english))
	packages := make(map[string]map[string]map[string]bool)
	for i, table := range english {
		require.Len(t, chinese[i], len(table))
		for j, h := range table {
			want, known := words[h.next]
			assert.True(t, known, "%s leads on by %q: the words are call, return, queue and wire", h.function, h.next)
			assert.Equal(t, hop{h.pkg, h.function, want}, chinese[i][j])
			of := packages[h.pkg]
			if of == nil {
				of = functions(t, h.pkg)
				packages[h.pkg] = of
			}
			mentions, there := of[h.function]
			assert.True(t, there, "package %s has no %s: the page docs/the-path-of-a-frame.md has to follow the code", h.pkg, h.function)
			if there && h.next == "call" {
				require.Less(t, j+1, len(table), "%s calls what is not in the table", h.function)
				_, next, _ := strings.Cut(table[j+1].function, ".")
				assert.True(t, mentions[next], "%s does not call %s", h.function, table[j+1].function)
			}
		}
	}
	assert.LessOrEqual(t, len(english[len(english)-1]), longestWay, "the way of an idempotency key is longer than it was")
}
