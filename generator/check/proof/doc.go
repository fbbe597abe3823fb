// SPDX-License-Identifier: Apache-2.0

// Package proof shows that what a protocol promises comes true in its declared
// machines: that accepted work is settled and reported, that cancelling and
// closing come to an end within bounds, that no message is lost and no call is
// held forever.
//
// It looks at the tabulated machines of a model alone, and knows no protocol. A
// failing proof is a problem with the shortest way there, in words, at the
// place of the move that is to blame. It must never guess: what a machine does
// not say is reported as a hole.
package proof
