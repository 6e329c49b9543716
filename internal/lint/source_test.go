package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"testing"
)

// maxFuncLines is what fits on a screen. Tables of tests may be longer.
const maxFuncLines = 70

// eachSource parses every Go file of the tree that people wrote and that is no test.
func eachSource(t *testing.T, visit func(fset *token.FileSet, parsed *ast.File)) {
	t.Helper()
	for _, f := range textFiles(t) {
		if !f.isGo() || f.isTest() || f.generated() {
			continue
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, f.name, f.text, parser.ParseComments)
		if err != nil {
			t.Error(err)
			continue
		}
		visit(fset, parsed)
	}
}

func TestFuncLength(t *testing.T) {
	eachSource(t, func(fset *token.FileSet, parsed *ast.File) {
		for _, decl := range parsed.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line + 1; n > maxFuncLines {
				t.Errorf("%s: %s has %d lines, more than %d", fset.Position(fn.Pos()), fn.Name.Name, n, maxFuncLines)
			}
		}
	})
}

// wellKnown are methods of the standard library's interfaces, which say it all.
var wellKnown = []string{"Error", "Unwrap", "Is", "String"}

// TestDocumented wants a comment on every exported identifier and on every package.
func TestDocumented(t *testing.T) {
	documented := map[string]bool{}
	first := map[string]string{}
	eachSource(t, func(fset *token.FileSet, parsed *ast.File) {
		name := fset.Position(parsed.Package).Filename
		dir := path.Dir(name)
		if _, seen := first[dir]; !seen {
			first[dir] = name
		}
		documented[dir] = documented[dir] || parsed.Doc != nil
		for _, decl := range parsed.Decls {
			for _, ident := range undocumented(decl) {
				t.Errorf("%s: %s is exported and has no comment", fset.Position(ident.Pos()), ident.Name)
			}
		}
	})
	for dir, name := range first {
		if !documented[dir] {
			t.Errorf("%s: no file of the package says what it is for", name)
		}
	}
}

// undocumented returns the exported names that decl introduces without a comment.
// The comment of a group covers its constants and variables, not its types.
func undocumented(decl ast.Decl) []*ast.Ident {
	var names []*ast.Ident
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		known := decl.Recv != nil && slices.Contains(wellKnown, decl.Name.Name)
		if decl.Doc == nil && decl.Name.IsExported() && exportedReceiver(decl) && !known {
			names = append(names, decl.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Doc == nil && (decl.Doc == nil || decl.Lparen.IsValid()) && spec.Name.IsExported() {
					names = append(names, spec.Name)
				}
			case *ast.ValueSpec:
				if spec.Doc != nil || spec.Comment != nil || decl.Doc != nil {
					continue
				}
				for _, name := range spec.Names {
					if name.IsExported() {
						names = append(names, name)
					}
				}
			}
		}
	}
	return names
}

// exportedReceiver tells whether users can reach the method, or it is a function.
func exportedReceiver(fn *ast.FuncDecl) bool {
	if fn.Recv == nil {
		return true
	}
	typ := fn.Recv.List[0].Type
	for {
		switch inner := typ.(type) {
		case *ast.StarExpr:
			typ = inner.X
		case *ast.IndexExpr:
			typ = inner.X
		case *ast.IndexListExpr:
			typ = inner.X
		case *ast.Ident:
			return inner.IsExported()
		default:
			return true
		}
	}
}
