import Testing

@Suite("Modules in which a fuzzer counts edges")
struct JudgedModulesTests {
  /// What stands around the judged code: `Documentation/Decisions/0050-a-fuzzer-counts-what-is-judged.md`.
  private static let harness: Set = [
    "CJSONC", "CLibCrypto", "CLibDeflate", "CZlib", "Campaigns", "CoderSubjects", "CodingLaws",
    "DocumentLaws",
    "FaultInjection", "FoundationCoders", "FuzzEntryPoints", "FuzzSessions", "ModelGeneration",
    "ModelLaws", "ModelZoo", "Mutants", "Programs", "RecordLaws", "RecordSubjects", "Schedules",
    "StoreLaws", "StoreSubjects", "Subjects", "SystemCalls",
  ]

  /// Without it a fuzzer would take no notice of a new module, and no error would say so.
  @Test("Each module that fuzz targets use is counted, or listed as part of the harness")
  func isComplete() throws {
    let manifest = try Repository.current().text(at: "Package.swift")
    let table = try ManifestTable(manifest)
    var used: Set<String> = []
    var waiting = ["FuzzEntryPoints"]
    while let name = waiting.popLast() {
      if used.insert(name).inserted { waiting += table.module(name)?.dependencies ?? [] }
    }
    let list = try #require(manifest.firstMatch(of: /let judgedModules: Set = \[([^\]]*)\]/))
    let judged = Set(list.output.1.matches(of: /"(\w+)"/).map { String($0.output.1) })
    #expect(judged.count > 15)
    #expect(judged.isDisjoint(with: Self.harness))
    #expect(used == judged.union(Self.harness))
  }
}
