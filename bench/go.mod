module github.com/decantdb/decant/bench

go 1.26.7

require github.com/decantdb/decant v0.0.0

replace github.com/decantdb/decant => ../
