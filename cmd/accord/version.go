package main

import "runtime/debug"

// version is the module's, as the go command recorded it in this binary.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return ""
}
