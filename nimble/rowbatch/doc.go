// Package rowbatch reads and writes batches of rows in Nimble's wire format:
// the streams of some rows in one blob, without a schema. Reader and writer
// share a [Schema], which says which stream holds what.
//
//	blob     header | streams | trailer
//	header   without      u32 rows                                  legacy
//	         version 0    u8 0 | u32 rows                           legacy
//	         2, 3         u8 version | uv rows
//	         4, 5         u8 version | uv rows | u8 flags
//	         6            u8 version | uv rows | u8 flags | uv begin | uv end
//	                      | uv key bytes + 1, 0 = no key | key
//	streams  legacy       { u32 size | bytes } by stream number, no trailer
//	         2 to 5       encoded arrays (package encoding), by stream number
//	         6            distinct streams of a file, in chunks if the flags say so
//	trailer  2            u8 kind | sizes by stream number | u32 trailer bytes
//	         3, 4, 5      numbers | sizes | u32 trailer bytes
//	         6            numbers | which of the sizes | sizes | u32 trailer bytes
//
// uv is an unsigned LEB128 varint. The lists of a trailer are described with
// readSection. Flags: 1 = a row or a flat map is null somewhere (the null
// barrier), 2 = row counts are varints, 4 = streams are in chunks.
//
// A [Serializer] writes version 4 (what others call serialization) and the
// legacy form without a header; a [Deserializer] reads all of them; a
// [Projector] cuts columns and keys out of blobs without decoding them, and a
// [Slicer] rows; both write version 5.
//
// # Which rows a stream has
//
//	row       nulls: a bool for each row, absent if none is null
//	scalar    values, in a nullable array if one is null
//	list, map lengths, the same way; then the elements of all rows
//	timestamp microseconds, the same way; nanoseconds of those present
//	dedup     number of each row's run, the same way; lengths of the runs, and
//	          their elements: equal neighbours are one run
//	window    place of each map's first pair in the blob, the same way; lengths
//	          of those present; pairs, once for equal neighbours
//	flat map  nulls; and for each key its values' streams, of the maps that have
//	          the key, and in-map: a bool for each map, absent if all are the same
//
// Fields have no entry for a null row. An absent in-map stream means that all
// maps have the key if the blob has any stream of the key's values, and that
// none has it otherwise. Each blob stands for itself, so the null barrier,
// which keeps readers from joining the streams of blobs, does not matter here.
//
// # Memory
//
// All memory comes from the session's pool: decoder nodes and scratch go back
// after each blob, and rows are written into a vector that the caller owns and
// reuses, strings included, so that it depends on nothing else. Once warm,
// nothing is allocated. Whatever the bytes of a blob are, no more rows than
// Options.LimitRows are made of it at any level.
package rowbatch
