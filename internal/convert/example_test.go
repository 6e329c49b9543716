package convert_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/decantdb/decant/internal/convert"
)

// exampleFile returns the path of a CSV file in a folder of its own.
func exampleFile() string {
	dir, err := os.MkdirTemp("", "convert")
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "trips.csv")
	if err := os.WriteFile(path, []byte("id,zip,fare,at\n1,0870,2.50,2013-01-31\n2,NA,3.75,2013-02-01\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	return path
}

// A CSV file becomes a Nimble file, and that a CSV file again.
func ExampleConvert() {
	in := exampleFile()
	defer os.RemoveAll(filepath.Dir(in))
	ctx := context.Background()
	middle := filepath.Join(filepath.Dir(in), "trips.nimble")
	out := filepath.Join(filepath.Dir(in), "again.csv")
	o := convert.Options{Nulls: []string{"NA"}}
	stats, err := convert.Convert(ctx, in, middle, o, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stats.Rows, "rows")
	if _, err := convert.Convert(ctx, middle, out, o, nil); err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(text))
	// Output:
	// 2 rows
	// id,zip,fare,at
	// 1,0870,2.50,2013-01-31
	// 2,NA,3.75,2013-02-01
}

// A file is read batch by batch, and its values printed.
func ExampleOpenSource() {
	in := exampleFile()
	defer os.RemoveAll(filepath.Dir(in))
	src, err := convert.OpenSource(context.Background(), in, convert.Options{Nulls: []string{"NA"}})
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	fmt.Println(src.Schema())
	text, err := convert.NewText(src.Schema(), convert.PlainText)
	if err != nil {
		log.Fatal(err)
	}
	for {
		batch, err := src.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		if err := text.Render(batch); err != nil {
			log.Fatal(err)
		}
		for row := range text.Rows() {
			zip, present := text.Cell(row, 1)
			fmt.Println(string(zip), present)
		}
	}
	// Output:
	// ROW<id INTEGER, zip VARCHAR, fare DOUBLE, at DATE>
	// 0870 true
	//  false
}
