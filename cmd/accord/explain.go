// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/accordkit/accord/docs"
	"github.com/accordkit/accord/generator/check"
	"github.com/accordkit/accord/generator/check/proof"
	"github.com/accordkit/accord/generator/emit/markdown"
	"github.com/accordkit/accord/generator/load"
	"github.com/accordkit/accord/spec/model"
)

func explainCommand() *cobra.Command {
	var pattern, lang string
	c := &cobra.Command{
		Use:   "explain NAME",
		Short: "Print what a spec says about a name, or what a rule or word of the kit means",
		Long: `Print what a spec says about a name, and where: a method, a notification, an
event, an error by its kind or code, a type, an activity, an outcome, a scope, a
capability, a limit, a rule, a value of an enum; or else a member of an object.
Names of the declaration's variables and of generated methods are known too.

A NAME may also be a rule of ` + "`accord check`" + ` or a word of the language: these are
the kit's own, and need no spec.

On a terminal it is laid out to be read; in a pipe it is Markdown.`,
		Example: `  accord explain session/cancel
  accord explain -32002
  accord explain missing-chinese
  accord explain Accepts --lang zh`,
		Args: takes(1, 1),
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			names := kitNames()
			specs, err := specsHere()
			if err != nil || len(args) > 0 {
				specs = nil
			}
			for _, spec := range specs {
				if s, err := load.Open(c.Context(), spec, load.Options{}); err == nil && s.Problems.Errors() == 0 {
					names = append(names, markdown.Names(s.Model)...)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			name := args[0]
			own := kitSays(name, lang)
			specs := []string{pattern}
			if pattern == "" {
				var err error
				if specs, err = specsHere(); err != nil && own != "" {
					return print(own) // which needs no spec
				} else if err != nil {
					return err
				}
			}
			var texts, protocols, names []string
			for _, spec := range specs {
				s, err := load.Open(c.Context(), spec, load.Options{})
				switch {
				case err == nil && s.Problems.Errors() == 0:
				case own != "" && pattern == "":
					continue // a broken spec is what the reader asks about
				case err != nil:
					return err
				default:
					return say(s.Dir, s.Problems)
				}
				place := func(p model.Pos) string { return fmt.Sprintf("%s:%d", shownPath(s.Dir, p.File), p.Line) }
				if text, ok := markdown.Explain(s.Model, markdown.Lang(lang), name, place); ok {
					texts = append(texts, text)
				}
				protocols = append(protocols, s.Model.Name)
				names = append(names, markdown.Names(s.Model)...)
			}
			if own != "" {
				texts = append(texts, own)
			}
			if len(texts) == 0 {
				return unexplained(name, protocols, names)
			}
			return print(strings.Join(texts, "\n"))
		},
	}
	c.Flags().StringVar(&pattern, "spec", "", "the spec package `SPEC` (default: those here or below)")
	langFlag(c, &lang)
	return c
}

// kitSays is what the kit's own pages say about a rule or a word.
func kitSays(name, lang string) string {
	var b strings.Builder
	if text, ok := docs.Rule(name, lang); ok {
		fmt.Fprintf(&b, "### `%s`\n\n*%s*\n\n%s\n", name, said(lang, "rule of `accord check`", "`accord check` 的规则"), text)
	}
	for _, w := range docs.Words(name, lang) {
		of := said(lang, "word of the language", "声明语言的词")
		if unicode.IsUpper([]rune(w.Of + "a")[0]) {
			of = fmt.Sprintf(said(lang, "word of the language, a field of spec.%s", "声明语言的词，spec.%s 的字段"), w.Of)
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "### `%s`\n\n*%s*\n\n%s\n", name, of, w.Means)
	}
	return b.String()
}

func said(lang, en, zh string) string {
	if lang == "zh" {
		return zh
	}
	return en
}

// kitNames are the rules and the words that the kit's own pages explain.
func kitNames() []string {
	out := docs.WordNames()
	for _, r := range check.Rules() {
		out = append(out, r.ID)
	}
	for _, r := range proof.Rules() {
		out = append(out, r.ID)
	}
	return out
}

func unexplained(name string, protocols, names []string) error {
	hint := ""
	if near := markdown.Near(append(names, kitNames()...), name); len(near) > 0 {
		hint = "; did you mean " + strings.Join(near[:min(len(near), 5)], ", ") + "?"
	}
	fmt.Fprintf(os.Stderr, "accord: nothing in %s is called %q%s\n", strings.Join(protocols, ", "), name, hint)
	return errNo
}

// print prints a page: as it is, or laid out where it is a terminal that shows
// it.
func print(page string) error {
	if isTerminal(os.Stdout) {
		page = laidOut(page, width(), colours(os.Stdout))
	}
	_, err := fmt.Fprint(os.Stdout, page)
	return err
}
