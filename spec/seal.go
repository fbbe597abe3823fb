package spec

// Declarations are pointers: the method has this name so that the compiler's
// message about a forgotten & says what is wrong.

func (*Error[D]) mustBeAPointer()        {}
func (*Scope[K]) mustBeAPointer()        {}
func (*Notification[P]) mustBeAPointer() {}
func (*Link[F, T]) mustBeAPointer()      {}
func (*Activity[K]) mustBeAPointer()     {}
func (*Method[P, R]) mustBeAPointer()    {}
func (*Machine[S]) mustBeAPointer()      {}
func (*Capability) mustBeAPointer()      {}
func (*Protocol) mustBeAPointer()        {}
func (*Generation) mustBeAPointer()      {}
