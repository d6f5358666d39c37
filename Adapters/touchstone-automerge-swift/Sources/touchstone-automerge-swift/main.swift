import Foundation

// automerge-swift's `Document` as an adapter of the line protocol: Documentation/LineProtocol.md.

func list(_ words: String) -> JSON {
  .array(words.split(separator: " ").map { .string(String($0)) })
}

let introduction: JSON = .object([
  "protocol": .number(1),
  "id": .string("automerge-swift"),
  "version": .string("0.6.1"),
  "capabilities": .object([
    "edits": list("put putObject insert insertObject delete increment splice spliceText"),
    "objects": list("map list text"),
    "scalars": list("null boolean int uint float string bytes counter timestamp unknown"),
    "transports": list("merge document"),
    "features": list("heads history save fork contiguousRuns automergeSemantics"),
  ]),
])

func answer(_ request: JSON) throws -> [String: JSON] {
  if let program = request["run"] {
    var session = Session()
    return ["ran": .array(try program.array().map { session.outcome($0) })]
  }
  if request["start"] != nil { return ["started": introduction] }
  if request["ping"] != nil { return ["pong": .object([:])] }
  return ["error": .string("there is no such request")]
}

let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
while let line = readLine() {
  let request = (try? JSONDecoder().decode(JSON.self, from: Data(line.utf8))) ?? .null
  if request["stop"] != nil { break }
  var members: [String: JSON]
  do {
    members = try answer(request)
  } catch {
    members = ["error": .string("\(error)")]
  }
  members["n"] = request["n"] ?? .number(0)
  let text = String(decoding: try encoder.encode(JSON.object(members)), as: UTF8.self)
  // Foundation's reader on Linux drops this mark where it begins a string, unless it is escaped.
  let lines = text.replacing("\u{feff}", with: "\\ufeff") + "\n"
  FileHandle.standardOutput.write(Data(lines.utf8))
}
