// SPDX-License-Identifier: Apache-2.0

package spec

// Declarations are pointers: the method has this name so that the compiler's
// message about a forgotten & says what is wrong.

func (*Error[D]) mustBeAPointer()    {}
func (*Scope[K]) mustBeAPointer()    {}
func (*Link[F, T]) mustBeAPointer()  {}
func (*Activity[K]) mustBeAPointer() {}
func (*Machine[S]) mustBeAPointer()  {}
func (*Capability) mustBeAPointer()  {}
func (*Protocol) mustBeAPointer()    {}
func (*Generation) mustBeAPointer()  {}

// notificationMark and methodMark seal what there is most of. A generic method
// is compiled anew for each declaration; an embedded one is passed on.
type (
	notificationMark struct{}
	methodMark       struct{}
)

func (*notificationMark) mustBeAPointer() {}
func (*notificationMark) isNotification() {}
func (*methodMark) mustBeAPointer()       {}
func (*methodMark) isMethod()             {}
