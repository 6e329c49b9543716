package decant.pinot;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.pinot.common.CustomObject;
import org.apache.pinot.core.common.ObjectSerDeUtils;
import org.apache.pinot.core.common.datatable.DataTableBuilder;

/** OBJECT cells in release 1.3, whose builder serializes them itself. */
final class Objects {
  private Objects() {
  }

  static void set(DataTableBuilder builder, int column, int type, byte[] payload) throws IOException {
    Object value = ObjectSerDeUtils.deserialize(new CustomObject(type, ByteBuffer.wrap(payload)));
    builder.setColumn(column, value);
  }

  static void setNull(DataTableBuilder builder, int column) throws IOException {
    builder.setColumn(column, (Object) null);
  }
}
