import Foundation
import RecordCoding

/// Encodes and decodes many persons as records and as JSON, in turns within one process, and prints the
/// processor time of each part, the median of the rounds.
@main
enum RecordBenchmark {
  struct Person: CustomCloudKitCodable, Equatable {
    var cloudKitSystemFields: Data?
    let name: String
    let age: Int
    let website: URL
    let avatar: URL
    let isDeveloper: Bool
  }

  static let count = 10_000
  static let rounds = 7

  static func main() throws {
    let folder = FileManager.default.temporaryDirectory
    let avatar = folder.appendingPathComponent("record-benchmark.png")
    try Data("image".utf8).write(to: avatar)
    defer { try? FileManager.default.removeItem(at: avatar) }
    let website = URL(string: "https://example.org/people") ?? avatar
    let persons = (0..<count).map {
      Person(
        name: "Person number \($0)",
        age: $0 % 100,
        website: website,
        avatar: avatar,
        isDeveloper: $0 % 2 == 0
      )
    }
    var times: [String: [Double]] = [:]
    func measure<T>(_ name: String, _ body: () throws -> T) rethrows -> T {
      let start = clock()
      let result = try body()
      times[name, default: []].append(Double(clock() - start) / Double(CLOCKS_PER_SEC))
      return result
    }
    for _ in 0..<rounds {
      let encoder = CloudKitRecordEncoder()
      let records = try measure("encode records") { try persons.map { try encoder.encode($0) } }
      let writer = JSONEncoder()
      let texts = try measure("encode json") { try persons.map { try writer.encode($0) } }
      let decoder = CloudKitRecordDecoder()
      let back = try measure("decode records") {
        try records.map { try decoder.decode(Person.self, from: $0) }
      }
      let reader = JSONDecoder()
      let same = try measure("decode json") {
        try texts.map { try reader.decode(Person.self, from: $0) }
      }
      // Another answer is no figure.
      guard same == persons, back.map(\.name) == persons.map(\.name),
        back.allSatisfy({ $0.avatar == avatar && $0.cloudKitSystemFields != nil })
      else { return print("another value came back") }
    }
    for (name, seconds) in times.sorted(by: { $0.key < $1.key }) {
      let median = seconds.sorted()[rounds / 2]
      print("\(name): \((median * 1_000_000).rounded() / 1000) ms for \(count)")
    }
  }
}
