package decant.pinot;

import java.io.IOException;
import org.apache.pinot.core.common.datatable.DataTableBuilder;
import org.apache.pinot.core.query.aggregation.function.AggregationFunction.SerializedIntermediateResult;

/** OBJECT cells in releases from 1.4 on, whose builders take them serialized. */
final class Objects {
  private Objects() {
  }

  static void set(DataTableBuilder builder, int column, int type, byte[] payload) throws IOException {
    builder.setColumn(column, new SerializedIntermediateResult(type, payload));
  }

  static void setNull(DataTableBuilder builder, int column) throws IOException {
    builder.setNull(column);
  }
}
