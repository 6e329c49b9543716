package cli

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// arrange returns a command line in the order that the parser takes: the command,
// and what it is a command of, then its flags, each with its value in one argument, then all else. So flags may
// stand anywhere, also between files, and a value may begin with a dash. What
// follows -- is no flag, and neither is a text with spaces that begins with a dash,
// such as a query under a comment.
//
// It also makes commands of --version and of help.
func arrange(app *kong.Application, args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "--version":
		return []string{"version"}
	case args[0] == "help":
		return append(slices.Clone(args[1:]), "--help")
	}
	command, words := app.Node, 0
	for words < len(args) {
		child := slices.IndexFunc(command.Children, func(n *kong.Node) bool { return n.Name == args[words] })
		if child < 0 {
			break
		}
		command = command.Children[child]
		words++
	}
	if words == 0 || len(command.Children) > 0 {
		return args
	}
	flags, rest := slices.Clone(args[:words]), []string{"--"}
	for i := words; i < len(args); i++ {
		name, _, hasValue := strings.Cut(args[i], "=")
		switch {
		case args[i] == "--":
			return append(append(flags, rest...), args[i+1:]...)
		case len(name) < 2 || name[0] != '-' || strings.ContainsAny(name, " \t\r\n"):
			rest = append(rest, args[i])
		case hasValue || valueFlag(command, name) == "":
			flags = append(flags, args[i])
		case i+1 == len(args):
			return args // the parser says that the value is missing
		default:
			i++
			flags = append(flags, valueFlag(command, name)+"="+args[i])
		}
	}
	return append(flags, rest...)
}

// valueFlag returns the long form of a flag whose value is the next argument, or
// nothing if it is no such flag.
func valueFlag(command *kong.Node, name string) string {
	for _, flag := range command.Flags {
		long := "--" + flag.Name
		if (name == long || flag.Short != 0 && name == "-"+string(flag.Short)) && !flag.IsBool() {
			return long
		}
	}
	return ""
}
