// SPDX-License-Identifier: Apache-2.0

// Package jobs declares a queue of jobs: clients put jobs in and follow them to
// their end, workers take them, and a broker stands between the two.
//
// It is small on purpose, and unlike an agent's wire in all it can be: there is
// no negotiation, a job's key is chosen by its client, both sides ask each other,
// a worker works under a lease, and a producer that wants no answers needs none.
//
// Everything in here is declaration, read by the generator: payloads in types.go,
// then errors, the scope and the limits, notifications, the activity, methods and
// the machine; protocol.go lists it all. Each text is in English first and in
// Chinese after "zh:"; the two must agree. The package must not run anything.
package jobs
