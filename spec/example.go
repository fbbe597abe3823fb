// SPDX-License-Identifier: Apache-2.0

package spec

// Example is one example of a message.
type Example struct{ of *exampleOf }

type exampleOf struct {
	name           string
	params, result any
	fails          AnyError
}

// Ex is an example of a request that succeeds, with values of the types of its
// params and result.
//
//go:noinline
func Ex(name string, params, result any) Example {
	return Example{&exampleOf{name: name, params: params, result: result}}
}

// Shown is an example of a notification.
//
//go:noinline
func Shown(name string, params any) Example {
	return Example{&exampleOf{name: name, params: params}}
}

// Refused is an example of a request that fails with an error.
//
//go:noinline
func Refused(name string, params any, err AnyError) Example {
	return Example{&exampleOf{name: name, params: params, fails: err}}
}
