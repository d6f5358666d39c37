import Foundation
import Synchronization
import Testing
import Touchstone

@Suite("Stored cases")
struct StoredCaseTests {
  /// A test's file in a folder that holds the given cases, by their names.
  private static func file(_ cases: [String: String] = [:]) throws -> String {
    let file = TemporaryFolder().file
    let folder = folder(file)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in cases {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    return file
  }

  private static func folder(_ file: String) -> URL {
    URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("__Touchstone__")
  }

  private static func names(_ file: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder(file).path).sorted()
  }

  // MARK: - Cases of earlier versions

  @Test("A merge case that names its law as earlier versions did is judged by the law of today")
  func formerName() async throws {
    let found = try await convergenceFailures(of: Doubling.self, file: Self.file())
    let now = try #require(found.first { $0.law == "merging.idempotent" })
    #expect(now.caseFile.contains("\nsubjects: merge\nkind: merge.content\n"))
    let text = now.caseFile.replacing("law: merging.idempotent", with: "law: merge.idempotent")
    let file = try Self.file(["Doubling--merge.idempotent.case": text])
    let again = try await convergenceFailures(of: Doubling.self, file: file, test: "doubling()")
    let failure = try #require(again.first)
    #expect(again.count == 1)
    #expect(failure.law == "merging.idempotent")
    #expect(failure.summary == now.summary)
    #expect(failure.storedPath?.hasSuffix("Doubling--merge.idempotent.case") == true)
    #expect(failure.description.contains("(found by an earlier run)"))
  }

  @Test("A case is known by what it holds, and not by its name; what is no case is told")
  func names() async throws {
    let found = try await convergenceFailures(of: Doubling.self, file: Self.file())
    let text = try #require(found.first { $0.law == "merging.idempotent" }).caseFile
    let file = try Self.file([
      "doubled-again.case": text,
      "Doubling--merging.idempotent.case": text.replacing("model: Doubling", with: "model: Other"),
      "nothing.case": "junk",
    ])
    let notes = Mutex<[String]>([])
    let again = try await convergenceFailures(of: Doubling.self, file: file) { note in
      notes.withLock { $0.append(note) }
    }
    #expect(again.count { $0.description.contains("(found by an earlier run)") } == 1)
    let path = again.first { $0.law == "merging.idempotent" }?.storedPath
    #expect(path?.hasSuffix("doubled-again.case") == true)
    #expect(notes.withLock { $0 }.contains { $0.contains("nothing.case is not a case file") })
  }

  @Test("A merge case whose choices make another history today is told, and is no failure")
  func outgrown() async throws {
    let text = """
      touchstone case 1
      law: merge.idempotent
      subjects: merge
      kind: merge.content
      seed: 0x1
      model: Doubling
      choices:
        0/1 1/1 0/1 0/4
      sample: merge 1
        r0: does what no edit says today
      end

      """
    let file = try Self.file(["Doubling--merge.idempotent.case": text])
    let notes = Mutex<[String]>([])
    _ = try await convergenceFailures(of: Doubling.self, file: file) { note in
      notes.withLock { $0.append(note) }
    }
    let told = notes.withLock { $0 }
    #expect(told.count == 1)
    #expect(told.first?.contains("cannot be judged here as Doubling, and is left as it is") == true)
  }

  @Test("A model's case of an earlier version, without choices, is judged as the document in it")
  func document() async throws {
    let text = """
      touchstone case 1
      law: model.lossless
      subjects: document-coder
      kind: model.lost
      seed: 0x1
      model: Forgetting
      case: 2
      shows: `encode(to:)` does not write `done`
      choices:
      sample: model 1
        {"done": true}
      end

      """
    let file = try Self.file(["Forgetting--model.lossless.case": text])
    let found = try await lawFailures(of: Forgetting.self, cases: 1, file: file, test: "x")
    #expect(found.map(\.summary) == ["`encode(to:)` does not write `done`"])
    #expect(found.first?.description.contains("value: Forgetting(done: true)") == true)
    #expect(found.first?.caseFile == text)
  }

  @Test("A case of two versions, of an earlier version, is judged as the document in it")
  func drift() async throws {
    let text = """
      touchstone case 1
      law: drift.upgrade
      subjects: drift
      kind: drift.lost
      seed: 0x1
      model: Fewer
      written-by: More
      case: 1
      shows: `floor` is lost when the document is written again
      choices:
      sample: model 1
        {"floor": int 0, "name": ""}
      end

      """
    let file = try Self.file(["Fewer--drift.upgrade--More.case": text])
    let found = try await driftFailures(from: More.self, to: Fewer.self, cases: 1, file: file)
    #expect(found.map(\.summary) == ["`floor` is lost when the document is written again"])
    #expect(found.first?.description.contains("(found by an earlier run)") == true)
  }

  @Test("The derivation of a trap is drawn again in every form that it ever had")
  func derivation() async throws {
    for form in ["stream 3", "seed 0x2a", "choices", "plan"] {
      let text = """
        touchstone case 1
        law: model.old-data
        subjects: document-coder
        kind: trap
        seed: 0x1
        model: Fewer
        shows: the process ended
        choices:
        sample: derivation 1
          \(form)
        end

        """
      let file = try Self.file(["Fewer--model.old-data--trap-deriving.case": text])
      let notes = Mutex<[String]>([])
      let found = try await lawFailures(of: Fewer.self, cases: 6, file: file) { note in
        notes.withLock { $0.append(note) }
      }
      #expect(found == [])
      #expect(notes.withLock { $0 } == [], "\(form)")
    }
  }

  /// What was told of a stored case of ``Refusing``, whose law and document these are.
  private static func told(_ law: String, _ document: String) async throws -> [String] {
    let text = """
      touchstone case 1
      law: \(law)
      subjects: document-coder
      kind: trap
      seed: 0x1
      model: Refusing
      shows: the process ended
      choices:
      sample: model 1
        \(document)
      end

      """
    let file = try file(["Refusing--\(law)--trap.case": text])
    let notes = Mutex<[String]>([])
    let found = try await lawFailures(of: Refusing.self, cases: 6, file: file) { note in
      notes.withLock { $0.append(note) }
    }
    #expect(found == [])
    return notes.withLock { $0 }
  }

  @Test(
    "A model that refuses a stored value is fixed, and nothing is told",
    arguments: ["model.encodes", "model.lossless", "coder.accepts"]
  )
  func refused(_ law: String) async throws {
    #expect(try await Self.told(law, #"{"count": int 5000}"#) == [])
  }

  @Test(
    "A stored value of another form than the type reads guards nothing, and is told",
    arguments: ["{}", #"{"count": "5000"}"#, #"{"count": null}"#]
  )
  func otherForm(_ document: String) async throws {
    let told = try await Self.told("model.lossless", document)
    #expect(told.count == 1)
    #expect(told.first?.contains("or of an earlier form of the type") == true)
  }

  // MARK: - Guards

  @Test("A stored guard stays when the same law of the same type fails in another way")
  func guards() async throws {
    let file = try Self.file()
    func failures() async throws -> [ModelFailure] {
      try await lawFailures(of: Relapsing.self, seed: 5, file: file, test: "relapsing")
    }
    let first = try #require(try await failures().first)
    #expect(first.summary == "`encode(to:)` does not write `number`")
    #expect(try Self.names(file) == ["Relapsing--model.lossless.case"])
    Relapsing.losesText.store(true, ordering: .relaxed)
    let second = try #require(try await failures().first)
    #expect(second.summary == "`encode(to:)` does not write `text`")
    #expect(
      try Self.names(file) == [
        "Relapsing--model.lossless-2.case", "Relapsing--model.lossless.case",
      ]
    )
    let guardPath = try #require(first.storedPath)
    #expect(try String(contentsOfFile: guardPath, encoding: .utf8) == first.caseFile)
    #expect(second.storedPath?.hasSuffix("Relapsing--model.lossless-2.case") == true)
    // The first bug comes back, and its guard is there.
    Relapsing.losesText.store(false, ordering: .relaxed)
    #expect(try await failures().map(\.storedPath) == [guardPath])
    #expect(try Self.names(file).count == 2)
  }
}

private struct Doubling: MergeType {
  var content = 0

  init(replica: Int) {}

  mutating func edit(_ source: inout ValueSource) -> String {
    content += 1
    return "adds 1"
  }

  mutating func merge(_ other: Doubling) { content += other.content }
}

private struct Forgetting: Codable {
  var done: Bool

  private enum CodingKeys: CodingKey { case done }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    done = try container.decodeIfPresent(Bool.self, forKey: .done) ?? false
  }

  func encode(to encoder: any Encoder) throws {
    _ = encoder.container(keyedBy: CodingKeys.self)
  }
}

/// Refuses what it once took.
private struct Refusing: Codable {
  var count: Int

  private enum CodingKeys: CodingKey { case count }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    count = try container.decode(Int.self, forKey: .count)
    guard count < 1000 else {
      throw DecodingError.dataCorruptedError(
        forKey: .count,
        in: container,
        debugDescription: "too many"
      )
    }
  }
}

private struct More: Codable {
  var name: String
  var floor: Int?
}

private struct Fewer: Codable {
  var name: String
}

/// Loses a number, or a text.
private struct Relapsing: Codable {
  static let losesText = Atomic<Bool>(false)

  var number: Int?
  var text: String?

  private enum CodingKeys: CodingKey { case number, text }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if Self.losesText.load(ordering: .relaxed) {
      try container.encodeIfPresent(number, forKey: .number)
    } else {
      try container.encodeIfPresent(text, forKey: .text)
    }
  }
}
