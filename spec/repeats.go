package spec

// Repeats says what a repeated call does: see ReadOnly, Idempotent, Unsafe and
// Keyed.
type Repeats[P any] interface{ repeats() keyed }

type keyed struct {
	how         string
	key, marker any
	scope       AnyScope
	window      string
	print       []any
	conflict    AnyError
	absent      string
}

type repeats[P any] struct{ k keyed }

func (r repeats[P]) repeats() keyed { return r.k }

// ReadOnly calls change nothing.
func ReadOnly[P any]() Repeats[P] { return repeats[P]{keyed{how: "read only"}} }

// Idempotent calls may be repeated: the second changes nothing more.
func Idempotent[P any]() Repeats[P] { return repeats[P]{keyed{how: "idempotent"}} }

// Unsafe calls must not be repeated.
func Unsafe[P any]() Repeats[P] { return repeats[P]{keyed{how: "unsafe"}} }

// Keyed calls may be repeated with the same key: the first result comes again.
type Keyed[P, R any] struct {
	By          Member[P]
	Scope       AnyScope
	Window      string // how long a key is known, in words: "life of the log"
	Fingerprint []Member[P]
	Conflict    AnyError  // the same key with another fingerprint
	Absent      string    // what a call without key means: "each call is new"
	Marker      Member[R] // result member that tells a repetition
}

func (k Keyed[P, R]) repeats() keyed {
	out := keyed{how: "keyed", key: k.By, marker: k.Marker, scope: k.Scope, window: k.Window, conflict: k.Conflict, absent: k.Absent}
	for _, m := range k.Fingerprint {
		out.print = append(out.print, m)
	}
	return out
}
