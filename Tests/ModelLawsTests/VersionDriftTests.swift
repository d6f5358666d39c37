import ModelGeneration
import ModelLaws
import PropertyEngine
import Testing

@Suite("Laws of two versions of a model")
struct VersionDriftTests {
  private func failure<Writer: Codable & SendableMetatype, Reader: Codable & SendableMetatype>(
    _ writer: Writer.Type,
    _ reader: Reader.Type,
    losing: Set<String> = []
  ) throws -> Failure? {
    let source = try ModelSource(deriving: writer, DerivationOptions())
    let law = VersionDrift<Writer, Reader>(source, losing: losing).law(DriftLaw.upgrade)
    var run = LawRun([LawGroup(law)], on: ["drift"], seed: 1, startsSimple: true)
    run.run(cases: 60, shrinkLimit: 2000, failureLimit: 1)
    return run.failures.values.first
  }

  @Test("What a reader refuses, loses or misreads is found in the smallest document")
  func found() throws {
    let refused = try #require(try failure(Old.self, Stricter.self))
    #expect(refused.key.kind == "drift.refused")
    #expect(refused.caseIndex == 0)
    let lost = try #require(try failure(Old.self, Smaller.self))
    #expect(lost.key.kind == "drift.lost")
    #expect(lost.sample.text == #"{"floor": int 0, "name": ""}"# + "\n")
    let misread = try #require(try failure(Old.self, Renumbered.self))
    #expect(misread.key.kind == "drift.misread")
    #expect(misread.difference.summary == "`floor` is read as something else")
  }

  @Test("A declared loss is none, and so is what the reader keeps")
  func kept() throws {
    #expect(try failure(Old.self, Old.self)?.headline == nil)
    #expect(try failure(Old.self, Smaller.self, losing: ["floor"])?.headline == nil)
  }

  @Test("A loss in the elements of lists is declared without their indices")
  func keptInLists() throws {
    let lost = try #require(try failure(Building.self, Shell.self))
    let summary = "`halls[0][0].floor` is lost when the document is written again"
    #expect(lost.difference.summary == summary)
    #expect(try failure(Building.self, Shell.self, losing: ["halls[][].floor"])?.headline == nil)
    #expect(try failure(Building.self, Shell.self, losing: ["halls[].floor"])?.headline != nil)
    #expect(try failure(Building.self, Shell.self, losing: ["halls[0][0].floor"])?.headline != nil)
  }

  @Test("A root of another kind is told as the whole value")
  func root() throws {
    let misread = try #require(try failure([Int].self, Count.self))
    #expect(misread.difference.summary == "the value is read as something else")
  }

  @Test("A stored document is judged as it stands")
  func stored() throws {
    let failure = try #require(try failure(Old.self, Smaller.self))
    let source = try ModelSource(deriving: Old.self, DerivationOptions())
    let law = VersionDrift<Old, Smaller>(source, losing: []).law(DriftLaw.upgrade)
    let run = LawRun([LawGroup(law)], on: ["drift"], seed: 2)
    let judged = try #require(try run.judge(failure.caseFile))
    #expect(judged.findings.map(\.key) == [failure.key])
  }

  private struct Old: Codable {
    var name: String
    var floor: Int?
  }

  private struct Building: Codable {
    var halls: [[Old]]
  }

  private struct Shell: Codable {
    var halls: [[Smaller]]
  }

  /// Reads a list, and writes how long it is.
  private struct Count: Codable {
    var count: Int

    init(from decoder: any Decoder) throws {
      count = try decoder.singleValueContainer().decode([Int].self).count
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(count)
    }
  }

  private struct Smaller: Codable {
    var name: String
  }

  private struct Stricter: Codable {
    var name: String
    var seats: Int
  }

  /// Counts floors from another one.
  private struct Renumbered: Codable {
    var name: String
    var floor: Int?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      floor = try container.decodeIfPresent(Int.self, forKey: .floor).map { ($0 / 2) + 1 }
    }
  }
}
