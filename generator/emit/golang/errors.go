package golang

// emitErrors writes the typed errors.
func (g *gen) emitErrors() {
}
