// SPDX-License-Identifier: Apache-2.0

package contract

// Generated2 is referred to by generated code, so that code of another
// generation than this runtime's does not compile. A change of what generated
// code stands on, one that breaks it, renames this constant to Generated3.
const Generated2 = true
