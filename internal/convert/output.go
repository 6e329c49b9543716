package convert

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// standardStream is the name of standard input and of standard output.
const standardStream = "-"

// output is where a conversion writes.
type output struct {
	name string // as it was given, for errors
	// stream takes the bytes as they come, and stays open. It is nil if a file
	// is made or opened.
	stream io.Writer
	path   string      // name, its symbolic links followed
	before fs.FileInfo // of what is there, nil if nothing is
	// replaced means that a new file takes the name when all is written. What is
	// no regular file, such as a device or a pipe, is opened and written to.
	replaced bool
}

// WriteFile writes what write writes as the file of that name, which appears whole
// or not at all, as with Convert. The name "-" means stdout.
func WriteFile(name string, stdout io.Writer, write func(io.Writer) error) error {
	to, err := findOutput(name, stdout)
	if err != nil {
		return err
	}
	_, err = to.write(write)
	return err
}

// findOutput looks at what is at a name, and changes nothing.
func findOutput(name string, stdout io.Writer) (*output, error) {
	if name == standardStream {
		return &output{name: name, stream: stdout}, nil
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist): // perhaps a link to a file that is not there yet
		path, err := followLinks(name)
		return &output{name: name, path: path, replaced: true}, err
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a directory", name)
	}
	// /dev/stdout is a link to a file where the output is redirected. That file
	// is written to at the place where it is open.
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		if opened, err := f.Stat(); err == nil && os.SameFile(info, opened) {
			return &output{name: name, stream: f}, nil
		}
	}
	if !info.Mode().IsRegular() {
		return &output{name: name, path: name, before: info}, nil
	}
	path, err := followLinks(name)
	if err != nil {
		return nil, err
	}
	// A link below /proc may lead to a file that has lost its name.
	found, err := os.Lstat(path)
	if err != nil || !os.SameFile(info, found) {
		return &output{name: name, path: name, before: info}, nil
	}
	return &output{name: name, path: path, before: info, replaced: true}, nil
}

// followLinks returns the path at the end of the symbolic links at path, where
// there may be no file. Folders are resolved first: behind a link to one, .. is
// not what it is in the text.
func followLinks(path string) (string, error) {
	const most = 40 // as Linux has it
	for range most {
		dir, base := filepath.Split(path)
		if dir == "" {
			dir = "."
		}
		dir, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return path, nil // to create a file there will fail
		}
		path = filepath.Join(dir, base)
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link
		}
		if path = target; !filepath.IsAbs(path) {
			path = dir + string(filepath.Separator) + target
		}
	}
	return "", fmt.Errorf("%s: more than %d symbolic links", path, most)
}

// write calls f with what its bytes are to be written to, and returns how many
// those were. Errors name the output as it was given.
func (o *output) write(f func(w io.Writer) error) (size int64, err error) {
	switch {
	case o.stream != nil:
		size, err = writeCounted(o.stream, f)
	case o.replaced:
		size, err = o.replace(f)
	default:
		size, err = o.through(f)
	}
	return size, o.named(err)
}

// named makes an error of the file system one of the output's name.
func (o *output) named(err error) error {
	var link *os.LinkError
	if errors.As(err, &link) {
		return &fs.PathError{Op: link.Op, Path: o.name, Err: link.Err}
	}
	var path *fs.PathError
	if errors.As(err, &path) && isTemporary(path.Path, o.path) {
		path.Path = o.name
	}
	return err
}

// replace makes a file. Until all bytes are safely on disk they are in a
// temporary file beside it; then that takes the name. On an error the temporary
// file is removed.
func (o *output) replace(f func(w io.Writer) error) (size int64, err error) {
	file, err := createTemporary(o.path)
	if err != nil {
		return 0, err
	}
	if o.before != nil {
		err = file.Chmod(o.before.Mode().Perm())
	}
	if err == nil {
		size, err = writeCounted(file, f)
	}
	if err == nil {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(file.Name(), o.path)
	}
	if err != nil {
		return 0, errors.Join(err, os.Remove(file.Name()))
	}
	return size, syncFolder(filepath.Dir(o.path))
}

// through writes to what is there and is no regular file.
func (o *output) through(f func(w io.Writer) error) (size int64, err error) {
	file, err := os.OpenFile(o.path, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	size, err = writeCounted(file, f)
	return size, errors.Join(err, file.Close())
}

// writeCounted calls f with w and counts.
func writeCounted(w io.Writer, f func(w io.Writer) error) (size int64, err error) {
	counter := countingWriter{w: w}
	err = f(&counter)
	return counter.size, err
}

type countingWriter struct {
	w    io.Writer
	size int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.size += int64(n)
	return n, err
}

const temporarySuffix = ".tmp"

// temporaryPrefix returns what begins the names of files beside path that are
// not complete yet. A long name is cut, since there is a limit to them.
func temporaryPrefix(path string) string {
	dir, base := filepath.Split(path)
	return filepath.Join(dir, "."+base[:min(len(base), 200)]+".")
}

// createTemporary creates a file of a new name beside path, which may be read
// and written by whom the system's mask says.
func createTemporary(path string) (*os.File, error) {
	for range 100 {
		name := fmt.Sprintf("%s%08x%s", temporaryPrefix(path), rand.Uint32(), temporarySuffix)
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return file, err
		}
	}
	return nil, fmt.Errorf("%s: no temporary name is free", path)
}

// isTemporary reports whether name is one of those that createTemporary gives.
func isTemporary(name, path string) bool {
	return strings.HasPrefix(name, temporaryPrefix(path)) && strings.HasSuffix(name, temporarySuffix)
}

// syncFolder makes the names in a folder as safe as the files. Windows has no
// such call, and needs none.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
