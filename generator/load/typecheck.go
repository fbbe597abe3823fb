// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sync"

	"golang.org/x/tools/go/packages"
)

func (g *goCommand) packages(ctx context.Context, fset *token.FileSet, mode packages.LoadMode, patterns ...string) ([]*packages.Package, error) {
	pkgs, err := packages.Load(&packages.Config{Context: ctx, Dir: g.dir, Env: g.env, Fset: fset, Mode: mode}, patterns...)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return pkgs, err
}

// check parses and type-checks a package that is looked up, and puts what is
// wrong among its errors. What it imports comes from export data, which only
// these packages are compiled for: the package itself is compiled once, with
// what is laid over it.
func (g *goCommand) check(ctx context.Context, pkg *packages.Package, fset *token.FileSet) error {
	pkg.Syntax = parse(pkg, fset)
	imports := slices.Sorted(maps.Keys(pkg.Imports))
	imported := map[string]*packages.Package{}
	if len(imports) > 0 {
		var paths []string
		for _, i := range imports {
			if p := pkg.Imports[i]; len(p.Errors) == 0 {
				paths = append(paths, p.PkgPath)
			}
		}
		if len(paths) > 0 {
			loaded, err := g.packages(ctx, fset, packages.NeedName|packages.NeedImports|packages.NeedTypes|packages.NeedExportFile, paths...)
			if err != nil {
				return err
			}
			for _, p := range loaded {
				imported[p.PkgPath] = p
			}
		}
	}
	find := func(path string) (*types.Package, error) {
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		listed := pkg.Imports[path]
		if listed == nil {
			return nil, fmt.Errorf("no metadata for %s", path)
		}
		for _, p := range []*packages.Package{imported[listed.PkgPath], listed} {
			switch {
			case p == nil:
			case p.Types != nil && p.Types.Complete():
				return p.Types, nil
			case len(p.Errors) > 0:
				return nil, errors.New(p.Errors[0].Msg)
			}
		}
		return nil, fmt.Errorf("there is no package %s", path)
	}
	pkg.Types = types.NewPackage(pkg.PkgPath, pkg.Name)
	c := types.Config{
		Importer: importer(find), FakeImportC: true, Sizes: types.SizesFor("gc", g.arch),
		Error: func(err error) {
			if e, ok := errors.AsType[types.Error](err); ok {
				pkg.Errors = append(pkg.Errors, packages.Error{Pos: e.Fset.Position(e.Pos).String(), Msg: e.Msg, Kind: packages.TypeError})
			}
		},
	}
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		c.GoVersion = "go" + pkg.Module.GoVersion
	}
	pkg.TypesInfo = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
	}
	err := types.NewChecker(&c, fset, pkg.Types, pkg.TypesInfo).Files(pkg.Syntax)
	if err != nil && len(pkg.Errors) == 0 {
		pkg.Errors = append(pkg.Errors, packages.Error{Pos: "-", Msg: err.Error()})
	}
	return nil
}

// parse parses a package's files, side by side.
func parse(pkg *packages.Package, fset *token.FileSet) []*ast.File {
	files, failed := make([]*ast.File, len(pkg.GoFiles)), make([]error, len(pkg.GoFiles))
	var wg sync.WaitGroup
	for i, path := range pkg.GoFiles {
		wg.Go(func() {
			files[i], failed[i] = parser.ParseFile(fset, path, nil, parser.ParseComments|parser.AllErrors|parser.SkipObjectResolution)
		})
	}
	wg.Wait()
	for _, err := range failed {
		if list, ok := errors.AsType[scanner.ErrorList](err); ok {
			for _, e := range list {
				pkg.Errors = append(pkg.Errors, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
			}
		} else if err != nil {
			pkg.Errors = append(pkg.Errors, packages.Error{Pos: "-", Msg: err.Error(), Kind: packages.ParseError})
		}
	}
	return slices.DeleteFunc(files, func(f *ast.File) bool { return f == nil })
}

// importer finds packages for the type checker.
type importer func(path string) (*types.Package, error)

// Import is called by the type checker.
func (f importer) Import(path string) (*types.Package, error) { return f(path) }
