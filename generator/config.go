// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// ConfigName is the file next to a spec that says what is generated from it.
const ConfigName = "accord.json"

// Config is the content of accord.json.
type Config struct {
	// License is the SPDX expression of the generated Go files, "Apache-2.0"
	// say. If it is empty they carry no license line.
	License string    `json:"license,omitempty"`
	Emit    []Setting `json:"emit"`
}

// Setting asks for one target. Which of the members a target takes is said
// with it; see Targets.
type Setting struct {
	Target  string `json:"target"`
	Dir     string `json:"dir,omitempty"`     // folder of the output, relative to the spec package
	File    string `json:"file,omitempty"`    // or its one file
	Lang    string `json:"lang,omitempty"`    // "en" or "zh"
	Package string `json:"package,omitempty"` // import path of a Go package that the output stands on
	Other   string `json:"other,omitempty"`   // the same page in the other language
	// Names overrides names in generated code; what they can be is said with
	// the target. One that nothing has is an error.
	Names map[string]string `json:"names,omitempty"`
}

// ReadConfig reads the accord.json of a directory. There is none if the error
// is os.ErrNotExist.
func ReadConfig(dir string) (*Config, error) {
	path := filepath.Join(dir, ConfigName)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var c Config
	err = d.Decode(&c)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("text after the end of the settings")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%s: %w", path, lineOf(data, offset(err, d.InputOffset())), known(err))
	}
	return &c, nil
}

// known names the existing settings, for the message about a misspelt one.
func known(err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "json: unknown field ")
	if !unknown {
		return err
	}
	var names []string
	for field := range reflect.TypeFor[Setting]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return fmt.Errorf("unknown field %s: there are license and emit, and in each item of emit %s", name, strings.Join(names, ", "))
}

func offset(err error, otherwise int64) int64 {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return syntax.Offset
	case errors.As(err, &wrong):
		return wrong.Offset
	}
	return otherwise
}

// lineOf is "line:col" of a byte offset.
func lineOf(data []byte, offset int64) string {
	before := data[:min(int(offset), len(data))]
	line := 1 + bytes.Count(before, []byte("\n"))
	return fmt.Sprintf("%d:%d", line, len(before)-bytes.LastIndexByte(before, '\n'))
}
