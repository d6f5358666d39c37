import DocumentLaws
import Histories
import PropertyEngine
import Subjects
import Testing

@Suite("Small worlds")
struct SmallWorldTests {
  @Test(
    "The specification obeys the laws on every history",
    arguments: [(SmallWorld.key, 2, 3), (.list, 2, 3), (.counter, 2, 3), (.key, 3, 3)]
  )
  func everyHistoryHolds(world: SmallWorld, replicas: Int, edits: Int) throws {
    let session = naiveSubject.session()
    let generator = world.histories(replicas: replicas, edits: edits)
    var walk = ExhaustiveWalk()
    var choices: Choices
    repeat {
      choices = walk.choices()
      let trial = Trial(
        normalise(generator.draw(&choices)),
        laws: SmallWorld.laws,
        subject: naiveSubject.capabilities,
        oracle: nil
      )
      let transcript = try session.run(trial.plan.program)
      for (law, verdict) in trial.verdicts(subject: transcript, oracle: nil) {
        #expect(verdict == .held, "\(law.name)\n\(trial.plan.history.history.text)")
      }
    } while walk.advance(after: choices.recorded)
    #expect(walk.visited == Self.count(world, replicas, edits))
  }

  /// The number of histories, by a count of its own: ways in which replicas know of edits, times what
  /// each edit may be.
  private static func count(_ world: SmallWorld, _ replicas: Int, _ edits: Int) -> Int {
    let kinds = [SmallWorld.key: 2, .list: 4, .counter: 3][world] ?? 0
    let none = Array(repeating: Set<Int>(), count: replicas)
    return (0..<edits).reduce(relations(none, 0, edits)) { product, _ in product * kinds }
  }

  private static func relations(_ known: [Set<Int>], _ edit: Int, _ edits: Int) -> Int {
    guard edit < edits else { return 1 }
    return known.indices.reduce(0) { sum, replica in
      var branches = [known]
      for other in known.indices where other != replica {
        branches = branches.flatMap { branch -> [[Set<Int>]] in
          guard !branch[other].subtracting(branch[replica]).isEmpty else { return [branch] }
          var heard = branch
          heard[replica].formUnion(branch[other])
          return [branch, heard]
        }
      }
      return sum
        + branches.reduce(0) { sum, branch in
          var after = branch
          after[replica].insert(edit)
          return sum + relations(after, edit + 1, edits)
        }
    }
  }
}
