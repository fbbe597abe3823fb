// SPDX-License-Identifier: Apache-2.0

package model

// Twins are the names of methods, and of notifications, that both sides send: a
// ping, say. Each side's is a message of its own.
func (p *Protocol) Twins() (methods, notifications map[string]bool) {
	from := map[string]string{}
	methods, notifications = map[string]bool{}, map[string]bool{}
	for _, m := range p.Methods {
		if other, ok := from[m.Name]; ok && other != m.From {
			methods[m.Name] = true
		}
		from[m.Name] = m.From
	}
	clear(from)
	for _, n := range p.Notifications {
		if other, ok := from[n.Name]; ok && other != n.From {
			notifications[n.Name] = true
		}
		from[n.Name] = n.From
	}
	return methods, notifications
}
