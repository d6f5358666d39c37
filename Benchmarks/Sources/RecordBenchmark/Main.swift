import Foundation
import PropertyEngine
import RecordCoding
import RecordLaws
import RecordSubjects

/// Encodes and decodes many persons as records and as JSON, in turns within one process, and prints the
/// processor time of each part in milliseconds, the median of the rounds, as one line of JSON.
///
/// `RecordBenchmark hostile N [SEED]` decodes N hostile records, as every model of the zoo in turn,
/// and prints how many of each were decoded and refused; it ends with an error at the first wrong
/// answer.
///
/// `RecordBenchmark loop encode|decode|encode-nested|decode-nested [TIMES]` repeats one part alone, for a
/// profiler and for what counts instructions.
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

  /// A model whose properties are nested values: JSON within fields.
  struct Album: CustomCloudKitCodable, Equatable {
    struct Track: Codable, Equatable {
      let title: String
      let number: Int
      let seconds: Double
      let isLive: Bool
      let ratings: [UInt16]
      let takes: Int64?
    }

    var cloudKitSystemFields: Data?
    let tracks: [Track]

    init(_ number: Int) {
      tracks = (0..<8).map { track in
        Track(
          title: "Track \(track) of \(number)",
          number: track,
          seconds: Double(number) + 0.5,
          isLive: track % 2 == 0,
          ratings: [1, 2, 3, 4, 5, 6],
          takes: track % 3 == 0 ? nil : Int64(track)
        )
      }
    }
  }

  static let count = 10_000
  static let rounds = 7

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "hostile" {
      return try hostile(arguments.dropFirst().compactMap(Int.init))
    }
    if arguments.first == "loop" { return try loop(Array(arguments.dropFirst())) }
    let folder = FileManager.default.temporaryDirectory
    let avatar = folder.appendingPathComponent("record-benchmark.png")
    try Data("image".utf8).write(to: avatar)
    defer { try? FileManager.default.removeItem(at: avatar) }
    let website = URL(string: "https://example.org/people") ?? avatar
    let persons = (0..<count).map { person($0, website: website, avatar: avatar) }
    var times: [String: [Double]] = [:]
    func measure<T>(_ name: String, _ body: () throws -> T) rethrows -> T {
      let start = clock()
      let result = try body()
      times[name, default: []].append(Double(clock() - start) / Double(CLOCKS_PER_SEC))
      return result
    }
    for _ in 0..<rounds {
      let encoder = CloudKitRecordEncoder()
      let records = try measure("encode") { try persons.map { try encoder.encode($0) } }
      let writer = JSONEncoder()
      let texts = try measure("json_encode") { try persons.map { try writer.encode($0) } }
      let decoder = CloudKitRecordDecoder()
      let back = try measure("decode") {
        try records.map { try decoder.decode(Person.self, from: $0) }
      }
      let reader = JSONDecoder()
      let same = try measure("json_decode") {
        try texts.map { try reader.decode(Person.self, from: $0) }
      }
      // Another answer is no figure.
      guard same == persons, back.map(\.name) == persons.map(\.name),
        back.allSatisfy({ $0.avatar == avatar && $0.cloudKitSystemFields != nil })
      else {
        print("another value came back")
        exit(1)
      }
    }
    let medians = times.mapValues { ($0.sorted()[rounds / 2] * 1_000_000).rounded() / 1000 }
    print(String(decoding: try JSONEncoder().encode(medians), as: UTF8.self))
  }

  private static func person(_ number: Int, website: URL, avatar: URL) -> Person {
    Person(
      name: "Person number \(number)",
      age: number % 100,
      website: website,
      avatar: avatar,
      isDeveloper: number % 2 == 0
    )
  }

  private static func hostile(_ numbers: [Int]) throws {
    let count = numbers.first ?? 100_000
    let seed = Seed(value: UInt64(numbers.dropFirst().first ?? 1))
    let (tallies, difference) = try HostileRecords.run(
      RecordSyncSubject(),
      count: count,
      seed: seed
    )
    for (name, tally) in tallies.sorted(by: { $0.key < $1.key }) {
      print("\(name): \(tally.decoded) decoded, \(tally.refused) refused")
    }
    if let difference {
      print("wrong: \(difference)")
      exit(1)
    }
    let total = tallies.values.reduce(0) { $0 + $1.decoded + $1.refused }
    print(
      "\(total) records as \(tallies.count) models: no trap, each refusal typed and in its place"
    )
  }

  private static func loop(_ arguments: [String]) throws {
    let times = arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000
    let encoder = CloudKitRecordEncoder()
    let decoder = CloudKitRecordDecoder()
    guard let page = URL(string: "https://example.org/people") else { return }
    let person = person(1, website: page, avatar: page)
    let album = Album(1)
    switch arguments.first {
    case "encode": for _ in 0..<times { _ = try encoder.encode(person) }
    case "decode":
      let record = try encoder.encode(person)
      for _ in 0..<times { _ = try decoder.decode(Person.self, from: record) }
    case "encode-nested": for _ in 0..<times { _ = try encoder.encode(album) }
    case "decode-nested":
      let record = try encoder.encode(album)
      for _ in 0..<times { _ = try decoder.decode(Album.self, from: record) }
    default: print("loop encode|decode|encode-nested|decode-nested [TIMES]")
    }
  }
}
