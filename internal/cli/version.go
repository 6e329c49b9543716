package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// What the program follows; docs/compat.md says how far.
const (
	followsNimble = "Velox 4d16851e (22 August 2026)"
	followsPinot  = "Apache Pinot 1.5.0"
)

type versionCommand struct{}

// Help says more about the command.
func (versionCommand) Help() string {
	return `Prints the program's version, and what it follows.`
}

// Run prints the version.
func (versionCommand) Run(c *console) error {
	_, err := fmt.Fprintf(c.stdout, "decant %s (%s %s/%s)\nNimble as in %s\nSQL and DataTable as in %s\n",
		version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, followsNimble, followsPinot)
	return err
}

// version returns the module's version, and the commit where it was built from a
// checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
