import Foundation
import Synchronization
import Testing
import Touchstone

@Suite("Failures of models")
struct ModelFailureTests {
  /// A folder that looks as if a test stood in it.
  private static func testFile() -> String {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-tests-\(UUID().uuidString)")
      .appendingPathComponent("NoteTests.swift").path
  }

  @Test("A lossy model is told with law, value, difference, and how to judge it again")
  func description() async throws {
    let file = Self.testFile()
    let failures = try await lawFailures(of: LossyNote.self, file: file, test: "noteIsSafe()")
    let failure = try #require(failures.first)
    #expect(failures.count == 1)
    #expect(failure.law == "model.lossless")
    let stored = try #require(failure.storedPath)
    #expect(
      failure.description == """
        LossyNote breaks model.lossless
        A model comes back as it was. A value that is encoded and decoded again is what it was.

        `encode(to:)` does not write `done`
          expected: true
          found:    false
          Compared: the value, with the value encoded and decoded.

        value: LossyNote(title: "", done: true)
        decoded from: {"done": true, "title": ""}

        Compare what `init(from:)` reads with what `encode(to:)` writes, key by key.

        found by case 2 of seed 0x1; 10 choices shrunk to 4
        stored: \(stored) (tried first from now on)
        replay: TOUCHSTONE_REPLAY=\(stored) swift test --filter noteIsSafe
        """
    )
    #expect(stored.hasSuffix("__Touchstone__/LossyNote--model.lossless.case"))
    #expect(try String(contentsOfFile: stored, encoding: .utf8) == failure.caseFile)
    // What `touchstone replay` names, as the program has no code of the model.
    #expect(failure.caseFile.contains("\ntest: noteIsSafe\n"))
  }

  @Test("Of a value that a test or a generator makes, the text says what it is encoded as")
  func given() async throws {
    let made = LossyNote(title: "a", done: true)
    func texts(
      samples: [LossyNote] = [],
      generators: [ValueGenerator] = []
    ) async throws -> [String] {
      let file = Self.testFile()
      // The second run judges the stored case.
      var texts: [String] = []
      for _ in 0..<2 {
        texts += try await lawFailures(
          of: LossyNote.self,
          samples: samples,
          generators: generators,
          cases: 60,
          file: file
        ).map(\.description)
      }
      return texts
    }
    let generator = ValueGenerator.value(LossyNote.self) { _ in made }
    for found in [
      try await texts(samples: [made]), try await texts(generators: [generator]),
    ] {
      #expect(found.count == 2)
      for text in found {
        #expect(
          text.contains(
            """

            value: LossyNote(title: "a", done: true)
            encoded as: {"title": "a"}

            """
          ),
          "\(text)"
        )
      }
    }
    // A sample that was changed in a place is decoded from what it was changed to.
    let sample = LateLoss(number: 5)
    let changed = try await lawFailures(of: LateLoss.self, samples: [sample], file: Self.testFile())
    let text = changed.first?.description ?? ""
    #expect(text.contains("\ndecoded from: {\"number\": int "), "\(text)")
  }

  @Test("A stored failure is tried first, and passes once the model is fixed")
  func stored() async throws {
    let file = Self.testFile()
    let first = try await lawFailures(of: Switched.self, seed: 5, file: file, test: "switched")
    #expect(first.map(\.law) == ["model.lossless"])
    // With this one case, the next run would find nothing new.
    let again = try await lawFailures(of: Switched.self, cases: 1, file: file, test: "switched")
    #expect(again.map(\.law) == ["model.lossless"])
    #expect(again.first?.description.contains("(found by an earlier run)") == true)
    #expect(again.first?.storedPath == first.first?.storedPath)
    Switched.isFixed.store(true, ordering: .relaxed)
    let fixed = try await lawFailures(of: Switched.self, cases: 6, file: file, test: "switched")
    #expect(fixed == [])
  }

  @Test(
    "An issue of a test has the words, and the coder's laws are judged where the model is right"
  )
  func issue() async throws {
    try await withKnownIssue {
      try await expectLaws(
        of: LossyNote.self,
        sourceLocation: SourceLocation(
          fileID: "TouchstoneTests/NoteTests.swift",
          filePath: Self.testFile(),
          line: 1,
          column: 1
        )
      )
    } matching: { issue in
      issue.comments.contains { $0.rawValue.hasPrefix("LossyNote breaks model.lossless") }
    }
  }

  @Test("What no test of Swift Testing would show, as in one of XCTest, is thrown")
  func unseen() async throws {
    let location = SourceLocation(
      fileID: "TouchstoneTests/NoteTests.swift",
      filePath: Self.testFile(),
      line: 1,
      column: 1
    )
    // A detached task belongs to no test.
    let laws = await #expect(throws: ExpectationFailed.self) {
      try await Task.detached {
        try await expectLaws(of: LossyNote.self, sourceLocation: location)
      }.value
    }
    #expect(laws?.messages.count == 1)
    #expect(laws?.description.hasPrefix("LossyNote breaks model.lossless\n") == true)
    let property = await #expect(throws: ExpectationFailed.self) {
      try await Task.detached {
        try await expectProperty("below 5", of: .int(in: 0...9), sourceLocation: location) {
          $0 < 5
        }
      }.value
    }
    #expect(property?.messages.count == 1)
  }

  /// The later write wins, and of two at one time each replica keeps its own.
  struct Untied: MergeType {
    var value = 0
    var time = 0

    init(replica: Int) {}

    mutating func edit(_ source: inout ValueSource) -> String {
      value = source.number(in: 0...9)
      time += 1
      return "sets \(value)"
    }

    mutating func merge(_ other: Untied) { if other.time > time { self = other } }

    var content: Int { value }
  }

  /// As ``Untied``, and an older state of its own sets a replica back: another bug.
  struct SetBack: MergeType {
    let replica: Int
    var value = 0
    var time = 0

    init(replica: Int) { self.replica = replica }

    mutating func edit(_ source: inout ValueSource) -> String {
      value = source.number(in: 0...9)
      time += 1
      return "sets \(value)"
    }

    mutating func merge(_ other: SetBack) {
      if other.time > time || other.replica == replica { (value, time) = (other.value, other.time) }
    }

    var content: Int { value }
  }

  /// The laws that a type breaks, in the order of the issues; a hint is what stands below an issue.
  static func issues<State: MergeType>(
    of type: State.Type
  ) async throws -> [(law: String, hint: String?)] {
    let location = SourceLocation(
      fileID: "TouchstoneTests/NoteTests.swift",
      filePath: testFile(),
      line: 1,
      column: 1
    )
    let found = await #expect(throws: ExpectationFailed.self) {
      try await Task.detached {
        try await expectConverges(State.self, sourceLocation: location)
      }.value
    }
    return try #require(found?.messages).map { message in
      let lines = message.split(separator: "\n")
      let hint = lines.last.flatMap { $0.hasPrefix("It may be") ? String($0) : nil }
      return (String(lines.first?.split(separator: " ").last ?? ""), hint)
    }
  }

  @Test("Of the issues that may be of one bug, the later one names the first")
  func oneBug() async throws {
    let found = try await Self.issues(of: Untied.self)
    #expect(found.map(\.law) == ["merging.commutative", "merging.converges"])
    let hint = "It may be the bug that breaks merging.commutative, above."
    #expect(found.map(\.hint) == [nil, hint])
  }

  @Test("Issues of two bugs, which other steps show, do not name each other")
  func twoBugs() async throws {
    let found = try await Self.issues(of: SetBack.self)
    #expect(
      found.map(\.law) == [
        "merging.absorbs-the-past", "merging.commutative", "merging.converges",
      ]
    )
    let hint = "It may be the bug that breaks merging.commutative, above."
    #expect(found.map(\.hint) == [nil, nil, hint])
  }

  /// A nil that is decoded as 1: no derived value has it.
  struct Trip: Codable, Equatable {
    var seats: Int?

    init(seats: Int?) { self.seats = seats }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      seats = try container.decodeIfPresent(Int.self, forKey: .seats) ?? 1
    }
  }

  @Test("A value that `init(from:)` cannot make is tried where it is given, as a sample")
  func underivable() async throws {
    let derived = try await lawFailures(of: Trip.self, cases: 60, file: Self.testFile())
    #expect(derived == [])
    let given = try await lawFailures(
      of: Trip.self,
      samples: [Trip(seats: nil)],
      cases: 60,
      file: Self.testFile()
    )
    #expect(given.map(\.law).contains("model.lossless"))
  }

  @Test("A model that the coder cannot take is refused with what to do")
  func refused() async throws {
    let file = Self.testFile()
    let pages = try await lawFailures(of: Pages.self, file: file, test: "pages()")
    #expect(pages.map(\.law) == ["coder.accepts"])
    let stored = try #require(pages.first?.storedPath)
    #expect(stored.hasSuffix("__Touchstone__/Pages--coder.accepts--coder.refuses.case"))
    #expect(try String(contentsOfFile: stored, encoding: .utf8) == pages.first?.caseFile)
    #expect(
      pages.first?.description.hasSuffix(
        """
        A document's keys are strings: use `[String: T]` in place of `[Int: T]`.

        found by the simplest value
        stored: \(stored) (tried first from now on)
        replay: TOUCHSTONE_REPLAY=\(stored) swift test --filter pages
        """
      ) == true
    )
    let again = try await lawFailures(of: Pages.self, file: file, test: "pages()")
    #expect(again.map(\.law) == ["coder.accepts"])
    #expect(again.first?.description.contains("(found by an earlier run)") == true)
    let list = try await lawFailures(of: [Int].self, file: Self.testFile())
    #expect(list.first?.description.contains("The root of a document is a map") == true)
    let json = try await lawFailures(
      of: [Int].self,
      with: .foundationJSON,
      cases: 60,
      file: Self.testFile()
    )
    #expect(json == [])
  }

  @Test("A type that cannot be derived says what to add, and what is added helps")
  func notDerivable() async throws {
    let error = await #expect(throws: JudgementError.self) {
      try await expectLaws(of: Sealed.self)
    }
    #expect(error?.description.contains("Give the words") == true)
    let words = ["kind": ["alpha", "beta"]]
    #expect(try await lawFailures(of: Sealed.self, words: words, cases: 60) == [])
    let samples = [Sealed(kind: "alpha", size: 3), Sealed(kind: "beta", size: 9)]
    #expect(try await lawFailures(of: Sealed.self, samples: samples, cases: 60) == [])
    let generators: [ValueGenerator] = [
      .value(Sealed.self) { source in
        Sealed(kind: source.element(of: ["alpha", "beta"]), size: source.number(in: 0...9))
      }
    ]
    #expect(try await lawFailures(of: Sealed.self, generators: generators, cases: 60) == [])
  }

  @Test("An enumeration whose cases cannot be learned says exactly what to add, and that helps")
  func unknownCases() async throws {
    let error = await #expect(throws: JudgementError.self) {
      try await expectLaws(of: Sealing.self)
    }
    #expect(
      error?.description == """
        Cannot derive `Seal` (at seal): `init(from:)` refused 1530 attempts. Last: dataCorrupted: one \
        key. It asked for keys of any name. If they are its cases, name them (`words: ["Seal": ["case", …]]`), \
        or give `samples:`, or a generator (`generators: [.value(Seal.self) { … }]`).
        """
    )
    let within = await #expect(throws: JudgementError.self) {
      try await expectLaws(of: Sealings.self)
    }
    #expect(within?.description.hasPrefix("Cannot derive `Seal` (at seals[]): ") == true)
    let other = await #expect(throws: JudgementError.self) {
      try await expectLaws(of: Envelope.self)
    }
    #expect(
      other?.description == """
        Cannot derive `Envelope`: the cases of its keys, `Envelope.Keys`, are unknown. Name them \
        (`words: ["Envelope": ["case", …]]`), make `Envelope.Keys` `CaseIterable`, or give `samples:` or a \
        generator (`generators: [.value(Envelope.self) { … }]`).
        """
    )
    let file = Self.testFile()
    let words = ["Seal": ["wax", "stamp"]]
    #expect(try await lawFailures(of: Sealing.self, words: words, cases: 60, file: file) == [])
    let keys = ["Envelope": ["plain"]]
    #expect(try await lawFailures(of: Envelope.self, words: keys, cases: 60, file: file) == [])
    let samples = [Sealing(seal: .wax(3)), Sealing(seal: .stamp("x"))]
    #expect(try await lawFailures(of: Sealing.self, samples: samples, cases: 60, file: file) == [])
    let generators: [ValueGenerator] = [
      .value(Seal.self) { $0.flag() ? .stamp($0.string()) : .wax($0.number(in: 0...9)) }
    ]
    let generated = try await lawFailures(
      of: Sealing.self,
      generators: generators,
      cases: 60,
      file: file
    )
    #expect(generated == [])
  }

  @Test("Payload enumerations are derived, each case of them, with private and renamed keys")
  func payloads() async throws {
    let failures = try await lawFailures(of: Letter.self, file: Self.testFile())
    // Each case but the first loses something: all of them must have been tried.
    #expect(
      failures.map(\.summary) == [
        "`encode(to:)` does not write `sent.air._0`, which `init(from:)` requires"
      ]
    )
  }

  @Test("XCTest gets the same as an error")
  func thrown() async throws {
    let error = await #expect(throws: LawsBroken.self) {
      try await requireLaws(of: LossyNote.self, file: Self.testFile())
    }
    #expect(error?.failures.map(\.law) == ["model.lossless"])
    try await requireLaws(of: Plain.self, cases: 30)
  }

  @Test("Settings: argument over trait", .laws(cases: 1, seed: 3))
  func settings() async throws {
    // One case of each law finds the simplest value alone, which keeps what it does not have.
    let file = Self.testFile()
    #expect(try await lawFailures(of: LateLoss.self, file: file) == [])
    #expect(try await lawFailures(of: LateLoss.self, cases: 600, file: file) != [])
  }
}

struct LossyNote: Codable {
  var title: String
  var done: Bool

  private enum CodingKeys: CodingKey { case title, done }

  init(title: String, done: Bool) {
    (self.title, self.done) = (title, done)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    title = try container.decode(String.self, forKey: .title)
    done = try container.decodeIfPresent(Bool.self, forKey: .done) ?? false
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(title, forKey: .title)
  }
}

/// Loses a number, unless it is fixed.
struct Switched: Codable {
  static let isFixed = Atomic<Bool>(false)

  var number: Int?

  private enum CodingKeys: CodingKey { case number }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if Self.isFixed.load(ordering: .relaxed) || (number ?? 0) < 100 {
      try container.encodeIfPresent(number, forKey: .number)
    }
  }
}

struct Pages: Codable {
  var pages: [Int: String]
}

struct Sealed: Codable, Equatable, Sendable {
  var kind: String
  var size: Int

  init(kind: String, size: Int) {
    self.kind = kind
    self.size = size
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(String.self, forKey: .kind)
    size = try container.decode(Int.self, forKey: .size)
    guard kind == "alpha" || kind == "beta" else {
      throw DecodingError.dataCorruptedError(
        forKey: .kind,
        in: container,
        debugDescription: "unknown kind"
      )
    }
  }
}

struct Sealing: Codable, Equatable, Sendable {
  var seal: Seal
}

/// Has one seal at least.
private struct Sealings: Codable {
  var seals: [Seal]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var list = try container.nestedUnkeyedContainer(forKey: .seals)
    seals = [try list.decode(Seal.self)]
  }
}

/// Decodes by keys that could be any string, so that nothing tells which there are.
enum Seal: Codable, Equatable, Sendable {
  case wax(Int)
  case stamp(String)

  struct CodingKeys: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard container.allKeys.count == 1, let key = container.allKeys.first else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "one key")
      )
    }
    switch key.stringValue {
    case "wax": self = .wax(try container.decode(Int.self, forKey: key))
    case "stamp": self = .stamp(try container.decode(String.self, forKey: key))
    default:
      throw DecodingError.dataCorruptedError(
        forKey: key,
        in: container,
        debugDescription: "no such seal"
      )
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .wax(let count): try container.encode(count, forKey: CodingKeys(stringValue: "wax"))
    case .stamp(let text): try container.encode(text, forKey: CodingKeys(stringValue: "stamp"))
    }
  }
}

/// Decodes by keys with payloads, whose values cannot be counted.
enum Envelope: Codable, Equatable {
  case plain(Int)

  enum Keys: CodingKey {
    case other(String)
    case plain

    var stringValue: String {
      switch self {
      case .other(let name): name
      case .plain: "plain"
      }
    }

    var intValue: Int? { nil }

    init?(stringValue: String) { self = stringValue == "plain" ? .plain : .other(stringValue) }

    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    guard case .plain? = container.allKeys.first else {
      throw DecodingError.keyNotFound(
        Keys.plain,
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not plain")
      )
    }
    self = .plain(try container.decode(Int.self, forKey: .plain))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    switch self {
    case .plain(let number): try container.encode(number, forKey: .plain)
    }
  }
}

struct Letter: Codable {
  var sent: Post

  enum Post: Codable {
    case land(Int)
    case air(Int)

    private enum CodingKeys: String, CodingKey {
      case land
      case air
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch self {
      case .land(let days):
        var land = container.nestedContainer(keyedBy: LandCodingKeys.self, forKey: .land)
        try land.encode(days, forKey: ._0)
      case .air:
        _ = container.nestedContainer(keyedBy: AirCodingKeys.self, forKey: .air)
      }
    }
  }
}

/// Loses numbers that are not small.
struct LateLoss: Codable {
  var number: Int?

  private enum CodingKeys: CodingKey { case number }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if (number ?? 0) < 10_000 { try container.encodeIfPresent(number, forKey: .number) }
  }
}
