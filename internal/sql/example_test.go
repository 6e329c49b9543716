package sql_test

import (
	"fmt"

	"github.com/decantdb/decant/internal/sql"
)

func ExampleParse() {
	s, err := sql.Parse("SET enableNullHandling = true; select carrier, avg(arr_delay) from flights where month in (1, 2) group by 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range s.Options {
		fmt.Printf("%s is %s\n", o.Key, o.Value)
	}
	for _, item := range s.Query.Select {
		fmt.Println(sql.ColumnName(item.Expr))
	}
	fmt.Println(s.Query)
	// Output:
	// enableNullHandling is true
	// carrier
	// avg(arr_delay)
	// SELECT carrier, avg(arr_delay) FROM flights WHERE month IN (1, 2) GROUP BY 1
}

func ExampleParse_error() {
	_, err := sql.Parse("SELECT carrier, FROM flights")
	fmt.Println(err)
	// Output:
	// sql: line 1 column 17: expected expression, found "FROM"
}

func ExampleColumnName() {
	e, err := sql.ParseExpr("CASE WHEN l + 1 > 2 THEN 'big' END")
	fmt.Println(sql.ColumnName(e), err)
	// Output:
	// case(greater_than(plus(l,'1'),'2'),'big','null') <nil>
}

func ExampleWalk() {
	e, err := sql.ParseExpr("sum(a) / count(b) > 0.5")
	sql.Walk(e, func(e sql.Expr) bool {
		if id, ok := e.(*sql.Identifier); ok {
			fmt.Println(id.Name, "at column", id.Pos().Column)
		}
		return true
	})
	fmt.Println(err)
	// Output:
	// a at column 5
	// b at column 16
	// <nil>
}
