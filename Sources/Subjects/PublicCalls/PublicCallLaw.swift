package import PropertyEngine
import Texts

// Laws of what calls of `Document` promise that no step of a history makes. Each makes documents of its own from the
// sample's numbers. What a call promises of *any* document is asked by `StateLaws`.

/// A law of public calls: what it says, and a check that makes the calls.
///
/// Worked example: `api.registers`.
///
///     sample     numbers 1 0 2
///     calls      the copy is written by fe; the document puts 7 at "k"; the copy increments "k"
///     check      the differences between all heads lead from each state to the other
package struct PublicCallLaw: StatedLaw {
  package let statement: LawStatement
  /// Runs in one of every `costs` cases that are its turn.
  var costs = 1
  /// Numbers that a sample has.
  private let count: Int
  /// Throws what is wrong.
  private let check: @Sendable (inout CallStory) throws -> Void

  /// A check that draws more than `count` numbers gets zeros, the simplest of each thing: a count that is too small
  /// narrows the law, which tests see by ``overrun(of:)``.
  init(
    _ name: String,
    _ title: String,
    _ sentence: String? = nil,
    source: LawSource,
    count: Int = 40,
    costs: Int = 1,
    check: @escaping @Sendable (inout CallStory) throws -> Void
  ) {
    statement = LawStatement(name, title, sentence, source: source)
    self.costs = costs
    self.count = count
    self.check = check
  }

  /// The law as a run takes it.
  ///
  ///     the check throws nothing                held
  ///     it throws a `PublicCallFault`           violated, of kind `call.wrong`
  ///     it throws anything else                 violated, of kind `call.refused`: all of its calls must succeed
  ///     the document traps in it                violated `subject.answers`: its worker has died
  package var lowered: Law<DrawnNumbers> {
    Law(
      statement,
      form: .publicCalls,
      costs: costs,
      draw: { DrawnNumbers(count, &$0) },
      judge: { numbers in
        var story = CallStory(numbers)
        do {
          try check(&story)
          return Judgement(.held)
        } catch {
          return Judgement(.violated(Self.difference(error)))
        }
      }
    ).lookingAt("the document")
  }

  private static func difference(_ error: any Error) -> Difference {
    if let fault = error as? PublicCallFault { return fault.difference }
    return Difference(
      kind: "call.refused",
      summary: "a call was refused that should have been carried out: \(error)",
      expected: "what the call's documentation says"
    )
  }

  /// What the check calls on a sample, a line each, and on the last one what is wrong.
  package func calls(of numbers: DrawnNumbers) -> [String] {
    var story = CallStory(numbers)
    do { try check(&story) } catch { story.note("  -> \(Self.difference(error).summary)") }
    return story.lines
  }

  /// How many bytes the check of a drawn sample asks for beyond those that the law gives to samples.
  func overrun(of numbers: DrawnNumbers) -> Int {
    var story = CallStory(numbers)
    try? check(&story)
    return max(0, story.drawnByteCount - count)
  }

  /// The laws whose samples are numbers, in the order in which they are tried.
  package static let all: [PublicCallLaw] =
    textLaws + markLaws + objectLaws + numberLaws + observerLaws + logLaws + pathLaws + registerLaws
    + transactionLaws + savingLaws + nameLaws + threadLaws + droppedLaws
    + innermostLaws + streamLaws + refusalLaws + scalarLaws + limitLaws + syncCallLaws + viewLaws
    + [alikeBytes, patchOrder]
    + memoryLaws + arrivalLaws + counterLaws + [waitingOrder, crosswiseMerges]
    + [wideCharacters, nearStates, manyDroppedChanges, equalHeads, inflatedLimits]
}

extension PublicCallLaw {
  /// The whole catalogue, ready to run: these laws, and those of any state.
  package static var groups: [LawGroup] {
    all.map { LawGroup($0.lowered) } + StateLaws.all.map { LawGroup($0) }
  }
}

extension SampleForm<DrawnNumbers> {
  /// Samples of laws of public calls: one line `numbers 5 1`, or none for no numbers.
  package static let publicCalls = SampleForm(
    name: FormName("public calls", version: 1),
    plural: "samples of public calls",
    render: { $0.isEmpty ? "" : "\($0.line)\n" },
    parse: { text in
      var lines: [DrawnNumbers] = []
      try readLines(of: text, as: FormName("public calls", version: 1)) { line in
        guard lines.isEmpty, let numbers = DrawnNumbers(line) else { return false }
        lines = [numbers]
        return true
      }
      return lines.first ?? DrawnNumbers()
    },
    size: { $0.count },
    measure: { counted($0.count, "number") }
  )
}
