// Package docs holds the guides and the reference, and the tests that keep
// them true: what a page shows is run, and what it links to is there.
//
// There is no code to import.
package docs
