package convert

import (
	"errors"
	"fmt"
	"io"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// jsonBatchBytes is how much text makes a batch, if it has fewer rows than it may.
const jsonBatchBytes = 16 << 20

// jsonlSource reads JSON lines.
type jsonlSource struct {
	in        *input
	lines     jsonLines
	cursor    jsonCursor
	root      *jsonNode
	all       *nimble.Type // before columns were chosen
	schema    *nimble.Type
	batch     *vector.Batch
	batchRows int
	absent    absentValues
}

func openJSONL(in *input, o Options) (Source, error) {
	s := &jsonlSource{in: in, batchRows: o.batchRows()}
	in.passes = 2
	var err error
	if s.all, err = s.infer(o.Schema); err != nil {
		return nil, err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	in.advance(in.size)
	s.lines = newJSONLines(in)
	s.schema = s.all
	return s, s.makeRoot()
}

// infer reads all lines and returns their type: the columns of known first, then the
// others in the order in which they appear.
func (s *jsonlSource) infer(known *nimble.Type) (*nimble.Type, error) {
	if _, err := s.in.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	s.lines = newJSONLines(s.in)
	var members jsonMembers
	root, err := knownMembers(known, &members)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.in.Name(), err)
	}
	for {
		line, err := s.lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		s.cursor.start(line)
		if s.cursor.peek() != '{' {
			return nil, s.fail(s.cursor.fail("an object"))
		}
		err = root.add(&s.cursor, &members, 0)
		if err == nil {
			err = s.cursor.end()
		}
		if err != nil {
			return nil, s.fail(err)
		}
	}
	if len(root.names) == 0 {
		return nimble.RowOf(nil, nil), nil
	}
	return root.row(), nil
}

// makeRoot makes the vectors of the chosen columns. Other members are passed over.
func (s *jsonlSource) makeRoot() error {
	root, err := newJSONNode(s.schema, &s.absent)
	if err != nil {
		return fmt.Errorf("%s: %w", s.in.Name(), err)
	}
	root.last = -1
	for _, name := range s.all.Names {
		if _, chosen := root.fields[name]; !chosen {
			root.fields[name] = -1
		}
	}
	s.root, s.absent = root, absentValues{spare: maxLineAbsent}
	s.batch = vector.NewBatch(nil, root.vec.(*vector.Row).Fields...)
	return nil
}

// fail says what is wrong in the line, where the cursor is.
func (s *jsonlSource) fail(err error) error { return s.lines.fail(s.cursor.column(), err) }

func (s *jsonlSource) Schema() *nimble.Type { return s.schema }

func (s *jsonlSource) Rows() (n int64, known bool) { return 0, false }

func (s *jsonlSource) Progress() (done, total int64) { return s.in.total() }

func (s *jsonlSource) Close() error { return s.in.Close() }

func (s *jsonlSource) Project(columns []int) error {
	schema, err := project(s.schema, columns)
	if err != nil {
		return err
	}
	s.schema = schema
	return s.makeRoot()
}

func (s *jsonlSource) Next() (*vector.Batch, error) {
	if err := s.in.ctx.Err(); err != nil {
		return nil, err
	}
	s.root.vec.Reset()
	s.absent.batch = 0
	rows, size := 0, 0
	for rows < s.batchRows && size < jsonBatchBytes && s.absent.batch < jsonBatchAbsent {
		line, err := s.lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		s.absent.start(len(line))
		s.cursor.start(line)
		err = s.root.appendObject(&s.cursor)
		if err == nil {
			err = s.cursor.end()
		}
		if err != nil {
			return nil, s.fail(err)
		}
		rows, size = rows+1, size+len(line)
	}
	if rows == 0 {
		return nil, io.EOF
	}
	s.batch.N = rows
	return s.batch, nil
}
