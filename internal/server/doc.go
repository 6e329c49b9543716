// Package server gives answers of queries the two forms that Apache Pinot gives
// them: the JSON response of a broker, and the DataTable of a server.
package server
