// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/accordkit/accord/spec/model"
)

// Description is what a spec program hands to the loader, as JSON.
type Description struct {
	Model    *model.Protocol `json:"model"`
	Problems []Problem       `json:"problems,omitempty"`
}

// WriteModel describes a protocol into a file. It is called by the program
// that the loader builds around a spec package; a failure ends that program
// with status 3 and its reason on standard error.
func WriteModel(path string, p *Protocol, variables map[string]any) {
	out, problems := Model(p, variables)
	data, err := json.Marshal(Description{Model: out, Problems: problems})
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "accord: cannot write the model:", err)
		os.Exit(3)
	}
}
