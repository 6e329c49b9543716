// Package plan turns a parsed query into what the engine runs: names become
// columns, every expression gets a type, conditions become tests on one value
// where they can, and aggregates are taken apart into what must be kept for
// each group.
//
// Conditions are three-valued. Negation is pushed down to the leaves here, so
// that the engine only ever asks for which rows a condition is true: a leaf is
// never true for a null, negated or not (a null test excepted).
package plan
