package datatable

import "fmt"

// MetadataKey is the id of an entry of a table's metadata.
type MetadataKey int32

// The keys, in the order of their ids. Those after MaxRowsInJoinReached came
// with Pinot 1.4, QueryID with 1.5, and those after it later.
const (
	UnknownKey MetadataKey = iota
	TableKey
	NumDocsScanned
	NumEntriesScannedInFilter
	NumEntriesScannedPostFilter
	NumSegmentsQueried
	NumSegmentsProcessed
	NumSegmentsMatched
	NumConsumingSegmentsQueried
	MinConsumingFreshnessTimeMs
	TotalDocs
	NumGroupsLimitReached
	TimeUsedMs
	TraceInfo
	RequestID
	NumResizes
	ResizeTimeMs
	ThreadCPUTimeNs
	SystemActivitiesCPUTimeNs
	ResponseSerializationCPUTimeNs
	NumSegmentsPrunedByServer
	NumSegmentsPrunedByInvalid
	NumSegmentsPrunedByLimit
	NumSegmentsPrunedByValue
	ExplainPlanNumEmptyFilterSegments
	ExplainPlanNumMatchAllFilterSegments
	NumConsumingSegmentsProcessed
	NumConsumingSegmentsMatched
	NumBlocks
	NumRows
	OperatorExecutionTimeMs
	OperatorID
	OperatorExecStartTimeMs
	OperatorExecEndTimeMs
	MaxRowsInJoinReached
	NumGroupsWarningLimitReached
	ThreadMemAllocatedBytes
	ResponseSerMemAllocatedBytes
	Sorted
	GroupsTrimmed
	WorkloadName
	QueryID
	EarlyTerminationReason
	IncompleteMerge
	LiteModeLeafStageLimitReached

	numKeys = LiteModeLeafStageLimitReached + 1
)

// ValueKind says how the value of a metadata entry is written.
type ValueKind uint8

// The kinds of values.
const (
	TextValue ValueKind = iota // lstr
	IntValue                   // i32
	LongValue                  // i64
	BoolValue                  // one byte, 1 = true
)

type keyInfo struct {
	name string
	kind ValueKind
}

var keys = [numKeys]keyInfo{
	UnknownKey:                           {"unknown", TextValue},
	TableKey:                             {"table", TextValue},
	NumDocsScanned:                       {"numDocsScanned", LongValue},
	NumEntriesScannedInFilter:            {"numEntriesScannedInFilter", LongValue},
	NumEntriesScannedPostFilter:          {"numEntriesScannedPostFilter", LongValue},
	NumSegmentsQueried:                   {"numSegmentsQueried", IntValue},
	NumSegmentsProcessed:                 {"numSegmentsProcessed", IntValue},
	NumSegmentsMatched:                   {"numSegmentsMatched", IntValue},
	NumConsumingSegmentsQueried:          {"numConsumingSegmentsQueried", IntValue},
	MinConsumingFreshnessTimeMs:          {"minConsumingFreshnessTimeMs", LongValue},
	TotalDocs:                            {"totalDocs", LongValue},
	NumGroupsLimitReached:                {"numGroupsLimitReached", TextValue},
	TimeUsedMs:                           {"timeUsedMs", LongValue},
	TraceInfo:                            {"traceInfo", TextValue},
	RequestID:                            {"requestId", LongValue},
	NumResizes:                           {"numResizes", IntValue},
	ResizeTimeMs:                         {"resizeTimeMs", LongValue},
	ThreadCPUTimeNs:                      {"threadCpuTimeNs", LongValue},
	SystemActivitiesCPUTimeNs:            {"systemActivitiesCpuTimeNs", LongValue},
	ResponseSerializationCPUTimeNs:       {"responseSerializationCpuTimeNs", LongValue},
	NumSegmentsPrunedByServer:            {"numSegmentsPrunedByServer", IntValue},
	NumSegmentsPrunedByInvalid:           {"numSegmentsPrunedByInvalid", IntValue},
	NumSegmentsPrunedByLimit:             {"numSegmentsPrunedByLimit", IntValue},
	NumSegmentsPrunedByValue:             {"numSegmentsPrunedByValue", IntValue},
	ExplainPlanNumEmptyFilterSegments:    {"explainPlanNumEmptyFilterSegments", IntValue},
	ExplainPlanNumMatchAllFilterSegments: {"explainPlanNumMatchAllFilterSegments", IntValue},
	NumConsumingSegmentsProcessed:        {"numConsumingSegmentsProcessed", IntValue},
	NumConsumingSegmentsMatched:          {"numConsumingSegmentsMatched", IntValue},
	NumBlocks:                            {"numBlocks", IntValue},
	NumRows:                              {"numRows", IntValue},
	OperatorExecutionTimeMs:              {"operatorExecutionTimeMs", LongValue},
	OperatorID:                           {"operatorId", TextValue},
	OperatorExecStartTimeMs:              {"operatorExecStartTimeMs", LongValue},
	OperatorExecEndTimeMs:                {"operatorExecEndTimeMs", LongValue},
	MaxRowsInJoinReached:                 {"maxRowsInJoinReached", TextValue},
	NumGroupsWarningLimitReached:         {"numGroupsWarningLimitReached", TextValue},
	ThreadMemAllocatedBytes:              {"threadMemAllocatedBytes", LongValue},
	ResponseSerMemAllocatedBytes:         {"responseSerMemAllocatedBytes", LongValue},
	Sorted:                               {"sorted", BoolValue},
	GroupsTrimmed:                        {"groupsTrimmed", TextValue},
	WorkloadName:                         {"workloadName", TextValue},
	QueryID:                              {"queryId", TextValue},
	EarlyTerminationReason:               {"earlyTerminationReason", TextValue},
	IncompleteMerge:                      {"incompleteMerge", TextValue},
	LiteModeLeafStageLimitReached:        {"liteModeLeafStageLimitReached", TextValue},
}

func (k MetadataKey) known() bool { return k >= 0 && k < numKeys }

// String returns the key's name.
func (k MetadataKey) String() string {
	if !k.known() {
		return fmt.Sprintf("key %d", int32(k))
	}
	return keys[k].name
}

// Kind says how the values of k are written. Unknown keys count as text.
func (k MetadataKey) Kind() ValueKind {
	if !k.known() {
		return TextValue
	}
	return keys[k].kind
}

// ParseMetadataKey returns the key of a name such as "totalDocs".
func ParseMetadataKey(name string) (MetadataKey, bool) {
	for k := range keys {
		if keys[k].name == name {
			return MetadataKey(k), true
		}
	}
	return 0, false
}
