// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"

	"github.com/spf13/cobra"
)

func modelCommand() *cobra.Command {
	return &cobra.Command{
		Use: "model [SPEC]", Short: "Print the model of a spec package as JSON", Args: takes(0, 1),
		Long: `Print what a spec package declares as one JSON document: every declaration with
its place and its texts, as the emitters of other languages get it.`,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := openSpec(c.Context(), args)
			if err != nil {
				return err
			}
			e := json.NewEncoder(os.Stdout)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			return e.Encode(s.Model)
		},
	}
}
