// SPDX-License-Identifier: Apache-2.0

package server

import (
	"errors"

	"github.com/accordkit/accord/runtime/contract"
	"github.com/accordkit/accord/runtime/jsonrpc"
)

// Written is a domain error as it goes into a response; generated errors are.
type Written interface {
	contract.DomainError
	// LegacyText is the message for peers that never negotiated.
	LegacyText() string
	// AppendData appends the data member's value.
	AppendData(b []byte) []byte
}

// asNegotiated marks an error that is written with its own code even to a peer
// that has not negotiated.
type asNegotiated struct{ error }

func (e asNegotiated) Unwrap() error { return e.error }

// AsNegotiated marks an error that is about negotiation itself: it is written
// with its own code and text to every peer.
func AsNegotiated(err error) error { return asNegotiated{err} }

// Encoder writes errors to peers.
type Encoder struct {
	// Faults gives the protocol's own error for what a connection refuses by
	// itself, nil if the protocol has none.
	Faults func(f *jsonrpc.Fault) error

	// LegacyCode is the one code that peers know that never negotiated; 0: they
	// get the error's own.
	LegacyCode int
}

// Encode is a jsonrpc.Config.Encode.
func (e *Encoder) Encode(err error, strict bool) (code int, message string, data []byte) {
	var spoken asNegotiated
	strict = strict || errors.As(err, &spoken)
	var domain Written
	if !errors.As(err, &domain) {
		var fault *jsonrpc.Fault
		if !errors.As(err, &fault) {
			var wire *jsonrpc.Error
			if errors.As(err, &wire) {
				return e.code(wire.Code, strict), wire.Message, wire.Data
			}
			fault = &jsonrpc.Fault{Kind: jsonrpc.InternalFault}
		}
		typed := e.Faults(fault)
		if typed == nil || !errors.As(typed, &domain) {
			if text := fault.Legacy; text != "" && !strict {
				return e.code(fault.Code(), strict), text, nil
			}
			return e.code(fault.Code(), strict), fault.Error(), nil
		}
	}
	text := domain.Error()
	if !strict {
		text = domain.LegacyText()
	}
	return e.code(domain.Code(), strict), text, domain.AppendData(nil)
}

func (e *Encoder) code(own int, strict bool) int {
	if strict || e.LegacyCode == 0 {
		return own
	}
	return e.LegacyCode
}
