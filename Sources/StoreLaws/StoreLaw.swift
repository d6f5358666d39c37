package import PropertyEngine
import Schedules

// A law of stores, and how it judges one sample. Read next `StoreSample.swift` (what happens to a
// store), `StoreTrial.swift` (a run with the disk before each call) and `StoreSubject.swift` (what
// a store offers). Used by `Campaigns` (lanes, stored cases), `SelfTests` and the tests of
// `StoreSubjects`' wrong stores.

/// A statement about what a store keeps.
///
/// A law touches no disk of the system: stores get `MemoryFiles`, with faults by `FaultyFiles`. So
/// one sample has one verdict, on every system.
///
/// Worked example: `crash.acknowledged-stays` on `store-no-folder-sync`.
///
///     draw       level data; change a=3; crash before call k; the loss takes all that is pending
///     record     the disk before each call, with the changes that had begun and returned by then
///     check      opens call k's disk after the loss; if the change had returned, item a must be there
///     found      kind `state.other`: expected [a=3], actual []
package struct StoreLaw: StatedLaw {
  package let statement: LawStatement
  /// What a store must be able to do for the law to say anything of it.
  ///
  /// A store without one of them is skipped, which fails nothing.
  package let needs: Set<StoreFeature>
  /// Runs in one of every `costs` cases that are its turn; 1 for all but expensive laws.
  package let costs: Int
  /// What the law's samples have: steps, a crash, a refusal, damage, numbers and their limit.
  let shape: StoreSample.Shape
  /// Finds where the store breaks the law; `nil` if it does not.
  ///
  /// Throws ``Skipped`` where it would find nothing because the sample asks nothing: no byte was
  /// damaged, say, or no call refused. `nil` is for a law that held.
  /// A ``StoreComplaint`` that it lets through is a violation (`store.refused`): laws catch those
  /// that they expect.
  let check: @Sendable (StoreTrial) async throws -> Difference?
  /// What shows the difference, where the check names no sides.
  private var side: String

  /// A title of at most eight plain words with a full stop, and the precise sentence, where the title is not
  /// precise enough.
  init(
    _ name: String,
    _ title: String,
    _ sentence: String? = nil,
    source: LawSource,
    needs: Set<StoreFeature> = [],
    costs: Int = 1,
    shape: StoreSample.Shape = StoreSample.Shape(),
    check: @escaping @Sendable (StoreTrial) async throws -> Difference?
  ) {
    statement = LawStatement(name, title, sentence, source: source)
    self.needs = needs
    self.costs = costs
    self.shape = shape
    self.check = check
    side = "the store"
  }

  package var name: String { statement.name }

  /// What a store lacks for the law, in words; `nil` if the law speaks of it.
  package func reasonToSkip(_ subject: any StoreSubject) -> String? {
    needs.subtracting(subject.features).map(\.lack).min()
  }

  /// Calls that a stored sample may have refused: a store tries again when one is interrupted.
  private static let refusedLimit = 1000

  /// Holds a store to the law on one sample.
  ///
  /// A call that waits for something that never comes shows as a stall, not as a case that hangs.
  ///
  ///     the check gives nothing, or a difference         held, or violated
  ///     it throws `Skipped`, or a feature is missing     skipped
  ///     it throws a ``StoreComplaint``                   violated, of kind `store.refused`
  ///     no job is left before it ends                    violated, of kind `store.stalled`
  ///     it throws anything else                          errored: not the store is at fault
  ///     a stored sample asks for too much                errored, before the store is opened
  package func verdict(on sample: StoreSample, _ subject: any StoreSubject) -> Verdict {
    if let reason = reasonToSkip(subject) { return .skipped(reason) }
    // Numbers of a stored case decide how long it takes, and how large it is.
    if let number = sample.numbers.first(where: { $0 > shape.numberLimit }) {
      return .errored(
        "the sample's number \(number) is more than \(shape.numberLimit), the law's limit"
      )
    }
    guard sample.refusedCount <= Self.refusedLimit else {
      return .errored(
        "the sample refuses \(sample.refusedCount) calls, and \(Self.refusedLimit) is the limit"
      )
    }
    // The numbers of the sample pick the schedule as well; most laws have none, and are in order.
    let schedule = Schedule(sample.numbers)
    return Verdict(of: StoreTrial(subject, sample, schedule), thrown: Self.complaint) { trial in
      try schedule.run { try await check(trial) }
    }
  }

  private static func complaint(_ error: any Error) -> Verdict {
    switch error {
    case let stalled as Stalled:
      // No job is left and the check has not ended: a call without an answer.
      .violated(Difference(kind: "store.stalled", summary: "\(stalled)"))
    case let complaint as StoreComplaint:
      .violated(
        Difference(
          kind: "store.refused",
          summary: "a call was refused that should have been carried out: \(complaint)",
          expected: "no refusal",
          actual: complaint.kind.rawValue
        )
      )
    default: .errored("\(error)")
    }
  }

  /// The law with `name` as the side of its differences that name none, as the laws of one family share it.
  private func lookingAt(_ name: String) -> StoreLaw {
    var law = self
    law.side = name
    return law
  }

  /// The law as a run takes it.
  package func lowered(on subject: any StoreSubject) -> Law<StoreSample> {
    Law(
      statement,
      form: .store.counting { [shape] sample, coverage in
        coverage.add(StoreCoverage.tally(of: sample, shape), in: StoreCoverage.samples)
      },
      costs: costs,
      draw: { StoreSample.drawn(shape, &$0) },
      judge: { Judgement(verdict(on: $0, subject)) }
    ).lookingAt(side)
  }

  /// Laws that came later than those beside which they stand: places in the list never change.
  private static let laterLaws: [StoreLaw] = [
    closedRefuses, refusedAnswers, piecesInOrder, otherID, documentsUnloaded,
  ]

  /// All laws, in the order in which they are tried and listed.
  package static let all: [StoreLaw] =
    storingLaws + sayingLaws + largeLaws
    + crashLaws.map { $0.lookingAt("the store, opened after the crash") }
    + (afterRefusalLaws + faultLaws).map { $0.lookingAt("the store after the failed call") }
    + damageLaws.map { $0.lookingAt("the store, opened over the damaged files") }
    + placeLaws
    + (seedLaws + versionLaws).map {
      $0.lookingAt("the store, opened over files that it did not write")
    }
    + (callerLaws + togetherLaws).map { $0.lookingAt("the store that several callers use") }
    + documentLaws.map { $0.lookingAt("the documents of the store") }
    + laterLaws + formLaws + reportLaws
    + documentOrderLaws.map { $0.lookingAt("the documents of the store") }
}
