import Foundation
import Testing
import Touchstone

/// Each test is a process of its own, which ends.
@Suite("Models that trap")
struct TrapTests {
  /// A file in a folder that the process that runs the test and the one that ends agree on.
  private static func file(_ name: String) -> String {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-tests-traps")
      .appendingPathComponent(name)
      .appendingPathComponent("NoteTests.swift").path
  }

  /// Makes the folder that a test's file would be in, with nothing in it.
  private static func clean(_ file: String) throws {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private static func stored(_ file: String) -> [String] {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent("__Touchstone__")
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  private static func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test("A trap on what an older version wrote is told, stored, and met first at the next run")
  func oldData() async throws {
    try Self.clean(Self.file("old"))
    let first = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await lawFailures(of: Trusting.self, file: TrapTests.file("old"), test: "seats()")
    }
    let words = Self.text(first)
    #expect(words.contains("Trusting breaks model.old-data"), "\(words)")
    #expect(words.contains("`seats` is missing"), "\(words)")
    #expect(words.contains("swift test --filter seats"), "\(words)")
    #expect(Self.stored(Self.file("old")) == ["Trusting--model.old-data--trap-deriving.case"])
    let again = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await lawFailures(of: Trusting.self, cases: 1, file: TrapTests.file("old"))
    }
    #expect(Self.text(again).contains("Trusting breaks model.old-data"))
  }

  @Test("A trap while values are planned names the type's answers")
  func planning() async throws {
    try Self.clean(Self.file("plan"))
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await lawFailures(of: Narrow.self, file: TrapTests.file("plan"))
    }
    let words = Self.text(result)
    #expect(words.contains("Narrow breaks model.old-data"), "\(words)")
    #expect(words.contains("while it decodes a document in which\n  `title` is "), "\(words)")
    #expect(words.contains("\n  `number` is "), "\(words)")
    #expect(Self.stored(Self.file("plan")) == ["Narrow--model.old-data--trap-deriving.case"])
  }

  @Test("A trap on an empty list or dictionary names the place of it, however deep, and again")
  func empty() async throws {
    try Self.clean(Self.file("empty"))
    let flat = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await lawFailures(of: Route.self, file: TrapTests.file("empty"))
    }
    let words = Self.text(flat)
    #expect(words.contains("in which\n  `stops` is an empty list\n"), "\(words)")
    let again = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await lawFailures(of: Route.self, cases: 1, file: TrapTests.file("empty"))
    }
    #expect(Self.text(again).contains("`stops` is an empty list\n"), "\(Self.text(again))")
    let deep = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await lawFailures(of: Journey.self, file: TrapTests.file("empty"))
    }
    #expect(
      Self.text(deep).contains("in which\n  `leg.route.stops` is an empty list\n"),
      "\(Self.text(deep))"
    )
    let map = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await lawFailures(of: Prices.self, file: TrapTests.file("empty"))
    }
    #expect(Self.text(map).contains("  `prices` is an empty dictionary\n"), "\(Self.text(map))")
    let nothing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await lawFailures(of: Hopeless.self, file: TrapTests.file("empty"))
    }
    #expect(Self.text(nothing).contains("it was told nothing yet\n"), "\(Self.text(nothing))")
  }

  @Test("A trap while a value is derived is stored as a derivation, which the next run starts with")
  func deriving() async throws {
    try Self.clean(Self.file("derive"))
    let first = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await lawFailures(
        of: Rare.self,
        cases: 6000,
        file: TrapTests.file("derive"),
        test: "rare()"
      )
    }
    let words = Self.text(first)
    #expect(words.contains("Rare breaks model.old-data"), "\(words)")
    #expect(words.contains("  `number` is "), "\(words)")
    #expect(words.contains("swift test --filter rare"), "\(words)")
    #expect(Self.stored(Self.file("derive")) == ["Rare--model.old-data--trap-deriving.case"])
    // So few cases meet it no more, were it not stored.
    let again = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await lawFailures(of: Rare.self, cases: 1, file: TrapTests.file("derive"))
    }
    #expect(Self.text(again).contains("Rare breaks model.old-data"))
  }

  @Test("A trap of a newer version on what an older one wrote is told and stored")
  func drift() async throws {
    try Self.clean(Self.file("drift"))
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await driftFailures(
        from: Title.self,
        to: Trusting.self,
        file: TrapTests.file("drift"),
        test: "upgrade()"
      )
    }
    let words = Self.text(result)
    #expect(words.contains("Trusting breaks drift.upgrade"), "\(words)")
    #expect(words.contains("while decoding what Title wrote: {\"title\": \"\"}"), "\(words)")
    #expect(Self.stored(Self.file("drift")) == ["Trusting--drift.upgrade--Title--trap.case"])
  }

  @Test("A trap in `encode(to:)` is told as that, with a value that is small, and met again")
  func encoding() async throws {
    try Self.clean(Self.file("encode"))
    let first = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await lawFailures(of: Unfit.self, file: TrapTests.file("encode"), test: "unfit()")
    }
    let text = Self.text(first)
    #expect(text.contains("Unfit breaks model.encodes"), "\(text)")
    #expect(text.contains("while `encode(to:)` takes the value that was decoded from"), "\(text)")
    // All but the number that does not fit is the simplest.
    #expect(text.contains(#"{"names": [], "number": int "#), "\(text)")
    #expect(text.contains(#", "title": ""}"#), "\(text)")
    #expect(text.contains("instead of unwrapping, indexing"), "\(text)")
    #expect(!text.contains("model.deterministic"), "\(text)")
    #expect(text.contains("swift test --filter unfit"), "\(text)")
    #expect(Self.stored(Self.file("encode")) == ["Unfit--model.encodes--trap.case"])
    let again = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await lawFailures(of: Unfit.self, cases: 1, file: TrapTests.file("encode"))
    }
    #expect(Self.text(again).contains("Unfit breaks model.encodes"))
    #expect(Self.stored(Self.file("encode")) == ["Unfit--model.encodes--trap.case"])
  }

  @Test("A trap of a value nested in lists is told with one element of each list around it")
  func nested() async throws {
    try Self.clean(Self.file("nested"))
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await lawFailures(of: Hall.self, cases: 6000, file: TrapTests.file("nested"))
    }
    let text = Self.text(result)
    #expect(text.contains("Hall breaks model.encodes"), "\(text)")
    let told = /\n  \{"rows": \[\{"name": "", "seats": \[int -?\d+\]\}\], "title": ""\}\n/
    #expect(text.contains(told), "\(text)")
    // With few cases another law meets it first, with the whole value; the next run tells it small.
    try Self.clean(Self.file("late"))
    let late = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await lawFailures(of: Hall.self, file: TrapTests.file("late"))
    }
    #expect(Self.text(late).contains("Hall breaks model.encodes"), "\(Self.text(late))")
    #expect(!Self.text(late).contains(told), "\(Self.text(late))")
    let again = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await lawFailures(of: Hall.self, cases: 1, file: TrapTests.file("late"))
    }
    #expect(Self.text(again).contains(told), "\(Self.text(again))")
    #expect(Self.stored(Self.file("late")) == ["Hall--model.encodes--trap.case"])
  }

  @Test("Of a test's samples, the one at which `encode(to:)` traps is shown")
  func samples() async throws {
    try Self.clean(Self.file("samples"))
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let samples = [1, 70_000, 2].map { Unfit(title: "a", names: ["b"], number: $0) }
      _ = try await lawFailures(of: Unfit.self, samples: samples, file: TrapTests.file("samples"))
    }
    let text = Self.text(result)
    #expect(text.contains("Unfit breaks model.encodes"), "\(text)")
    let told = """
      while `encode(to:)` takes sample 2 of the test:
        Unfit(title: "a", names: ["b"], number: 70000)
      """
    #expect(text.contains(told), "\(text)")
  }

  @Test("Of many models that are judged at once, the one that traps is told and stored")
  func stress() async throws {
    try Self.clean(Self.file("stress"))
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<32 {
          group.addTask {
            _ = try? await lawFailures(of: Title.self, cases: 600, file: TrapTests.file("stress"))
          }
        }
        group.addTask {
          _ = try? await lawFailures(
            of: Rare.self,
            cases: 60_000,
            file: TrapTests.file("stress"),
            test: "rare()"
          )
        }
      }
    }
    let text = Self.text(result)
    #expect(text.contains("Rare breaks model.old-data"), "\(text)")
    #expect(!text.contains("Title breaks"), "\(text)")
    #expect(Self.stored(Self.file("stress")) == ["Rare--model.old-data--trap-deriving.case"])
    let stored = URL(fileURLWithPath: Self.file("stress")).deletingLastPathComponent()
      .appendingPathComponent("__Touchstone__/Rare--model.old-data--trap-deriving.case")
    let file = try String(contentsOf: stored, encoding: .utf8)
    #expect(file.hasPrefix("touchstone case 1\n") && file.hasSuffix("\nend\n"), "\(file)")
    #expect(file.contains("\nmodel: Rare\n"), "\(file)")
  }

  @Test("A trap in a merge is told with its history, stored, and met first at the next run")
  func merging() async throws {
    try Self.clean(Self.file("merge"))
    let first = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await convergenceFailures(
        of: Brittle.self,
        file: TrapTests.file("merge"),
        test: "brittle()"
      )
    }
    let text = Self.text(first)
    #expect(text.contains("Brittle breaks merging.idempotent"), "\(text)")
    let told =
      /The process ends (in the last step|while states) of this history[^\n]*\n  1\. r\d/
    #expect(text.contains(told), "\(text)")
    #expect(text.contains("`edit` and `merge` must take every state"), "\(text)")
    #expect(text.contains("swift test --filter brittle"), "\(text)")
    let stored = Self.stored(Self.file("merge"))
    #expect(stored.count == 1 && stored[0].hasPrefix("Brittle--merging.idempotent--trap"))
    let again = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await convergenceFailures(
        of: Brittle.self,
        cases: 1,
        file: TrapTests.file("merge"),
        test: "brittle()"
      )
    }
    #expect(Self.text(again).contains("Brittle breaks merging.idempotent"), "\(Self.text(again))")
    #expect(Self.text(again).contains(told), "\(Self.text(again))")
    #expect(Self.stored(Self.file("merge")) == stored)
  }

  @Test("Foundation's own traps are not the model's: neither derived values nor samples meet them")
  func foundation() async throws {
    let file = TemporaryFolder().file
    let derived = try await lawFailures(of: Ranges.self, cases: 180, file: file)
    #expect(derived.map(\.description) == [])
    let sample = Ranges(days: IndexSet(integersIn: 3..<9), link: nil)
    let mutated = try await lawFailures(of: Ranges.self, samples: [sample], cases: 180, file: file)
    #expect(mutated.map(\.description) == [])
  }
}

private struct Title: Codable {
  var title: String
}

/// Takes for granted what an older version did not write.
private struct Trusting: Codable {
  var title: String
  var seats: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    title = try container.decode(String.self, forKey: .title)
    let known = try [container.decodeIfPresent(Int.self, forKey: .seats)].compactMap(\.self)
    seats = known[0]
  }
}

/// Takes for granted that there is a stop.
private struct Route: Codable {
  var stops: [String]
  var first: String

  private enum CodingKeys: CodingKey { case stops }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    stops = try container.decode([String].self, forKey: .stops)
    first = stops[0]
  }
}

/// Asks for a name before it comes to the route.
private struct Journey: Codable {
  struct Leg: Codable {
    var route: Route
  }

  var name: String
  var leg: Leg
}

/// Takes for granted that there is a price.
private struct Prices: Codable {
  var prices: [String: Int]

  private enum CodingKeys: CodingKey { case prices }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    prices = try container.decode([String: Int].self, forKey: .prices)
    precondition(!prices.isEmpty, "there is no price")
  }
}

/// Traps before it asks for anything.
private struct Hopeless: Codable {
  init(from decoder: any Decoder) throws {
    preconditionFailure("it is never decoded")
  }
}

/// Cuts a number without looking.
private struct Narrow: Codable {
  var title: String
  var number: UInt8

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    title = try container.decode(String.self, forKey: .title)
    number = UInt8(try container.decode(Int.self, forKey: .number))
  }
}

/// Writes a number into fewer bits than it reads.
private struct Unfit: Codable {
  var title: String
  var names: [String]
  var number: Int

  private enum CodingKeys: CodingKey { case title, names, number }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(title, forKey: .title)
    try container.encode(names, forKey: .names)
    try container.encode(Int16(number), forKey: .number)
  }
}

/// Writes numbers within lists of lists into fewer bits than it reads.
private struct Hall: Codable {
  struct Row: Codable {
    var name: String
    var seats: [Int]

    private enum CodingKeys: CodingKey { case name, seats }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(seats.map { Int16($0) }, forKey: .seats)
    }
  }

  var title: String
  var rows: [Row]
}

/// Traps on few of all numbers.
private struct Rare: Codable {
  var number: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    number = try container.decode(Int.self, forKey: .number)
    precondition(number % 97 != 41, "an unlucky number")
  }
}

/// Merges only what is not too much.
private struct Brittle: MergeType {
  let replica: Int
  var counts: [Int: Int] = [:]

  init(replica: Int) { self.replica = replica }

  mutating func edit(_ source: inout ValueSource) -> String {
    let amount = source.number(in: 1...3)
    counts[replica, default: 0] += amount
    return "adds \(amount)"
  }

  mutating func merge(_ other: Brittle) {
    precondition(other.content < 3, "too much")
    counts.merge(other.counts) { max($0, $1) }
  }

  var content: Int { counts.values.reduce(0, +) }
}

private struct Ranges: Codable, Equatable, Sendable {
  var days: IndexSet
  var link: URLComponents?
}
