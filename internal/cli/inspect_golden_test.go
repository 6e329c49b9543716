package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/golden"
)

// dumpParts cuts what the reference's dump tool printed into its parts, each a list
// of lines of words.
func dumpParts(t *testing.T, path string) map[string][][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string][][]string{}
	name := ""
	for _, line := range strings.Split(string(text), "\n") {
		if after, ok := strings.CutPrefix(line, "===== "); ok {
			name = after
			continue
		}
		parts[name] = append(parts[name], strings.Fields(line))
	}
	return parts
}

func inspectJSON[T any](t *testing.T, file, what string) T {
	t.Helper()
	var r T
	if err := json.Unmarshal([]byte(mustRun(t, "inspect", "--json", file, what)), &r); err != nil {
		t.Fatalf("%s %s: %v", file, what, err)
	}
	return r
}

// dumpLines returns the given columns of the lines of a part below its header.
func dumpLines(lines [][]string, columns ...int) []string {
	var all []string
	for _, words := range lines[min(1, len(lines)):] {
		if len(words) <= slices.Max(columns) {
			continue
		}
		var line []string
		for _, c := range columns {
			line = append(line, words[c])
		}
		all = append(all, strings.Join(line, " "))
	}
	slices.Sort(all)
	return all
}

// What inspect says of stripes, streams and the layout is what the reference's
// tool says.
func TestGoldenInspect(t *testing.T) {
	files, lines := 0, 0
	for _, dir := range golden.Dirs(t, "nimble/files") {
		dumps, err := filepath.Glob(filepath.Join(dir, "*.dump.txt"))
		if err != nil {
			t.Fatal(err)
		}
		for _, dump := range dumps {
			file := strings.TrimSuffix(dump, ".dump.txt") + ".nimble"
			parts := dumpParts(t, dump)
			if len(parts["streams"]) == 0 {
				continue
			}
			files++
			lines += compareDump(t, file, parts)
		}
	}
	if files == 0 {
		t.Error("no dumps")
	}
	t.Logf("%d files, %d lines", files, lines)
}

func compareDump(t *testing.T, file string, parts map[string][][]string) (lines int) {
	t.Helper()
	var stripes, streams, layout []string
	for _, s := range inspectJSON[stripesReport](t, file, "stripes").Stripes {
		stripes = append(stripes, fmt.Sprintf("%d %d %d %d", s.Stripe, s.Pos, s.Bytes, s.Rows))
	}
	for _, s := range inspectJSON[streamsReport](t, file, "streams").Stripes {
		for _, x := range s.Streams {
			streams = append(streams, fmt.Sprintf("%d %d %d %d", s.Stripe, x.ID, x.Pos-s.Pos, x.Bytes))
		}
	}
	for _, x := range inspectJSON[regionsReport](t, file, "layout").Regions {
		if !strings.HasPrefix(x.Name, "stripe ") || x.Codec != "" { // of a stripe the tool counts shared streams twice
			layout = append(layout, fmt.Sprintf("%d %d", x.Pos, x.Bytes))
		}
	}
	regions := slices.DeleteFunc(slices.Clone(parts["filelayout"]), func(words []string) bool {
		return len(words) > 4 && words[3] == "Stripe" && words[2] == "NA"
	})
	for _, c := range []struct {
		name      string
		got, want []string
	}{
		{"stripes", stripes, dumpLines(parts["stripes"], 0, 1, 2, 3)},
		{"streams", streams, dumpLines(parts["streams"], 0, 1, 2, 3)},
		{"layout", layout, dumpLines(regions, 0, 1)},
	} {
		slices.Sort(c.got)
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %s are\n%v, want\n%v", filepath.Base(file), c.name, c.got, c.want)
		}
		lines += len(c.want)
	}
	return lines
}

func TestInspectNouns(t *testing.T) {
	for _, what := range []string{"info", "schema", "stripes", "streams", "layout", "sections", "stats", "encodings", "index"} {
		if out := mustRun(t, "inspect", flights, what); strings.Count(out, "\n") < 1 {
			t.Errorf("%s: %q", what, out)
		}
		if !json.Valid([]byte(mustRun(t, "inspect", "--json", flights, what))) {
			t.Errorf("%s: no JSON", what)
		}
	}
	encodings := inspectJSON[encodingsReport](t, flights, "encodings")
	stripes := inspectJSON[stripesReport](t, flights, "stripes")
	var ofArrays, ofStripes uint64
	for _, e := range encodings.Encodings {
		ofArrays += e.Bytes
	}
	for _, s := range stripes.Stripes {
		ofStripes += s.Bytes
	}
	if ofArrays == 0 || ofArrays > ofStripes || ofStripes-ofArrays > ofStripes/10 {
		t.Errorf("arrays have %d of %d bytes", ofArrays, ofStripes)
	}
}

// The bytes of a stream are those of the file, in hexadecimal, as JSON and raw.
func TestInspectBytes(t *testing.T) {
	data, err := os.ReadFile(flights)
	if err != nil {
		t.Fatal(err)
	}
	stream := inspectJSON[streamsReport](t, flights, "streams").Stripes[1].Streams[3]
	want := data[stream.Pos : stream.Pos+stream.Bytes]
	args := []string{"inspect", flights, "bytes", "--stripe", "1", "--stream", fmt.Sprint(stream.ID)}
	if got := mustRun(t, append(args, "-o", "-")...); got != string(want) {
		t.Error("the bytes differ")
	}
	out := filepath.Join(t.TempDir(), "stream")
	mustRun(t, append(args, "-o", out)...)
	if got, err := os.ReadFile(out); err != nil || string(got) != string(want) {
		t.Errorf("the file's bytes differ, %v", err)
	}
	var r bytesReport
	if err := json.Unmarshal([]byte(mustRun(t, append(args, "--json")...)), &r); err != nil || r.Hex != fmt.Sprintf("%x", want) {
		t.Errorf("%v, or the JSON differs", err)
	}
	first := fmt.Sprintf("%08x  % x", stream.Pos, want[:16])
	if got := mustRun(t, args...); !strings.HasPrefix(got, first) {
		t.Errorf("%.80q, want %q", got, first)
	}
}

func TestInspectMistakes(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"bytes", "needs --stream"},
		{"chunks --stream 1", "needs --stripe"},
		{"streams --stripe 77", "6 stripes"},
		{"bytes --stripe 0 --stream 4000", "no stream 4000"},
		{"everything", "must be one of"},
	} {
		_, stderr, code := run(t, append([]string{"inspect", flights}, strings.Fields(c.args)...)...)
		if code == ExitOK || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, %q", c.args, code, stderr)
		}
	}
}
