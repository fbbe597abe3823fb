// SPDX-License-Identifier: Apache-2.0

package spec

// Member names one member of a payload by returning its address.
type Member[T any] = func(*T) any

// Any is a declaration of any kind.
type Any interface{ mustBeAPointer() }

// AnyError, AnyScope and their like let lists and fields take a declaration
// whatever its type arguments. Declarations are always pointers.
type (
	AnyError interface {
		Any
		untyped() errorOf
	}
	AnyScope interface {
		Any
		untyped() scopeOf
	}
	AnyNotification interface {
		Any
		isNotification()
	}
	AnyLink interface {
		Any
		untyped() linkOf
	}
	AnyActivity interface {
		Any
		untyped() activityOf
	}
	AnyMethod interface {
		Any
		isMethod()
	}
	AnyMachine interface {
		Any
		untyped() machineOf
	}
)

// List is a list of declarations, written without its type.
func List[T any](items ...T) []T { return items }

// Errors, Scopes, Notifications, Links, Activities, Methods and Machines are
// List with the type said.
func Errors(items ...AnyError) []AnyError                      { return items }
func Scopes(items ...AnyScope) []AnyScope                      { return items }
func Notifications(items ...AnyNotification) []AnyNotification { return items }
func Links(items ...AnyLink) []AnyLink                         { return items }
func Activities(items ...AnyActivity) []AnyActivity            { return items }
func Methods(items ...AnyMethod) []AnyMethod                   { return items }
func Machines(items ...AnyMachine) []AnyMachine                { return items }
