package decant.pinot;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.apache.pinot.common.datatable.DataTable;
import org.apache.pinot.common.utils.DataSchema;
import org.apache.pinot.common.utils.DataSchema.ColumnDataType;
import org.apache.pinot.core.common.datatable.DataTableBuilder;
import org.apache.pinot.core.common.datatable.DataTableBuilderFactory;
import org.roaringbitmap.RoaringBitmap;

/**
 * Builds the table that a description asks for.
 *
 * <pre>
 *   schema         {"columnNames", "columnDataTypes"}; null = a table without columns and rows
 *   rows           a list of cells each, see {@link Cells}
 *   setNullRowIds  for each column the list of its null rows or null; null = not called
 *   exceptions     {"errCode", "message"} each
 *   metadata       {"key", "value"} each
 * </pre>
 */
final class TableWriter {
  private TableWriter() {
  }

  static byte[] write(JsonNode description) throws IOException {
    JsonNode schema = description.path("schema");
    DataTable table = schema.isObject()
        ? build(dataSchema(schema), description)
        : DataTableBuilderFactory.getEmptyDataTable();
    for (JsonNode exception : description.path("exceptions")) {
      table.addException(exception.get("errCode").intValue(), exception.get("message").textValue());
    }
    for (JsonNode entry : description.path("metadata")) {
      table.getMetadata().put(entry.get("key").textValue(), entry.get("value").textValue());
    }
    return table.toBytes();
  }

  private static DataSchema dataSchema(JsonNode schema) {
    JsonNode names = schema.get("columnNames");
    JsonNode types = schema.get("columnDataTypes");
    String[] columnNames = new String[names.size()];
    ColumnDataType[] columnTypes = new ColumnDataType[types.size()];
    for (int i = 0; i < columnNames.length; i++) {
      columnNames[i] = names.get(i).textValue();
      columnTypes[i] = ColumnDataType.valueOf(types.get(i).textValue());
    }
    return new DataSchema(columnNames, columnTypes);
  }

  private static DataTable build(DataSchema schema, JsonNode description) throws IOException {
    DataTableBuilder builder = DataTableBuilderFactory.getDataTableBuilder(schema);
    for (JsonNode row : description.path("rows")) {
      builder.startRow();
      for (int column = 0; column < row.size(); column++) {
        Cells.set(builder, column, schema.getColumnDataType(column).getStoredType(), row.get(column));
      }
      builder.finishRow();
    }
    for (JsonNode rows : description.path("setNullRowIds")) {
      builder.setNullRowIds(rows.isNull() ? null : bitmap(rows));
    }
    return builder.build();
  }

  private static RoaringBitmap bitmap(JsonNode rows) {
    RoaringBitmap bitmap = new RoaringBitmap();
    for (JsonNode row : rows) {
      bitmap.add(row.intValue());
    }
    return bitmap;
  }
}
