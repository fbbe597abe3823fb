// SPDX-License-Identifier: Apache-2.0

// Package vectortest plays a protocol's golden vectors, a file that the
// generator derives from the declaration, through generated codecs. Generated
// tests use it; nothing else does. It knows no protocol.
package vectortest
