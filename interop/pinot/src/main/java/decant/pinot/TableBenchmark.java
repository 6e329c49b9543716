package decant.pinot;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.pinot.common.datatable.DataTable;
import org.apache.pinot.common.utils.DataSchema;
import org.apache.pinot.core.common.datatable.DataTableBuilderV4;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Construction of a table, and construction with serialization, from values made before. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TableBenchmark {
  @Param({"NUMERIC", "MIXED"})
  public Shape shape;

  @Param({"1", "5000"})
  public int rows;

  /** Whether the builder keeps its row buffer; Pinot 1.5.0 as it is does not. */
  @Param({"false", "true"})
  public boolean reuse;

  private DataSchema _schema;
  private Shape.Values _values;

  @Setup
  public void prepare() {
    _schema = shape.schema();
    _values = shape.values(rows);
  }

  @Benchmark
  public DataTable build() throws IOException {
    return build(_schema, _values, reuse);
  }

  static DataTable build(DataSchema schema, Shape.Values values, boolean reuse) throws IOException {
    DataTableBuilderV4 builder = reuse ? new RowReusingBuilder(schema) : new DataTableBuilderV4(schema);
    values.fill(builder);
    return builder.build();
  }

  @Benchmark
  public byte[] serialize() throws IOException {
    return build().toBytes();
  }
}
