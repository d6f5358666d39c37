import Campaigns
import DocumentLaws
import Foundation
import FuzzEntryPoints
import Histories
import PropertyEngine
import Testing

private let corpus = CorpusFolder(target: "histories")

/// Names of the corpus's files with this ending; none if it cannot be read, which a test tells.
private func names(endingIn ending: String) -> [String] {
  ((try? corpus.names()) ?? []).filter { $0.hasSuffix(ending) }
}

@Suite("The corpus of histories")
struct HistoriesCorpusTests {
  /// With `TOUCHSTONE_GENERATE` set an input is made where none is, or what is there reaches something else; the
  /// README's row is written by hand.
  @Test("There is an input for each situation, a file of no other kind, and the README names all")
  func complete() throws {
    if ProcessInfo.processInfo.environment["TOUCHSTONE_GENERATE"] != nil {
      for goal in SeedGoal.histories {
        let url = corpus.url.appendingPathComponent("\(goal.name).bin")
        if let bytes = try? Data(contentsOf: url),
          goal.isReached(try FuzzTarget.histories.judge(Array(bytes), on: "naive"))
        {
          continue
        }
        let bytes = try #require(try goal.bytes(of: .histories, on: "naive"), "\(goal.name)")
        try Data(bytes).write(to: url)
      }
    }
    let names = try corpus.names()
    let inputs = SeedGoal.histories.map { $0.name + ".bin" }.sorted()
    #expect(names.filter { $0.hasSuffix(".bin") } == inputs)
    #expect(names.filter { $0.hasSuffix(".case") }.count > 0)
    let readme = try corpus.text("README.md")
    for name in names where name != "README.md" {
      #expect(name.hasSuffix(".bin") || name.hasSuffix(".case"), "\(name)")
      #expect(readme.contains("`\(name)`"), "\(name)")
    }
  }

  @Test("An input holds on the specification, and reaches what it is named by")
  func inputs() throws {
    for goal in SeedGoal.histories {
      let bytes = Array(try corpus.data(goal.name + ".bin"))
      let input = try FuzzTarget.histories.judge(bytes, on: "naive")
      #expect(goal.isReached(input), "\(goal.name)\n\(input.history?.history.text ?? "")")
      #expect(input.finding == nil, "\(goal.name)")
      #expect(input.bytes == bytes, "\(goal.name) has bytes that say nothing")
    }
  }

  @Test("A case holds on the specification", arguments: names(endingIn: ".case"))
  func casesHold(name: String) throws {
    var file = try CaseFile.parse(utf8: Array(try corpus.data(name)))
    file.set(.subjects, to: SubjectRegistry.specification.id)
    let outcome = try replay(file)
    // The specification is the oracle of agreement, and is not compared with itself.
    let isCompared = DocumentLaw.all.first { $0.name == file.law }?.isAgreement == true
    #expect(outcome.verdict == .held || (isCompared && outcome.verdict.word == .skipped))
  }

  @Test("A case's mutant breaks its law in its way", arguments: names(endingIn: ".case"))
  func casesBite(name: String) throws {
    let file = try CaseFile.parse(utf8: Array(try corpus.data(name)))
    guard try #require(file.subjects.first).hasPrefix("mutant:") else { return }
    let verdict = try replay(file).verdict
    guard case .violated(let difference) = verdict else {
      Issue.record("\(name) is \(verdict.word) on \(file.subjects)")
      return
    }
    #expect(difference.kind == file.kind)
  }

  private func replay(_ file: CaseFile) throws -> Replay.Outcome {
    let registry = SubjectRegistry(adapters: nil)
    let found = try registry.find(Array(file.subjects.prefix(1)))
    return try Replay(lanes: registry.lanes(found)).run(file)
  }
}
