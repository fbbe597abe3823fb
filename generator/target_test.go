// SPDX-License-Identifier: Apache-2.0

package generator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/accordkit/accord/generator"
	"github.com/accordkit/accord/generator/emit/emittest"
)

func TestSettings(t *testing.T) {
	for want, s := range map[string]generator.Setting{
		`accord.json: emit[0]: there is no target "nothing" (there are go,`: {Target: "nothing"},
		`accord.json: emit[0]: target go needs "dir"`:                       {Target: "go"},
		`accord.json: emit[0]: target go has no "lang"`:                     {Target: "go", Dir: "x", Lang: "en"},
		`accord.json: emit[0]: target tables has no "names"`:                {Target: "tables", File: "x", Lang: "en", Names: map[string]string{"a": "b"}},
		`accord.json: emit[0]: lang is "en" or "zh", not "fr"`:              {Target: "tables", File: "x", Lang: "fr"},
	} {
		_, err := generator.Emitters(&generator.Config{Emit: []generator.Setting{s}})
		assert.ErrorContains(t, err, want)
	}
	_, err := generator.Emitters(&generator.Config{})
	assert.ErrorContains(t, err, "asks for nothing")
}

func TestEveryTargetIsDescribed(t *testing.T) {
	for _, x := range generator.Targets() {
		assert.NotEmpty(t, x.About.EN, x.Name)
		assert.NotEmpty(t, x.About.ZH, x.Name)
	}
}

func TestPathsAreWhereTheSettingsSay(t *testing.T) {
	emitters, err := generator.Emitters(&generator.Config{Emit: []generator.Setting{
		{Target: "go", Dir: "../go/queue"},
		{Target: "json-schema", File: "../docs/queue.schema.json"},
		{Target: "tables", File: "../README.md", Lang: "en"},
	}})
	require.NoError(t, err)
	files, err := generator.Generate(emittest.Queue(), emitters...)
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, f := range files {
		seen[f.Path] = true
		assert.NotEmpty(t, f.Content, f.Path)
		assert.Equal(t, f.Path == "../README.md", f.Region != "", f.Path)
	}
	assert.True(t, seen["../docs/queue.schema.json"] && seen["../README.md"] && seen["../go/queue/doc.gen.go"], "%v", seen)
}
