// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package main

import "errors"

func onOneCore() (free func(), err error) {
	return nil, errors.New("only Linux can place a process on one core: name the other workloads with -run")
}
