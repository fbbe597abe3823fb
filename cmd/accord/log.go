// SPDX-License-Identifier: Apache-2.0

//go:build !generator

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/accordkit/accord/runtime/harness/log"
	"github.com/accordkit/accord/runtime/harness/log/disk"
	"github.com/accordkit/accord/runtime/harness/log/files"
)

func logCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "log",
		Short: "List, print, check, salvage and migrate session logs",
		Long: `Reads the session logs of DeepSeek Harness, generations 0 to 4, as text or as
zstd frames; which it is, the file's first bytes say. No command writes to a file
that it reads.`,
	}
	c.AddCommand(logLsCommand(), logCatCommand(), logUsageCommand(), logVerifyCommand(), logSalvageCommand(), logMigrateCommand())
	return c
}

func logLsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "ls [HOME]",
		Short: "List the logs below a home",
		Long: `Lists the logs below HOME, which is by default the folder that accord serve uses:
the session, the generation, the encoding, and the file below HOME. Originals that a
migration left are not listed.

Exit 0. 1: something there is no log, or is one that DSH would not open for where it
lies, which is said on standard error.`,
		Args: takes(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			home, err := files.ChooseHome(strings.Join(args, ""), os.Getenv, os.UserHomeDir)
			if err != nil {
				return err
			}
			if len(args) > 0 {
				if _, err := os.Stat(home); err != nil {
					return err
				}
			}
			found, err := files.Scan(os.DirFS(home))
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
			strange := found.Raw && found.Zstd || len(found.Flat)+len(found.Strays) > 0
			for _, p := range found.Places {
				if _, err := files.Head(os.DirFS(home), p); err != nil {
					fmt.Fprintf(os.Stderr, "accord: %s: %v\n", p.Path(), err)
					strange = true
				}
				fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", p.ID, p.Version, encodings[p.Encoding], p.Path())
			}
			if err := w.Flush(); err != nil {
				return err
			}
			for _, s := range found.Strays {
				fmt.Fprintf(os.Stderr, "accord: %s: %s\n", s.Path, s.Reason)
			}
			for _, p := range found.Flat {
				fmt.Fprintf(os.Stderr, "accord: %s: a log directly in a project's folder: DSH opens no session of this home\n", p)
			}
			if found.Raw && found.Zstd {
				fmt.Fprintln(os.Stderr, "accord: there are logs as text and logs as zstd frames: DSH opens no session of this home")
			}
			if strange {
				return errNo
			}
			return nil
		},
	}
}

var encodings = map[log.Encoding]string{log.Raw: "raw", log.Zstd: "zstd"}

func logCatCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "cat FILE...",
		Short: "Print logs as JSON lines",
		Long: `Prints each FILE: its header as it is, and each event as a line in the form of
generation 4, also those that an older generation packed into one row.

Exit 0. 1: a file is damaged, or has events that may not be skipped and that this
build does not know; what comes before is printed. A torn tail, as a crash leaves it,
is reported on standard error.`,
		Args: takes(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			w := bufio.NewWriter(os.Stdout)
			for _, name := range args {
				err := readLog(name, func(l *log.Reader) error {
					b := append(l.HeaderLine(), '\n')
					if _, err := w.Write(b); err != nil {
						return err
					}
					for row, err := range l.Rows() {
						if err != nil {
							return err
						}
						b = append(row.Append(b[:0]), '\n')
						if _, err := w.Write(b); err != nil {
							return err
						}
					}
					if t := l.Tail(); t != nil {
						fmt.Fprintf(os.Stderr, "accord: %s:%d: what follows was cut off by a crash: %s\n", name, t.Line, t.Reason)
					}
					return nil
				})
				if err = errors.Join(err, w.Flush()); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func logUsageCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "usage FILE...",
		Short: "Count what model requests used",
		Long: `Counts the tokens and requests of each FILE: its session's own, over all processes
that continued it, each request once. What a fork copied from its parent counts in
the parent's log, so the total of a home counts nothing twice. Input does not include
what came from a cache.

Exit 0. 1: a file cannot be counted to its end.`,
		Args: takes(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			type line struct {
				File      string    `json:"file"`
				Own       log.Usage `json:"own"`
				Inherited log.Usage `json:"inherited"`
			}
			var total log.Usage
			lines := make([]line, 0, len(args))
			for _, name := range args {
				err := readLog(name, func(l *log.Reader) error {
					t, err := log.UsageOf(l)
					lines = append(lines, line{name, t.Own, t.Inherited})
					total.Add(t.Own)
					return err
				})
				if err != nil {
					return err
				}
			}
			if asJSON {
				return json.NewEncoder(os.Stdout).Encode(map[string]any{"logs": lines, "total": total})
			}
			w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
			fmt.Fprintln(w, "requests\tinput\toutput\tcache read\tcache write\treasoning\t")
			row := func(u log.Usage, name string) {
				fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%d\t  %s\n", u.Requests, u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens, u.ReasoningTokens, name)
			}
			for _, l := range lines {
				row(l.Own, l.File)
			}
			row(total, "total")
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object, also with what forks inherited")
	return c
}

func logVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE...",
		Short: "Check logs as DSH does when it opens them",
		Long: `Reads each FILE to its end and says whether DSH of its generation opens it and can
continue it: one line a file, or what is wrong with it, with the line, the rule, and
what is expected and found.

Exit 0: all are sound. 1: one is not.`,
		Args: takes(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			bad := false
			for _, name := range args {
				var report *log.Report
				err := readLog(name, func(l *log.Reader) (err error) {
					report, err = log.Verify(l)
					return err
				})
				switch {
				case err != nil:
					bad = true
					fmt.Printf("FAIL  %v\n", err)
				default:
					bad = !report.Sound() || bad
					fmt.Println(strings.Join(verdict(name, report), "\n"))
				}
			}
			if bad {
				return errNo
			}
			return nil
		},
	}
}

// verdict is what there is to say of a log that could be read.
func verdict(name string, r *log.Report) []string {
	var wrong []string
	fail := func(format string, args ...any) { wrong = append(wrong, "FAIL  "+fmt.Sprintf(format, args...)) }
	if r.Damaged != nil {
		fail("%s:%d: %v", name, r.Damaged.Line, r.Damaged)
	}
	if r.Incompatible != nil {
		fail("%s: %v", name, r.Incompatible)
	}
	if r.Violation != nil {
		fail("%s:%d: %v", name, r.Line, r.Violation)
	}
	if r.Headless {
		fail("%s: the conversation has no system message in front: DSH opens the log once, and refuses it when it has continued it", name)
	}
	if wrong == nil {
		wrong = []string{fmt.Sprintf("ok    %s (%d events)", name, r.Rows)}
	}
	if r.Open {
		wrong = append(wrong, "      a turn is open: its process ended or still runs")
	}
	if r.Tail != nil {
		wrong = append(wrong, fmt.Sprintf("      line %d and what follows was cut off by a crash: %s", r.Tail.Line, r.Tail.Reason))
	}
	return wrong
}

func logSalvageCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "salvage FILE COPY",
		Short: "Copy the sound part of a damaged log",
		Long: `Writes to COPY, which must not exist, what of FILE is sound: its rows up to the first
that is damaged or does not fit, as they are and in the same encoding. Says what was
kept and which turns are lost. COPY appears when all of it is on the disk.

Exit 0: the copy is written. 1: it is not.`,
		Args: takes(2, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := disk.OpenHome(filepath.Dir(args[1]))
			if err != nil {
				return err
			}
			var report *log.Report
			err = readLog(args[0], func(l *log.Reader) error {
				e := l.Encoding()
				return disk.Publish(dir, filepath.Base(args[1]), func(w io.Writer) error {
					text := append(l.HeaderLine(), '\n')
					flush := func() error {
						_, err := w.Write(log.AppendBatch(nil, e, text))
						text = text[:0]
						return err
					}
					if err := flush(); err != nil {
						return err
					}
					var err error
					report, err = log.Salvage(l, func(r log.Row) error {
						if !r.Packed {
							text = append(append(text, r.Line...), '\n')
						}
						if len(text) < 1<<20 {
							return nil
						}
						return flush()
					})
					if err == nil && len(text) > 0 {
						err = flush()
					}
					return err
				})
			})
			if err = errors.Join(err, dir.Close()); err != nil {
				return err
			}
			fmt.Printf("%d of the events were kept", report.Kept)
			if len(report.LostTurns) > 0 {
				fmt.Printf("; lost turns: %s", strings.Trim(fmt.Sprint(report.LostTurns), "[]"))
			}
			fmt.Println()
			for _, line := range verdict(args[0], report) {
				if rest, ok := strings.CutPrefix(line, "FAIL  "); ok {
					fmt.Println(rest)
				}
			}
			return nil
		},
	}
}

func logMigrateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "migrate HOME SESSION",
		Short: "Write an older log anew in generation 4",
		Long: `Writes the log of SESSION below HOME anew in generation 4, as DSH migrates it, next to
the old file, which stays as it is. The new file appears when every row was checked
and is on the disk. A session that another process has open is refused. Prints the
new file, below HOME.

Exit 0: the log is of generation 4, perhaps already. 1: it cannot be migrated; all
reasons are listed, and nothing was written.`,
		Args: takes(2, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			if _, err := os.Stat(args[0]); err != nil {
				return err
			}
			home, err := disk.OpenHome(args[0])
			if err != nil {
				return err
			}
			return errors.Join(migrated(home, args[1]), home.Close())
		},
	}
}

func migrated(home *disk.Home, id string) error {
	found, err := files.Find(home, id)
	if err != nil {
		return err
	}
	// Of none, or of several, Open says so.
	if len(found) != 1 || found[0].Version < log.Newest {
		l, err := disk.Open(home, id, disk.Options{})
		if err != nil {
			return err
		}
		if err := l.Close(); err != nil {
			return err
		}
		if found, err = files.Find(home, id); err != nil {
			return err
		}
	}
	fmt.Println(found[0].Path())
	return nil
}

// readLog opens a log and has it read. Errors name the file.
func readLog(name string, read func(*log.Reader) error) (err error) {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	var o log.Options
	if magic, _ := in.Peek(4); string(magic) == "\x28\xb5\x2f\xfd" {
		o.Encoding = log.Zstd
	}
	l, err := log.NewReader(in, o)
	if err == nil {
		err = read(l)
		l.Close()
	}
	if err != nil && !errors.As(err, new(*os.PathError)) && !errors.As(err, new(*os.LinkError)) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return err
}
