// SPDX-License-Identifier: Apache-2.0

// Package call is `accord call`: one method, on a runtime that is started for
// it or reached at an endpoint. It must check nothing that the runtime checks,
// so that a refusal can be seen.
package call
