// SPDX-License-Identifier: Apache-2.0

// Package target lists what can be generated: it joins the emitters, which know
// a target language, with the settings of accord.json, which say where the
// output goes. No logic of any target lives here.
package target
