package decant.pinot;

import java.io.IOException;
import java.util.Arrays;
import org.apache.pinot.common.utils.DataSchema;
import org.apache.pinot.common.utils.DataSchema.ColumnDataType;
import org.apache.pinot.core.common.datatable.DataTableBuilder;
import org.apache.pinot.spi.utils.ByteArray;

/** The tables that are measured: their columns, and their values in row i. */
public enum Shape {
  NUMERIC(4), MIXED(6), MIXED_ARRAYS(8);

  private static final String[] NAMES = {"i", "l", "f", "d", "s", "b", "ia", "sa"};
  private static final ColumnDataType[] TYPES = {
      ColumnDataType.INT, ColumnDataType.LONG, ColumnDataType.FLOAT, ColumnDataType.DOUBLE,
      ColumnDataType.STRING, ColumnDataType.BYTES, ColumnDataType.INT_ARRAY, ColumnDataType.STRING_ARRAY
  };

  private final int _columns;

  Shape(int columns) {
    _columns = columns;
  }

  DataSchema schema() {
    return new DataSchema(Arrays.copyOf(NAMES, _columns), Arrays.copyOf(TYPES, _columns));
  }

  Values values(int rows) {
    return new Values(this, rows);
  }

  /** The values of a table, made before anything is measured. */
  static final class Values {
    private final Shape _shape;
    private final int _rows;
    private final int[] _ints;
    private final long[] _longs;
    private final float[] _floats;
    private final double[] _doubles;
    private final String[] _strings;
    private final ByteArray[] _bytes;
    private final int[][] _intArrays;
    private final String[][] _stringArrays;

    private Values(Shape shape, int rows) {
      _shape = shape;
      _rows = rows;
      _ints = new int[rows];
      _longs = new long[rows];
      _floats = new float[rows];
      _doubles = new double[rows];
      _strings = new String[rows];
      _bytes = new ByteArray[rows];
      _intArrays = new int[rows][];
      _stringArrays = new String[rows][];
      for (int i = 0; i < rows; i++) {
        _ints[i] = i;
        _longs[i] = i * 1_000_003L;
        _floats[i] = i * 0.5f;
        _doubles[i] = i * 0.25;
        _strings[i] = "value-" + i % 100;
        byte[] bytes = new byte[8];
        for (int k = 0; k < bytes.length; k++) {
          bytes[k] = (byte) (i + k);
        }
        _bytes[i] = new ByteArray(bytes);
        _intArrays[i] = new int[] {i, i + 1, i + 2};
        _stringArrays[i] = new String[] {"tag-" + i % 10, "tag-" + (i + 1) % 10};
      }
    }

    /** Gives all rows to a new builder. */
    void fill(DataTableBuilder builder) throws IOException {
      for (int i = 0; i < _rows; i++) {
        builder.startRow();
        builder.setColumn(0, _ints[i]);
        builder.setColumn(1, _longs[i]);
        builder.setColumn(2, _floats[i]);
        builder.setColumn(3, _doubles[i]);
        if (_shape != NUMERIC) {
          builder.setColumn(4, _strings[i]);
          builder.setColumn(5, _bytes[i]);
        }
        if (_shape == MIXED_ARRAYS) {
          builder.setColumn(6, _intArrays[i]);
          builder.setColumn(7, _stringArrays[i]);
        }
        builder.finishRow();
      }
    }
  }
}
