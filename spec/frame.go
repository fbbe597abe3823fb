// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"reflect"
	"strconv"
)

// Frame is one message, or one variant of a union in it.
type Frame interface{ frame() FrameOf }

// FrameOf is the untyped form of a frame.
type FrameOf struct {
	note    AnyNotification
	variant any
	key     any
	where   []Cond
}

func (f FrameOf) frame() FrameOf { return f }

// FrameOption narrows a frame of P.
type FrameOption[P any] = frameOption[*P]

type frameOption[P any] func(*FrameOf)

// On is the frame that is a notification.
func On[P any](n *Notification[P], options ...FrameOption[P]) Frame {
	f := FrameOf{note: n}
	for _, o := range options {
		o(&f)
	}
	return f
}

// Variant narrows a frame to one variant of a union in it: the selector
// returns the address of the variant's field.
func Variant[P any](pick func(P) any) frameOption[P] {
	return func(f *FrameOf) { f.variant = pick }
}

// Key says which member of a frame bears the key.
func Key[P any, K any](key func(P) *K) frameOption[P] {
	return func(f *FrameOf) { f.key = key }
}

// Where narrows a frame by a member.
func Where[P any](c condFor[P]) frameOption[P] {
	return func(f *FrameOf) { f.where = append(f.where, c.condOf) }
}

// Cond is a condition on a member.
type Cond interface{ cond() *condOf }

// CondOf is a condition on a member of T.
type CondOf[T any] = condFor[*T]

type condFor[T any] struct{ *condOf }

type condOf struct {
	sel    any
	values []string
	absent bool
}

func (c *condOf) cond() *condOf { return c }

// Is holds if the member has one of the values. Values are wire values: a
// constant of the member's enum, "true" or "false", or a union's tag.
//
//go:noinline
func Is[T any, V enumValue](m func(T) any, values ...V) condFor[T] {
	c := &condOf{sel: m}
	for _, v := range values {
		c.values = append(c.values, wireText(reflect.ValueOf(v)))
	}
	return condFor[T]{c}
}

// enumValue is what constants of an enum may be.
type enumValue interface {
	~string | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// wireText is the wire value of an enum's constant, as conditions have it.
func wireText(v reflect.Value) string {
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	}
	return v.String()
}

// True holds if the member is true.
func True[T any](m func(T) any) condFor[T] {
	return condFor[T]{&condOf{sel: m, values: []string{"true"}}}
}

// Present holds if the member is there.
func Present[T any](m func(T) any) condFor[T] { return condFor[T]{&condOf{sel: m}} }

// Absent holds if it is not.
func Absent[T any](m func(T) any) condFor[T] { return condFor[T]{&condOf{sel: m, absent: true}} }
