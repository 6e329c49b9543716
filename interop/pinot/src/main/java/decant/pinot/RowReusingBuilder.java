package decant.pinot;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.pinot.common.utils.DataSchema;
import org.apache.pinot.core.common.datatable.DataTableBuilderV4;

/** Pinot's builder with one row buffer for all rows: made for the first, cleared for the others. */
final class RowReusingBuilder extends DataTableBuilderV4 {
  RowReusingBuilder(DataSchema schema) {
    super(schema);
  }

  @Override
  public void startRow() {
    _numRows++;
    if (_currentRowDataByteBuffer == null) {
      _currentRowDataByteBuffer = ByteBuffer.allocate(_rowSizeInBytes);
    } else {
      Arrays.fill(_currentRowDataByteBuffer.array(), (byte) 0);
      _currentRowDataByteBuffer.clear();
    }
  }
}
