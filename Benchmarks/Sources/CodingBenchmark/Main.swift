import Foundation
import ReferenceAutomerge

/// Measures the coder beside Foundation's JSON coders on one workload, and prints one JSON object.
///
/// `CodingBenchmark records|fields|nested [ROUNDS]`, `CodingBenchmark memory records|fields|nested`.
@main
enum CodingBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "memory" {
      return try memoryRun(arguments.dropFirst().first ?? "records")
    }
    if arguments.first == "loop" { return try loop(Array(arguments.dropFirst())) }
    let rounds = arguments.dropFirst().first.flatMap { Int($0) } ?? 5
    switch arguments.first ?? "records" {
    case "records":
      try run(Workload.records(), rounds) {
        $0.records[5_000].age += 1
      } core: { doc, round in
        guard let object = try doc.lookupPath(path: "records.[5000]") else { return }
        try doc.put(obj: object, key: "age", value: .Int(Int64(1_000 + round)))
      }
    case "fields":
      try run(Structs(structs: (0..<1_000).map { Fields($0) }), rounds) {
        $0.structs[500].f10 += 1
      } core: { doc, round in
        guard let object = try doc.lookupPath(path: "structs.[500]") else { return }
        try doc.put(obj: object, key: "f10", value: .Int(Int64(-1 - round)))
      }
      try single(rounds)
    case "nested":
      try run(Trees(trees: (0..<200).map { Tree($0, depth: 20) }), rounds) {
        $0.trees[100] = Tree($0.trees[100].v + 1, depth: 20)
      } core: { _, _ in
      }
    default: print("records, fields or nested")
    }
  }

  /// One part again and again, for a profiler: `loop first|unchanged|change|decode [TIMES]`.
  private static func loop(_ arguments: [String]) throws {
    let times = arguments.dropFirst().first.flatMap { Int($0) } ?? 10
    var model = Workload.records()
    let doc = Document()
    try AutomergeEncoder(doc: doc).encode(model)
    for _ in 0..<times {
      switch arguments.first {
      case "change":
        model.records[5_000].age += 1
        try AutomergeEncoder(doc: doc).encode(model)
      case "first": try AutomergeEncoder(doc: Document()).encode(model)
      case "decode": _ = try AutomergeDecoder(doc: doc).decode(Records.self)
      default: try AutomergeEncoder(doc: doc).encode(model)
      }
    }
  }

  /// One model: first encode, unchanged, one change, decode; and the same by JSON.
  private static func run<Model: Codable>(
    _ model: Model,
    _ rounds: Int,
    change: (inout Model) -> Void,
    core: (Document, Int) throws -> Void
  ) throws {
    var turns = Turns()
    var model = model
    let json = JSONEncoder()
    let jsonDecoder = JSONDecoder()
    for round in 0..<rounds {
      let data = try turns.time("json_encode") { try json.encode(model) }
      let doc = Document()
      let encoder = AutomergeEncoder(doc: doc)
      try turns.time("encode_first") { try encoder.encode(model) }
      _ = try turns.time("json_decode") { try jsonDecoder.decode(Model.self, from: data) }
      _ = try turns.time("decode") { try AutomergeDecoder(doc: doc).decode(Model.self) }
      doc.commitWith(message: nil, timestamp: Date(timeIntervalSince1970: 0))
      let heads = doc.heads()
      try turns.time("encode_unchanged") { try encoder.encode(model) }
      precondition(doc.heads() == heads, "an unchanged model was written")
      change(&model)
      try turns.time("encode_one_change") { try encoder.encode(model) }
      try turns.time("core_one_change") { try core(doc, round) }
    }
    show(turns)
  }

  /// One struct of 50 fields with one changed field: by the encoder, and by the document itself.
  private static func single(_ rounds: Int) throws {
    var turns = Turns()
    var fields = Fields(7)
    let doc = Document()
    let encoder = AutomergeEncoder(doc: doc)
    try encoder.encode(fields)
    for round in 0..<rounds {
      try turns.time("single_encode_1000_changes") {
        for _ in 0..<1_000 {
          fields.f10 += 1
          try encoder.encode(fields)
        }
      }
      try turns.time("single_core_1000_changes") {
        for step in 0..<1_000 {
          try doc.put(obj: .ROOT, key: "f10", value: .Int(Int64(-1 - step - round * 1_000)))
        }
      }
    }
    show(turns)
  }

  /// Peak memory of one encode in a fresh process, above what the model itself takes.
  private static func memoryRun(_ name: String) throws {
    func measure<Model: Codable>(_ make: () -> Model) throws {
      let before = memory("VmRSS")
      let model = make()
      let held = memory("VmRSS") - before
      let start = memory("VmRSS")
      let doc = Document()
      try AutomergeEncoder(doc: doc).encode(model)
      let peak = memory("VmHWM") - start
      print("{\"model_kilobytes\": \(held), \"encode_peak_kilobytes\": \(peak)}")
      withExtendedLifetime(model) {}
    }
    switch name {
    case "fields": try measure { Structs(structs: (0..<1_000).map { Fields($0) }) }
    case "nested": try measure { Trees(trees: (0..<200).map { Tree($0, depth: 20) }) }
    default: try measure { Workload.records() }
    }
  }

  private static func show(_ turns: Turns) {
    let parts = turns.medians.map { "\"\($0.name)\": \(($0.milliseconds * 1000).rounded() / 1000)" }
    print("{\(parts.joined(separator: ", "))}")
  }
}
