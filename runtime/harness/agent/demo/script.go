// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"strconv"
	"strings"
	"time"
)

// verb is what one line of a prompt asks for.
type verb int

const (
	say verb = iota
	count
	flood
	think
	sleep
	tool
	ask
	child
	childAwaited
	fail
	stubborn
	remember
	recall
)

// command is one line of a prompt, parsed.
type command struct {
	verb  verb
	text  string        // say, think: what; tool, ask: the tool's name; child: its command; fail: the message; remember, recall: the key
	value string        // remember: the value
	n     int           // count, flood
	d     time.Duration // count: between two; sleep, stubborn, tool: how long
}

// callsTool reports whether the command ends its step with a tool call.
func (c *command) callsTool() bool {
	return c.verb == tool || c.verb == ask || c.verb == child || c.verb == childAwaited
}

// speaks reports whether the command's text is part of the answer. There is a
// newline between two of them.
func (c *command) speaks() bool {
	switch c.verb {
	case say, count, flood, remember, recall:
		return true
	}
	return false
}

// parse parses a prompt, one command a line. A line that is no command becomes a
// say of the line. Empty lines are skipped.
func parse(prompt string) []command {
	var commands []command
	for line := range strings.Lines(prompt) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		c, ok := parseLine(line)
		if !ok {
			c = command{verb: say, text: line}
		}
		commands = append(commands, c)
	}
	return commands
}

func parseLine(line string) (c command, ok bool) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	fields := strings.Fields(rest)
	switch word {
	case "say":
		return command{verb: say, text: rest}, rest != ""
	case "think":
		return command{verb: think, text: rest}, rest != ""
	case "fail":
		if rest == "" {
			rest = "failed as asked"
		}
		return command{verb: fail, text: rest}, true
	case "child":
		return command{verb: child, text: rest}, rest != ""
	case "child!":
		return command{verb: childAwaited, text: rest}, rest != ""
	case "count":
		c.verb = count
		if len(fields) == 0 || len(fields) > 2 || !number(fields[0], &c.n) {
			return c, false
		}
		return c, len(fields) == 1 || duration(fields[1], &c.d)
	case "flood":
		c.verb = flood
		return c, len(fields) == 1 && number(fields[0], &c.n)
	case "sleep":
		c.verb = sleep
		return c, len(fields) == 1 && duration(fields[0], &c.d)
	case "stubborn":
		c.verb = stubborn
		return c, len(fields) == 1 && duration(fields[0], &c.d)
	case "tool":
		if len(fields) == 0 || len(fields) > 2 {
			return c, false
		}
		c = command{verb: tool, text: fields[0]}
		return c, len(fields) == 1 || duration(fields[1], &c.d)
	case "ask":
		if len(fields) != 1 {
			return c, false
		}
		return command{verb: ask, text: fields[0]}, true
	case "remember":
		key, value, _ := strings.Cut(rest, " ")
		return command{verb: remember, text: key, value: strings.TrimSpace(value)}, key != "" && value != ""
	case "recall":
		return command{verb: recall, text: rest}, len(fields) == 1
	}
	return c, false
}

func number(s string, n *int) bool {
	v, err := strconv.Atoi(s)
	*n = v
	return err == nil && v >= 0
}

func duration(s string, d *time.Duration) bool {
	v, err := time.ParseDuration(s)
	*d = v
	return err == nil && v >= 0
}

// words cuts a text into its words, each with the blanks after it, so that
// they join to the text again.
func words(text string) []string {
	var out []string
	for text != "" {
		end := strings.IndexByte(text, ' ')
		if end < 0 {
			return append(out, text)
		}
		for end < len(text) && text[end] == ' ' {
			end++
		}
		out = append(out, text[:end])
		text = text[end:]
	}
	return out
}
