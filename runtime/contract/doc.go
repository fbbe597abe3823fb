// Package contract is what generated code stands on besides frames and text:
// the classes of retry, what every typed error can say, the order of calls that
// run one after another, and the constant by which generated code and runtime
// know that they fit.
//
// It knows no protocol, and must not grow into one: what only one protocol
// needs belongs to that protocol.
package contract
