import Foundation
import Mutants
import PropertyEngine
import Reporting
import TestSupport
import Testing
import Texts

@testable import Campaigns

@Suite("The subjects that are usually judged")
struct UsualSubjectsTests {
  /// An adapter that no system can start.
  private func withAbsentAdapter(_ body: (SubjectRegistry) throws -> Void) throws {
    try withFolder { folder in
      let adapter = folder.appending(path: "gone")
      try FileManager.default.createDirectory(at: adapter, withIntermediateDirectories: true)
      let manifest = #"{"id": "gone", "command": ["/nowhere/at/all"]}"#
      try Data(manifest.utf8).write(to: adapter.appending(path: "adapter.json"))
      try body(SubjectRegistry(adapters: folder))
    }
  }

  @Test("`usual` is what a run without ids judges, and stands beside others")
  func usual() throws {
    let registry = SubjectRegistry(adapters: nil)
    let topics = Set(Report.Topic.allCases)
    let all = try registry.find([], usual: topics)
    let named = try registry.find(["usual", "naive-store"], usual: topics)
    #expect(all.ids.contains("local-store") && all.ids.contains("record-sync"))
    #expect(Set(named.ids) == Set(all.ids + ["naive-store"]))
  }

  @Test("Lanes share time by the number of their laws, and yardsticks get a quarter")
  func timeShares() throws {
    let registry = SubjectRegistry(adapters: nil)
    let lanes = registry.lanes(try registry.find([], usual: Set(Report.Topic.allCases)))
    func shares(_ id: String) -> [Double] {
      lanes.filter { $0.subject.id == id }.map(\.timeShare).sorted()
    }
    let (ours, naive) = (shares("engine"), shares("naive"))
    #expect(ours.allSatisfy { (1..<2.5).contains($0) } && naive.allSatisfy { $0 < 0.5 })
    #expect(!ours.isEmpty && !naive.isEmpty)
    // Histories of `document` have a part beside its laws of public calls.
    #expect(shares("document").contains { $0 < 1.5 } && shares("document").contains { $0 > 1.5 })
    let (coder, foundation) = (shares("document-coder"), shares("foundation-json"))
    #expect(try #require(coder.first) > 2.5)
    #expect(try #require(foundation.first) < 0.5)
  }

  @Test("An absent adapter fails a run that names it, and no other")
  func absent() throws {
    try withAbsentAdapter { registry in
      let usual = try registry.find(["usual"])
      let named = try registry.find(["usual", "gone"])
      #expect(usual.absent.map(\.isNamed) == [false])
      #expect(named.absent.map(\.isNamed) == [true])
    }
  }

  @Test("A catalogue lists a usual subject, and a mutant or a planted bug for each law")
  func complete() {
    #expect(Set(Catalogue.all.map(\.topic)) == Set(Report.Topic.allCases))
    for catalogue in Catalogue.all where catalogue.topic != .documents {
      #expect(catalogue.subjects.contains { $0.isUsual }, "\(catalogue.topic)")
      for mutant in catalogue.mutants {
        #expect(mutant.subject.id == mutant.id.subjectID && !mutant.laws.isEmpty, "\(mutant.id)")
      }
      let laws = Set(catalogue.laws.map(\.name))
      let caught = Set(catalogue.mutants.flatMap(\.laws))
      #expect(caught.isSubset(of: laws), "\(catalogue.topic)")
      // What no wrong subject breaks is broken by a bug of the sources.
      #expect(laws.subtracting(caught).isSubset(of: sourcePatches.map(\.law)), "\(catalogue.topic)")
    }
  }
}
