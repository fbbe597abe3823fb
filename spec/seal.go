package spec

func (*Error[D]) mustBeAPointer()        {}
func (*Error[D]) isError()               {}
func (*Scope[K]) mustBeAPointer()        {}
func (*Scope[K]) isScope()               {}
func (*Notification[P]) mustBeAPointer() {}
func (*Notification[P]) isNotification() {}
func (*Link[F, T]) mustBeAPointer()      {}
func (*Link[F, T]) isLink()              {}
func (*Activity[K]) mustBeAPointer()     {}
func (*Activity[K]) isActivity()         {}
func (*Method[P, R]) mustBeAPointer()    {}
func (*Method[P, R]) isMethod()          {}
func (*Machine[S]) mustBeAPointer()      {}
func (*Machine[S]) isMachine()           {}
func (*Capability) mustBeAPointer()      {}
func (*Protocol) mustBeAPointer()        {}
func (*Generation) mustBeAPointer()      {}
