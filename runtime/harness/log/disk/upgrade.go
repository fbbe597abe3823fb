// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"errors"
	"io"

	"github.com/accordkit/accord/runtime/harness"
	"github.com/accordkit/accord/runtime/harness/log"
	"github.com/accordkit/accord/runtime/harness/log/files"
	"github.com/accordkit/accord/runtime/harness/log/migrate"
)

// batchSize is how much text of a migrated log is one batch.
const batchSize = 1 << 20

// upgrade writes the successor of a log of an older generation next to it. The
// migration checks each row as if DSH opened the log; the file gets its name when
// all of them are there and durable.
func (l *Log) upgrade() error {
	children, err := l.children()
	if err != nil {
		return err
	}
	r, f, err := files.Open(l.home, l.place, 0)
	if err != nil {
		return err
	}
	successor := l.place
	successor.Older = append(successor.Older, successor.Version)
	successor.Version = log.Newest
	err = l.link(successor, func(w io.Writer) error {
		var text, batch []byte
		flush := func() error {
			if len(text) == 0 {
				return nil
			}
			batch = log.AppendBatch(batch[:0], successor.Encoding, text)
			text = text[:0]
			_, err := w.Write(batch)
			return err
		}
		err := migrate.Log(r, migrate.Options{Children: children}, func(h harness.SessionHeaderLine) (err error) {
			if text, err = log.AppendHeader(text, h); err != nil {
				return err
			}
			return flush()
		}, func(row log.Row) error {
			text = append(row.Append(text), '\n')
			if len(text) < batchSize {
				return nil
			}
			return flush()
		})
		return errors.Join(err, flush())
	})
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	l.place = successor
	return nil
}

// children are what the home's other logs say of sessions that this one began: logs of
// older generations do not list them all. One whose header cannot be read is passed over,
// since nothing says whose it is.
func (l *Log) children() ([]migrate.Child, error) {
	found, err := files.Scan(l.home)
	if err != nil {
		return nil, err
	}
	var children []migrate.Child
	for _, p := range found.Places {
		head, err := files.Head(l.home, p)
		if err != nil || head.ParentSession == nil || string(*head.ParentSession) != l.place.ID {
			continue
		}
		r, f, err := files.Open(l.home, p, 0)
		if err != nil {
			return nil, err
		}
		c, err := migrate.ChildOf(r)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		children = append(children, c)
	}
	return children, nil
}
