package convert

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
)

// writeAtomic makes a file of what write writes, and returns its size. Until all
// bytes are safely on disk they are in a temporary file beside it; then that
// takes the name. On an error the temporary file is removed.
func writeAtomic(path string, write func(w io.Writer) error) (size int64, err error) {
	file, err := createTemporary(path)
	if err != nil {
		return 0, err
	}
	err = write(file)
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		size, err = file.Seek(0, io.SeekEnd)
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return 0, errors.Join(err, os.Remove(file.Name()))
	}
	return size, syncFolder(filepath.Dir(path))
}

// createTemporary creates a file of a new name beside path, which may be read
// and written by whom the system's mask says.
func createTemporary(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	for range 100 {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32()))
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return file, err
		}
	}
	return nil, fmt.Errorf("%s: no temporary name is free", path)
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
