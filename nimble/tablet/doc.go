// Package tablet reads and writes the container of a Nimble file: where bytes
// are, not what they mean.
//
//	stripe 0 │ stripe 1 │ … │ sections │ footer │ postscript
//	─────────┴──────────┴───┴──────────┴────────┴───────────
//	stripe      streams, one after the other
//	stream      chunks, one after the other ([CutChunk])
//	section     a FlatBuffer or other bytes, perhaps compressed ([Extent]):
//	              stripe group      where each stream of some stripes is
//	              stripe directory  where each stripe is, and its rows
//	              named sections    schema, statistics, user metadata, …
//	footer      a section that says where the sections are
//	postscript  20 bytes that say where the footer is ([Postscript])
//
// Nothing is aligned or padded, and readers find all but the postscript by
// position. All numbers are little endian.
//
// [Open] reads the tail of a file; [Tablet.Group] and [Plan] find and read
// streams; [Tablet.Section] reads a named section. [Writer] writes a file stripe
// by stripe with the reference writer's bytes.
//
// The bytes are those of Velox at commit 4d16851e; docs/format.md describes them.
//
// Nothing that a file says is believed unchecked. Named sections are optional:
// damage inside one is an error of reading that section, never of [Open].
package tablet
