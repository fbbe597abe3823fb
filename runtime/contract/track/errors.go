package track

import (
	"github.com/accordkit/accord/runtime/contract"
)

// Failure is what a client finds by itself, for protocols that declare no error
// of their own for it. Its kinds are "unsupported", "connection-lost" and
// "lagging".
type Failure struct {
	Kinds   string
	Message string
	Err     error // what it came from
	After   int64 // lagging: the number of the last message before the gap
}

// Error gives the message.
func (f *Failure) Error() string { return f.Message }

// Unwrap gives what it came from.
func (f *Failure) Unwrap() error { return f.Err }

// Kind is the failure's kind.
func (f *Failure) Kind() string { return f.Kinds }

// Code is 0: a client's own failures never travel.
func (*Failure) Code() int { return 0 }

// Retry says what the host may do.
func (f *Failure) Retry() contract.Retry {
	switch f.Kinds {
	case "connection-lost":
		return contract.SameKey
	case "lagging":
		return contract.Reload
	}
	return contract.Never
}

// Past remembers the last keys of activities that ended, for protocols whose
// keys say nothing of their order. The zero Past is ready.
type Past[K comparable] struct {
	keys [64]K
	n    int
}

// Add remembers a key.
func (p *Past[K]) Add(key K) {
	p.keys[p.n%len(p.keys)] = key
	p.n++
}

// Has tells whether a key is among the last.
func (p *Past[K]) Has(key K) bool {
	for i := range min(p.n, len(p.keys)) {
		if p.keys[i] == key {
			return true
		}
	}
	return false
}

// NoAccount collects nothing.
type NoAccount struct{}

// Add does nothing.
func (NoAccount) Add(*Item) {}

// Result is a call's result, or its error alone.
func Result[R any](r *R, err error) (*R, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}
