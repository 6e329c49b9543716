package decant.pinot;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.pinot.common.CustomObject;
import org.apache.pinot.common.datatable.DataTable;
import org.apache.pinot.common.utils.DataSchema.ColumnDataType;
import org.apache.pinot.core.common.datatable.DataTableBuilder;
import org.apache.pinot.spi.utils.ByteArray;

/**
 * Cells as JSON, by the stored type of their column.
 *
 * <pre>
 *   INT          number
 *   LONG         decimal text
 *   FLOAT        {"bits": 8 hex digits}
 *   DOUBLE       {"bits": 16 hex digits}
 *   BIG_DECIMAL  {"unscaled": decimal text, "scale": number}
 *   STRING       text
 *   BYTES        hex digits
 *   MAP          {"json": object} or null
 *   OBJECT       {"type": id, "hex": payload} or null
 *   UNKNOWN      null
 *   arrays       list of the above
 * </pre>
 *
 * To be written, a cell may also be {"skip": true}, which sets nothing, or
 * {"setNull": true}, which makes the cell null in its slot.
 */
final class Cells {
  private static final HexFormat HEX = HexFormat.of();
  private static final TypeReference<LinkedHashMap<String, Object>> MAP = new TypeReference<>() { };

  private Cells() {
  }

  static void set(DataTableBuilder builder, int column, ColumnDataType type, JsonNode cell) throws IOException {
    if (cell.has("skip")) {
      return;
    }
    if (cell.has("setNull")) {
      Objects.setNull(builder, column);
      return;
    }
    switch (type) {
      case INT -> builder.setColumn(column, cell.intValue());
      case LONG -> builder.setColumn(column, toLong(cell));
      case FLOAT -> builder.setColumn(column, toFloat(cell));
      case DOUBLE -> builder.setColumn(column, toDouble(cell));
      case BIG_DECIMAL -> builder.setColumn(column,
          new BigDecimal(new BigInteger(cell.get("unscaled").textValue()), cell.get("scale").intValue()));
      case STRING -> builder.setColumn(column, cell.textValue());
      case BYTES -> builder.setColumn(column, new ByteArray(HEX.parseHex(cell.textValue())));
      case MAP -> builder.setColumn(column, toMap(cell));
      case OBJECT -> Objects.set(builder, column, cell.get("type").intValue(),
          HEX.parseHex(cell.get("hex").textValue()));
      default -> setArray(builder, column, type, cell);
    }
  }

  private static void setArray(DataTableBuilder builder, int column, ColumnDataType type, JsonNode cell)
      throws IOException {
    int n = cell.size();
    switch (type) {
      case INT_ARRAY -> {
        int[] values = new int[n];
        for (int i = 0; i < n; i++) {
          values[i] = cell.get(i).intValue();
        }
        builder.setColumn(column, values);
      }
      case LONG_ARRAY -> {
        long[] values = new long[n];
        for (int i = 0; i < n; i++) {
          values[i] = toLong(cell.get(i));
        }
        builder.setColumn(column, values);
      }
      case FLOAT_ARRAY -> {
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
          values[i] = toFloat(cell.get(i));
        }
        builder.setColumn(column, values);
      }
      case DOUBLE_ARRAY -> {
        double[] values = new double[n];
        for (int i = 0; i < n; i++) {
          values[i] = toDouble(cell.get(i));
        }
        builder.setColumn(column, values);
      }
      case STRING_ARRAY -> {
        String[] values = new String[n];
        for (int i = 0; i < n; i++) {
          values[i] = cell.get(i).textValue();
        }
        builder.setColumn(column, values);
      }
      default -> throw new IllegalArgumentException("a cell of type " + type);
    }
  }

  static JsonNode get(DataTable table, int row, int column, ColumnDataType type) {
    return switch (type) {
      case INT -> Peer.JSON.valueToTree(table.getInt(row, column));
      case LONG -> Peer.JSON.valueToTree(Long.toString(table.getLong(row, column)));
      case FLOAT -> bits(table.getFloat(row, column));
      case DOUBLE -> bits(table.getDouble(row, column));
      case BIG_DECIMAL -> decimal(table.getBigDecimal(row, column));
      case STRING -> Peer.JSON.valueToTree(table.getString(row, column));
      case BYTES -> Peer.JSON.valueToTree(HEX.formatHex(table.getBytes(row, column).getBytes()));
      case MAP -> map(table.getMap(row, column));
      case OBJECT, UNKNOWN -> object(table.getCustomObject(row, column));
      default -> getArray(table, row, column, type);
    };
  }

  private static JsonNode getArray(DataTable table, int row, int column, ColumnDataType type) {
    var list = Peer.JSON.createArrayNode();
    switch (type) {
      case INT_ARRAY -> {
        for (int value : table.getIntArray(row, column)) {
          list.add(value);
        }
      }
      case LONG_ARRAY -> {
        for (long value : table.getLongArray(row, column)) {
          list.add(Long.toString(value));
        }
      }
      case FLOAT_ARRAY -> {
        for (float value : table.getFloatArray(row, column)) {
          list.add(bits(value));
        }
      }
      case DOUBLE_ARRAY -> {
        for (double value : table.getDoubleArray(row, column)) {
          list.add(bits(value));
        }
      }
      case STRING_ARRAY -> {
        for (String value : table.getStringArray(row, column)) {
          list.add(value);
        }
      }
      default -> throw new IllegalArgumentException("a cell of type " + type);
    }
    return list;
  }

  private static long toLong(JsonNode cell) {
    return Long.parseLong(cell.textValue());
  }

  private static float toFloat(JsonNode cell) {
    return Float.intBitsToFloat(Integer.parseUnsignedInt(cell.get("bits").textValue(), 16));
  }

  private static double toDouble(JsonNode cell) {
    return Double.longBitsToDouble(Long.parseUnsignedLong(cell.get("bits").textValue(), 16));
  }

  private static Map<String, Object> toMap(JsonNode cell) {
    return cell.isNull() ? null : Peer.JSON.convertValue(cell.get("json"), MAP);
  }

  private static ObjectNode bits(float value) {
    return Peer.JSON.createObjectNode().put("bits", HEX.toHexDigits(Float.floatToRawIntBits(value)));
  }

  private static ObjectNode bits(double value) {
    return Peer.JSON.createObjectNode().put("bits", HEX.toHexDigits(Double.doubleToRawLongBits(value)));
  }

  private static ObjectNode decimal(BigDecimal value) {
    return Peer.JSON.createObjectNode()
        .put("unscaled", value.unscaledValue().toString())
        .put("scale", value.scale());
  }

  private static JsonNode map(Map<String, Object> value) {
    if (value == null) {
      return Peer.JSON.nullNode();
    }
    return Peer.JSON.createObjectNode().set("json", Peer.JSON.valueToTree(value));
  }

  private static JsonNode object(CustomObject value) {
    if (value == null) {
      return Peer.JSON.nullNode();
    }
    byte[] payload = new byte[value.getBuffer().remaining()];
    value.getBuffer().duplicate().get(payload);
    return Peer.JSON.createObjectNode().put("type", value.getType()).put("hex", HEX.formatHex(payload));
  }
}
