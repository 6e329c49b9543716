// Command decant reads and writes Nimble files and asks files questions in SQL.
// Run it with --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/decantdb/decant/internal/cli"
)

func main() {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	// The first signal ends the command in order, a second one at once.
	context.AfterFunc(ctx, stop)
	os.Exit(cli.Run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
