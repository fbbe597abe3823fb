package track

// Item is one message of a scope.
type Item struct {
	// Note is what generated code decoded: a pointer. Whoever gets it must not
	// change it, since handler and runs share it.
	Note any
	// Kind is the message's number in its protocol, for generated code.
	Kind int
	// Seq orders the message in its scope; meaningful if Numbered.
	Seq      int64
	Numbered bool
	// Size is the message's length on the wire, in bytes.
	Size int
	// Live messages may be merged or dropped under pressure; others never are.
	Live bool

	order   uint64 // counts the scope's messages
	mark    func() // not a message, but something to do at this place
	sink    sink
	charged int  // what it costs in the stream that holds it
	big     bool // larger than the whole bound, and so not charged
}

// sink says for whom an item in the handler's queue is.
type sink uint8

const (
	toHandler sink = iota
	toReplays
)

// overhead is what keeping a message costs beside its own bytes, roughly.
const overhead = 96

func (it *Item) cost() int { return it.Size + overhead }

// Marks is what a Knowledge tells about one message. Its slices are used
// before the next message is read, and never kept.
type Marks[T, K comparable] struct {
	Key    K      // the activity that the message belongs to,
	Keyed  bool   // if it belongs to one
	Begins bool   // the message begins the activity
	Ends   bool   // the message ends it
	As     string // the outcome of what Ends or Settles, by name

	About   []T // tickets that the message is about, without changing them
	Claims  []T // tickets that the activity takes
	Settles []T // tickets that are over without an activity

	Over    string // the scope is over: what is open in it settles as this
	Late    bool   // it comes after the end of its activity: dropped and counted
	Replay  bool   // a stored one, sent again: for loads alone
	Derived []Item // live messages that this one implies
	First   bool   // Derived come before the message, not after it
}

func (m *Marks[T, K]) reset() {
	var zero K
	*m = Marks[T, K]{
		Key: zero, About: m.About[:0], Claims: m.Claims[:0], Settles: m.Settles[:0], Derived: m.Derived[:0],
	}
}

// Knowledge is what a protocol knows about the messages of one scope. All
// methods are called under the scope's lock, most on the reading goroutine:
// they must be quick and must call nothing of this package.
type Knowledge[T, K comparable] interface {
	// Read says what a message means. It sees all messages of the scope, in
	// order, replayed ones too.
	Read(it *Item, m *Marks[T, K])
	// Where tells which activity took a ticket that was taken before anybody
	// asked. Knowledge need not remember what has ended.
	Where(ticket T) (key K, taken bool)
	// Ended tells whether an activity is known to have ended.
	Ended(key K) bool
	// Begin returns the account of a new activity.
	Begin(key K) Account
	// End makes the settlement that a Run hands out: how and with what the
	// work ended. account is nil if no activity took the ticket, last is nil
	// if no message ended it. What it returns is never changed again.
	End(account Account, outcome string, last *Item) any
	// Merge merges two live messages into a new one that is grown bytes longer
	// than the first, or returns nil.
	Merge(a, b any) (note any, grown int)
}

// Account collects what one activity's settlement will tell.
type Account interface {
	Add(it *Item)
}
