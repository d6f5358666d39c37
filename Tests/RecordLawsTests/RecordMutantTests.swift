import Mutants
import PropertyEngine
import RecordLaws
import Testing

@Suite("Laws of records catch what is wrong on purpose")
struct RecordMutantTests {
  /// Each law beside each mutant that it is to catch alone.
  static var pairs: [String] {
    recordMutants.flatMap { mutant in mutant.laws.map { "\(mutant.id) \($0)" } }
  }

  @Test("The law catches the mutant when no other is asked", arguments: RecordMutantTests.pairs)
  func caught(_ pair: String) throws {
    let names = pair.split(separator: " ").map(String.init)
    let mutant = try #require(recordMutants.first { $0.id == names[0] })
    let law = try #require(RecordLaw.all.first { $0.name == names[1] })
    var run = LawRun([LawGroup(law.lowered(on: mutant.subject))], on: [mutant.id], seed: 1)
    let isCaught = run.runUntilSighting(caseLimit: 3000)
    #expect(isCaught, "\(pair)")
  }

  @Test("Every law has a mutant, every mutant a law, and no id comes twice")
  func complete() {
    let aimed = Set(recordMutants.flatMap(\.laws))
    #expect(Set(RecordLaw.all.map(\.name)) == aimed)
    #expect(Set(recordMutants.map(\.id)).count == recordMutants.count && recordMutants.count >= 20)
  }
}
