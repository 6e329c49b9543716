package server

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// Table is a table as clients are told of it.
type Table struct {
	Name    string
	Columns []TableColumn
	// Segments are the files of the table.
	Segments []Segment
}

// TableColumn is a column with its type as Pinot names it.
type TableColumn struct{ Name, Type string }

// Segment is a part of a table.
type Segment struct {
	Name  string
	Bytes int64
}

// tenant, and what the only server of the cluster is called.
const tenant = "DefaultTenant"

func (h *Handler) broker() string { return fmt.Sprintf("Broker_%s_%d", h.options.Host, h.options.Port) }

func (h *Handler) server() string { return fmt.Sprintf("Server_%s_%d", h.options.Host, h.options.Port) }

// brokerInstance is a broker in the newer form.
type brokerInstance struct {
	Host         string `json:"host"`
	Port         int    `json:"port"`
	InstanceName string `json:"instanceName"`
	GRPCPort     int    `json:"grpcPort"`
}

func (h *Handler) brokers() []brokerInstance {
	return []brokerInstance{{h.options.Host, h.options.Port, h.broker(), -1}}
}

// byTable returns a map with the same value for each table, whose names get a
// suffix.
func byTable[V any](h *Handler, suffix string, value V) map[string]V {
	m := map[string]V{}
	for _, t := range h.backend.Tables() {
		m[t.Name+suffix] = value
	}
	return m
}

// controller adds the paths of the controller that clients use.
func (h *Handler) controller() {
	fixed := map[string]func() any{
		"/tables":                 func() any { return map[string]any{"tables": h.tableNames()} },
		"/tables/livebrokers":     func() any { return byTable(h, "_OFFLINE", h.brokers()) },
		"/schemas":                func() any { return h.tableNames() },
		"/v2/brokers/tables":      func() any { return byTable(h, "", h.brokers()) },
		"/v2/brokers/tenants":     func() any { return map[string]any{tenant: h.brokers()} },
		"/v2/brokers/tenants/{t}": func() any { return h.brokers() },
		"/brokers/tables":         func() any { return byTable(h, "", []string{h.broker()}) },
		"/brokers/tenants":        func() any { return map[string]any{tenant: []string{h.broker()}} },
		"/brokers/tenants/{t}":    func() any { return []string{h.broker()} },
		"/brokers": func() any {
			return map[string]any{"tenants": map[string]any{tenant: []string{h.broker()}}, "tables": byTable(h, "", []string{h.broker()})}
		},
		"/instances": func() any { return map[string]any{"instances": []string{h.broker(), h.server()}} },
		"/tenants": func() any {
			return map[string]any{"SERVER_TENANTS": []string{tenant}, "BROKER_TENANTS": []string{tenant}}
		},
		"/cluster/info":    func() any { return map[string]any{"clusterName": "decant"} },
		"/cluster/configs": func() any { return map[string]any{"enable.case.insensitive": "true"} },
		"/version":         func() any { return map[string]any{"decant": "1.5.0"} },
		"/auth/info":       func() any { return map[string]any{"workflow": "NONE"} },
	}
	for path, answer := range fixed {
		h.mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, answer()) })
	}
	of := map[string]func(Table) any{
		"/tables/{t}":              func(t Table) any { return map[string]any{"OFFLINE": tableConfig(t)} },
		"/tables/{t}/schema":       func(t Table) any { return schemaOf(t) },
		"/schemas/{t}":             func(t Table) any { return schemaOf(t) },
		"/tables/{t}/size":         h.sizeOf,
		"/tables/{t}/idealstate":   h.states,
		"/tables/{t}/externalview": h.states,
		"/segments/{t}":            func(t Table) any { return []any{map[string]any{"OFFLINE": segmentNames(t)}} },
		"/v2/brokers/tables/{t}":   func(Table) any { return h.brokers() },
		"/brokers/tables/{t}":      func(Table) any { return []string{h.broker()} },
		"/debug/routingTable/{t}": func(t Table) any {
			return map[string]any{t.Name + "_OFFLINE": map[string]any{h.server(): segmentNames(t)}}
		},
		"/tables/{t}/segmentsStatus": func(t Table) any { return []any{} },
	}
	for path, answer := range of {
		h.mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			t, ok := h.table(r.PathValue("t"))
			if !ok {
				writeFailure(w, http.StatusNotFound, fmt.Sprintf("Table %s not found", r.PathValue("t")))
				return
			}
			writeJSON(w, answer(t))
		})
	}
	for path, text := range map[string]string{"/health": "OK", "/health/liveness": "OK", "/health/readiness": "OK", "/pinot-controller/admin": "GOOD"} {
		h.mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, text)
		})
	}
}

func (h *Handler) tableNames() []string {
	names := []string{}
	for _, t := range h.backend.Tables() {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	return names
}

// table finds a table by its name, in any case and with or without its type.
func (h *Handler) table(name string) (Table, bool) {
	name = strings.TrimSuffix(name, "_OFFLINE")
	for _, t := range h.backend.Tables() {
		if strings.EqualFold(t.Name, name) {
			return t, true
		}
	}
	return Table{}, false
}

func segmentNames(t Table) []string {
	names := []string{}
	for _, s := range t.Segments {
		names = append(names, s.Name)
	}
	return names
}

func (h *Handler) states(t Table) any {
	segments := map[string]any{}
	for _, s := range t.Segments {
		segments[s.Name] = map[string]string{h.server(): "ONLINE"}
	}
	return map[string]any{"OFFLINE": segments, "REALTIME": nil}
}

func (h *Handler) sizeOf(t Table) any {
	segments, total := map[string]any{}, int64(0)
	for _, s := range t.Segments {
		total += s.Bytes
		segments[s.Name] = map[string]any{
			"reportedSizeInBytes": s.Bytes, "estimatedSizeInBytes": s.Bytes, "maxReportedSizePerReplicaInBytes": s.Bytes,
			"serverInfo": map[string]any{h.server(): map[string]any{"segmentName": s.Name, "diskSizeInBytes": s.Bytes}},
		}
	}
	return map[string]any{
		"tableName": t.Name, "reportedSizeInBytes": total, "estimatedSizeInBytes": total, "reportedSizePerReplicaInBytes": total,
		"offlineSegments": map[string]any{
			"reportedSizeInBytes": total, "estimatedSizeInBytes": total, "missingSegments": 0,
			"reportedSizePerReplicaInBytes": total, "segments": segments,
		},
		"realtimeSegments": nil,
	}
}

func tableConfig(t Table) any {
	return map[string]any{
		"tableName": t.Name + "_OFFLINE", "tableType": "OFFLINE",
		"segmentsConfig":   map[string]any{"replication": "1", "segmentPushType": "APPEND"},
		"tenants":          map[string]any{"broker": tenant, "server": tenant},
		"tableIndexConfig": map[string]any{"loadMode": "MMAP", "nullHandlingEnabled": true},
		"metadata":         map[string]any{},
	}
}

// fieldSpec is a column of a schema.
type fieldSpec struct {
	Name        string `json:"name"`
	DataType    string `json:"dataType"`
	FieldType   string `json:"fieldType"`
	SingleValue *bool  `json:"singleValueField,omitempty"`
}

type schemaSpec struct {
	SchemaName                   string      `json:"schemaName"`
	EnableColumnBasedNullHanding bool        `json:"enableColumnBasedNullHandling"`
	DimensionFieldSpecs          []fieldSpec `json:"dimensionFieldSpecs"`
}

// schemaOf gives all columns as dimensions: a file does not say more.
func schemaOf(t Table) schemaSpec {
	s := schemaSpec{SchemaName: t.Name, DimensionFieldSpecs: []fieldSpec{}}
	for _, c := range t.Columns {
		f := fieldSpec{Name: c.Name, FieldType: "DIMENSION"}
		var multi bool
		if f.DataType, multi = strings.CutSuffix(c.Type, "_ARRAY"); multi {
			f.SingleValue = new(bool)
		}
		s.DimensionFieldSpecs = append(s.DimensionFieldSpecs, f)
	}
	slices.SortFunc(s.DimensionFieldSpecs, func(a, b fieldSpec) int { return strings.Compare(a.Name, b.Name) })
	return s
}
