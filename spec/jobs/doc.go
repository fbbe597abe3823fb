// SPDX-License-Identifier: Apache-2.0

// Package jobs declares a queue of jobs: clients submit jobs and follow them to
// their end, workers run them, and a broker connects the two.
//
// It is small on purpose, and differs from an agent's wire wherever it can:
// there is no negotiation, a client chooses a job's key, both sides make calls,
// a worker works under a lease, and a producer need not wait for responses.
//
// Everything in here is declaration, read by the generator: payloads in types.go,
// then errors, the scope and the limits, notifications, the activity, methods and
// the machine; protocol.go lists it all. Each text is in English first and in
// Chinese after "zh:"; the two must agree. The package must not run anything.
package jobs
