package replay

import "context"

type host struct{}

func newHost(p *player) (*host, error)                          { return &host{}, nil }
func (h *host) begin(ctx context.Context, i int, s *Step) error { return nil }
func (h *host) settle(ctx context.Context)                      {}
func (h *host) cleanUp()                                        {}
func (h *host) eventsHandedOut() int                            { return 0 }
func (h *host) pendingMessages() []string                       { return nil }
func (h *host) pendingErrors() string                           { return "" }
func (p *player) seen() *seen                                   { return &seen{} }
