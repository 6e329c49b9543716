// Package endpoint makes open files an endpoint that speaks as Pinot's broker and
// controller do.
package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/decantdb/decant"
	"github.com/decantdb/decant/internal/server"
	"github.com/decantdb/decant/internal/sql"
	"github.com/decantdb/decant/vector"
)

// NewHandler returns a handler that answers from the tables of db, which must stay
// open while it is used.
func NewHandler(db *decant.DB, o server.Options) *server.Handler {
	return server.NewHandler(backend{db}, o)
}

// AnswerOf returns the rows of a query as the writers of Pinot's formats take them.
func AnswerOf(rows *decant.Rows, requestID, brokerID string) *server.Answer {
	a := &server.Answer{Table: rows.Table(), Schema: rows.Schema(), Next: rows.NextBatch, RequestID: requestID, BrokerID: brokerID}
	for _, column := range rows.Columns() {
		a.Types = append(a.Types, column.Type)
	}
	a.Stats = func() server.Stats {
		s := rows.Stats()
		return server.Stats{RowsRead: s.RowsRead + s.RowsPruned, RowsMatched: s.RowsMatched, Segments: s.Splits, GroupsLimitReached: s.GroupsLimitReached}
	}
	return a
}

type backend struct{ db *decant.DB }

func (b backend) Query(ctx context.Context, text string, options map[string]string) (*server.Answer, func() error, error) {
	rows, err := b.db.QueryWith(ctx, text, options)
	if err != nil {
		return nil, nil, queryError(text, err)
	}
	a := AnswerOf(rows, "", "")
	next := a.Next
	a.Next = func() (*vector.Batch, error) {
		batch, err := next()
		return batch, queryError(text, err)
	}
	return a, rows.Close, nil
}

// Option finds an option among the SET statements of a query.
func (b backend) Option(text, name string) (string, bool) {
	statement, err := sql.Parse(text)
	if err != nil {
		return "", false
	}
	value, found := "", false
	for _, o := range statement.Options {
		if strings.EqualFold(o.Key, name) {
			value, found = o.Value, true
		}
	}
	return value, found
}

func (b backend) Tables() []server.Table {
	var tables []server.Table
	for _, t := range b.db.Describe() {
		one := server.Table{Name: t.Name}
		for _, c := range t.Columns {
			one.Columns = append(one.Columns, server.TableColumn(c))
		}
		for _, f := range t.Files {
			name := filepath.Base(f.Path)
			one.Segments = append(one.Segments, server.Segment{Name: strings.TrimSuffix(name, filepath.Ext(name)), Bytes: f.Bytes})
		}
		tables = append(tables, one)
	}
	return tables
}

// queryError gives an error of a query Pinot's number, and its words where clients
// look at them.
func queryError(text string, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	if ended := new(server.QueryError); errors.As(err, &ended) {
		return ended
	}
	e := &server.QueryError{Code: decant.ErrorCode(err), Message: err.Error()}
	switch e.Code {
	case 150:
		e.Message = fmt.Sprintf("SQLParsingError: Caught exception while parsing query: %s: %v", text, err)
	case 190:
		e.Message = "TableDoesNotExistError"
	case 200:
		e.Message = "QueryExecutionError: " + e.Message
	case 245:
		e.Message = "ServerResourceLimitExceededError: " + e.Message
	case 503:
		e.Message = "QueryCancellationError: " + e.Message
	case 250:
		e.Message = "ExecutionTimeoutError: the query took longer than its timeoutMs"
	case 710:
		e.Message = "UnknownColumnError: " + e.Message
	}
	return e
}
