package decant.pinot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Map;
import org.apache.pinot.common.datatable.DataTable;
import org.apache.pinot.common.datatable.DataTableFactory;
import org.apache.pinot.common.utils.DataSchema;
import org.roaringbitmap.RoaringBitmap;

/**
 * Reads all of a table with Pinot's reader.
 *
 * <pre>
 *   columns     {"name", "type"} each; null = a table without a schema
 *   rows        a list of cells each, see {@link Cells}; null where a bitmap says so
 *   nullRows    for each column the list of its null rows or null
 *   exceptions  code: message
 *   metadata    key: value
 * </pre>
 */
final class TableReader {
  private TableReader() {
  }

  static ObjectNode read(byte[] bytes) throws IOException {
    DataTable table = DataTableFactory.getDataTable(bytes);
    ObjectNode contents = Peer.JSON.createObjectNode();
    DataSchema schema = table.getDataSchema();
    int columns = schema == null ? 0 : schema.size();
    ArrayNode described = schema == null ? null : Peer.JSON.createArrayNode();
    RoaringBitmap[] nulls = new RoaringBitmap[columns];
    ArrayNode nullRows = Peer.JSON.createArrayNode();
    for (int column = 0; column < columns; column++) {
      described.addObject()
          .put("name", schema.getColumnName(column))
          .put("type", schema.getColumnDataType(column).name());
      nulls[column] = table.getNullRowIds(column);
      nullRows.add(nulls[column] == null ? null : Peer.JSON.<ArrayNode>valueToTree(nulls[column].toArray()));
    }
    contents.set("columns", described);
    ArrayNode rows = contents.putArray("rows");
    for (int row = 0; row < table.getNumberOfRows(); row++) {
      ArrayNode cells = rows.addArray();
      for (int column = 0; column < columns; column++) {
        boolean isNull = nulls[column] != null && nulls[column].contains(row);
        cells.add(isNull ? null : Cells.get(table, row, column, schema.getColumnDataType(column).getStoredType()));
      }
    }
    contents.set("nullRows", nullRows);
    ObjectNode exceptions = contents.putObject("exceptions");
    for (Map.Entry<Integer, String> exception : table.getExceptions().entrySet()) {
      exceptions.put(exception.getKey().toString(), exception.getValue());
    }
    contents.set("metadata", Peer.JSON.valueToTree(table.getMetadata()));
    return contents;
  }
}
