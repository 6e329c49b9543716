package decant.pinot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Answers requests, one JSON object a line on each side, until its input ends:
 *
 * <pre>
 *   {"build": description}      {"table": bytes in base64}
 *   {"shape", "rows", "reuse"}  {"table": base64} of what is measured
 *   {"read": base64}            {"contents": what Pinot's reader finds}
 *   anything that fails         {"error": text}
 * </pre>
 */
public final class Peer {
  static final ObjectMapper JSON = new ObjectMapper();

  private Peer() {
  }

  public static void main(String[] args) throws IOException {
    // Libraries print to the standard output when they feel like it: answers go
    // where only this class writes.
    PrintStream answers = System.out;
    System.setOut(System.err);
    BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      byte[] answer = JSON.writeValueAsBytes(answer(line));
      answers.write(answer, 0, answer.length);
      answers.write('\n');
      answers.flush();
    }
  }

  private static ObjectNode answer(String line) {
    ObjectNode answer = JSON.createObjectNode();
    try {
      JsonNode request = JSON.readTree(line);
      if (request.has("build")) {
        answer.put("table", TableWriter.write(request.get("build")));
      } else if (request.has("shape")) {
        Shape shape = Shape.valueOf(request.get("shape").textValue());
        Shape.Values values = shape.values(request.get("rows").intValue());
        boolean reuse = request.get("reuse").booleanValue();
        answer.put("table", TableBenchmark.build(shape.schema(), values, reuse).toBytes());
      } else {
        answer.set("contents", TableReader.read(request.get("read").binaryValue()));
      }
    } catch (Exception | LinkageError e) {
      // Whatever Pinot throws is an answer: the next request gets its own.
      answer.put("error", e.toString());
    }
    return answer;
  }
}
