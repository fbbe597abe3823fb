package spec

// Example is one example of a message.
type Example struct {
	name           string
	params, result any
	fails          AnyError
}

// Ex is an example of a request that succeeds.
func Ex[P, R any](name string, params P, result R) Example {
	return Example{name: name, params: params, result: result}
}

// Shown is an example of a notification.
func Shown[P any](name string, params P) Example { return Example{name: name, params: params} }

// Refused is an example of a request that fails with an error.
func Refused[P any](name string, params P, err AnyError) Example {
	return Example{name: name, params: params, fails: err}
}
