import Foundation
import PropertyEngine
import Testing

@testable import Mutants
@testable import RecordLaws

@Suite("Laws of records catch what is wrong on purpose")
struct RecordMutantTests {
  /// Each law beside each mutant that it is to catch alone.
  static var pairs: [String] {
    recordMutants.flatMap { mutant in mutant.laws.map { "\(mutant) \($0)" } }
  }

  @Test("The law catches the mutant when no other is asked", arguments: RecordMutantTests.pairs)
  func caught(_ pair: String) throws {
    let names = pair.split(separator: " ").map(String.init)
    let mutant = try #require(recordMutants.first { $0.description == names[0] })
    let law = try #require(RecordLaw.all.first { $0.name == names[1] })
    var run = LawRun([LawGroup(law.lowered(on: mutant.subject))], on: [mutant.description], seed: 1)
    let isCaught = run.runUntilSighting(caseLimit: 3000)
    #expect(isCaught, "\(pair)")
  }

  @Test("A refusal whose path begins with an index names no place of a record")
  func beginsAtIndex() throws {
    // No record that is drawn has a key of this name.
    struct Index: CodingKey {
      var stringValue: String { "7001" }
      var intValue: Int? { 7001 }

      init() {}
      init?(stringValue: String) { nil }
      init?(intValue: Int) { nil }
    }
    let mutant = RecordMutant("at-index", "Everything is refused at an index.") { wrong in
      wrong.refusing = { _ in
        DecodingError.dataCorrupted(
          DecodingError.Context(codingPath: [Index()], debugDescription: "it does not fit")
        )
      }
    }
    let handWritten = HostileProbe.all.filter { !$0.namesKeys }
    #expect(!handWritten.isEmpty)
    var wrongCount = 0
    for (number, probe) in handWritten.enumerated() {
      for index in 0..<20 {
        var choices = Choices(seed: Seed(value: 5).stream(UInt64(number * 20 + index)))
        switch try probe.answer(mutant.subject, &choices) {
        case .decoded: break
        case .refused: Issue.record("\(probe.name)")
        case .wrong(let difference):
          #expect(difference.kind == "hostile.path")
          wrongCount += 1
        }
      }
    }
    #expect(wrongCount > 0)
  }

  /// Refuses all that is right to refuse, at the right place and with an error of the wrong kind.
  private static let encoding = RecordMutant(
    "decodes-as-encoders",
    "What is refused by a decoder is refused as an encoder would."
  ) { wrong in
    wrong.refusing = { error in
      let path: [any CodingKey]
      switch error {
      case DecodingError.keyNotFound(let key, let context): path = context.codingPath + [key]
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.dataCorrupted(let context):
        path = context.codingPath
      default: return error
      }
      return EncodingError.invalidValue(
        0,
        EncodingError.Context(codingPath: path, debugDescription: "it does not fit")
      )
    }
  }

  @Test("A decode that is refused with an error of encoding breaks the laws of hostile records")
  func refusesAsEncoder() throws {
    var wrongCount = 0
    for (number, probe) in HostileProbe.all.enumerated() {
      for index in 0..<20 {
        var choices = Choices(seed: Seed(value: 6).stream(UInt64(number * 20 + index)))
        switch try probe.answer(Self.encoding.subject, &choices) {
        case .decoded: break
        case .refused: Issue.record("\(probe.name)")
        case .wrong(let difference):
          #expect(difference.kind == "hostile.untyped")
          wrongCount += 1
        }
      }
    }
    #expect(wrongCount > 0)
  }

  @Test(
    "A decode that is refused with an error of encoding breaks each law that says where",
    arguments: [
      ("record.numbers-exact", "number.path"), ("record.children-missing", "missing.path"),
      ("record.unknown-cases", "case.refused"),
    ]
  )
  func refusesAsEncoder(law name: String, kind: String) throws {
    let law = try #require(RecordLaw.all.first { $0.name == name })
    let subject = Self.encoding.subject
    var run = LawRun([LawGroup(law.lowered(on: subject))], on: [subject.id], seed: 1)
    run.run(cases: 300, shrinkLimit: 100, failureLimit: 1)
    #expect(run.failures.values.first?.difference.kind == kind)
  }

  @Test("A report of files is the same in every run, and names no path of the machine")
  func namesOfFiles() throws {
    let law = try #require(RecordLaw.all.first { $0.name == "record.assets" })
    let mutant = try #require(recordMutants.first { $0.description == "record-files-stay" })
    func differences() -> [Difference] {
      let group = LawGroup(law.lowered(on: mutant.subject))
      var run = LawRun([group], on: [mutant.description], seed: 2)
      run.run(cases: 100, shrinkLimit: 50, failureLimit: 1)
      return run.failures.values.map(\.difference)
    }
    let first = differences()
    #expect(!first.isEmpty)
    #expect(first == differences())
    for difference in first {
      #expect(!"\(difference)".contains(FileManager.default.temporaryDirectory.path))
    }
  }

  @Test(
    "A file is named by its place in the folder of the case",
    arguments: [
      ("own/own.txt", "own/own.txt"), ("assets/own/own.txt", "assets/own/own.txt"),
      ("assets/7C1B/a.json", "assets/1/a.json"), ("assets/90AF/a.json", "assets/2/a.json"),
      ("assets/0000/a.json", "assets/*/a.json"), ("../up.json", "elsewhere: up.json"),
      ("assets/a.json", "assets/a.json"),
    ]
  )
  func nameOfFile(path: String, name: String) {
    let root = URL(fileURLWithPath: "/there/case", isDirectory: true)
    func file(_ path: String) -> URL { root.appendingPathComponent(path, isDirectory: false) }
    let place = AssetPlace(
      root,
      first: [file("assets/7C1B/b.json")],
      second: [file("assets/90AF/b.json")]
    )
    #expect(place.name(of: file(path)) == name)
    #expect(place.isInFolder(file(path)) == (path.hasPrefix("assets/") && path != "assets/a.json"))
  }
}
