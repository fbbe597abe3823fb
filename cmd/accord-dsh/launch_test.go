// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		env  map[string]string
		want launch
	}{
		"0.2":               {[]string{"--profile", "sdk"}, map[string]string{"DSH_HOME": "/h"}, launch{profile: "sdk", state: "/h"}},
		"0.2 with patches":  {[]string{"--profile", "sdk", "--patch", "/a", "--patch=/b"}, map[string]string{"DSH_HOME": "h"}, launch{profile: "sdk", patches: []string{"/a", "/b"}, state: "/d/h"}},
		"0.1":               {nil, map[string]string{"DSH_SESSION_ROOT": "/s", "DSH_CWD": "/c"}, launch{state: "/s"}},
		"0.1 beside a home": {nil, map[string]string{"DSH_SESSION_ROOT": "/s", "DSH_CWD": "/c", "DSH_HOME": "/h"}, launch{state: "/s"}},
		"0.2 beside a root": {[]string{"--profile=sdk"}, map[string]string{"DSH_SESSION_ROOT": "/s", "DSH_HOME": "/h"}, launch{profile: "sdk", state: "/h"}},
		"a home alone":      {nil, map[string]string{"DSH_HOME": "/h"}, launch{state: "/h"}},
		"nothing":           {nil, nil, launch{state: "/d/.sessions"}},
		"relative root":     {nil, map[string]string{"DSH_SESSION_ROOT": "./.sessions"}, launch{state: "/d/.sessions"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parse(c.args, func(k string) string { return c.env[k] }, "/d")
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, args := range [][]string{{"--profile"}, {"--patch"}, {"--profile="}, {"serve"}, {"--model", "x"}, {"-p", "x"}} {
		_, err := parse(args, func(string) string { return "" }, "/d")
		require.ErrorIs(t, err, errUsage, args)
	}
}
