// Package model is what a declaration says, as plain data: the resolved
// protocol that every emitter, check and document reads.
//
// A model is serialisable, has one canonical JSON form and a hash, and each of
// its parts knows where it was declared. The spec program writes one (see
// package spec), the loader adds positions and texts, and from there on nobody
// touches it: emitters must treat a model as read only, and nothing in here may
// know a particular protocol.
package model
