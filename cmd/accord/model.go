package main

import (
	"encoding/json"
	"os"

	"github.com/spf13/cobra"
)

func modelCommand() *cobra.Command {
	return &cobra.Command{
		Use: "model [SPEC]", Short: "Print the model of a spec package as JSON", Args: cobra.MaximumNArgs(1),
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
