// SPDX-License-Identifier: Apache-2.0

package problem

import (
	"encoding/json"
	"strings"
)

// Sarif renders problems as SARIF 2.1.0, the form that code hosts read. Place
// gives a problem's file relative to the repository, with slashes; version is
// the tool's.
func (l List) Sarif(version string, place func(Problem) string) []byte {
	type text struct {
		Text string `json:"text"`
	}
	type region struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
	type location struct {
		PhysicalLocation struct {
			ArtifactLocation struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region *region `json:"region,omitempty"`
		} `json:"physicalLocation"`
	}
	type result struct {
		RuleID    string     `json:"ruleId"`
		Level     string     `json:"level"`
		Message   text       `json:"message"`
		Locations []location `json:"locations,omitempty"`
	}
	type driver struct {
		Name           string `json:"name"`
		Version        string `json:"version,omitempty"`
		InformationURI string `json:"informationUri"`
	}
	type run struct {
		Tool struct {
			Driver driver `json:"driver"`
		} `json:"tool"`
		ColumnKind string   `json:"columnKind"`
		Results    []result `json:"results"`
	}
	one := run{ColumnKind: "utf16CodeUnits", Results: []result{}}
	one.Tool.Driver = driver{"accord", version, "https://github.com/accordkit/accord"}
	for _, p := range l {
		r := result{RuleID: p.Rule, Level: string(p.Severity), Message: text{strings.TrimSpace(p.Text.EN) + p.Trace.EN}}
		if r.RuleID == "" {
			r.RuleID = "load"
		}
		if p.Pos.File != "" {
			var at location
			at.PhysicalLocation.ArtifactLocation.URI = place(p)
			if p.Pos.Line > 0 {
				at.PhysicalLocation.Region = &region{p.Pos.Line, p.Pos.Col}
			}
			r.Locations = []location{at}
		}
		one.Results = append(one.Results, r)
	}
	data, _ := json.MarshalIndent(map[string]any{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []run{one},
	}, "", "  ")
	return append(data, '\n')
}
