package import DocumentLaws
package import Histories
package import PropertyEngine
import Subjects

/// What the target *histories* makes of its input: a history, and the laws it is held to.
///
/// The bytes are choices, as ``PropertyEngine/Choices/init(bytes:)`` reads them; every input is a
/// valid one. The first byte says which laws are judged, and so which histories are drawn:
///
/// | byte | laws | histories |
/// |---|---|---|
/// | 1, 2, 3, ... | the scenario law with this number in the catalogue, from 1 | the law's own |
/// | any other | all laws on any history | `Generator.histories` |
///
/// A history is drawn from the other bytes, and made valid. Zeros at the end say nothing.
package struct HistoryInput: Sendable {
  /// All choices, the first byte's among them.
  package let choices: Choices
  /// The valid history nearest to the one drawn.
  package let history: NormalisedHistory
  /// The laws that the history is held to.
  package let laws: [DocumentLaw]
  /// Whether they are all laws on any history, and not one scenario law.
  package let isShared: Bool

  /// Reads a fuzzer's bytes.
  package init(bytes: [UInt8]) {
    self.init(drawing: Choices(bytes: bytes))
  }

  /// Draws the first byte and a history from any source.
  package init(drawing choices: Choices) {
    var choices = choices
    let number = Int(choices.choice(upTo: 255, bias: .weights(Self.weights)))
    isShared = !Self.scenarios.indices.contains(number - 1)
    let group = isShared ? Self.any : Self.scenarios[number - 1]
    history = normalise(group.histories.draw(&choices))
    laws = group.laws
    self.choices = choices
  }

  /// The bytes that make this input: none are fewer.
  package var bytes: [UInt8] { choices.spelledBytes }

  /// The scenario laws, in the order of their numbers from 1.
  package static var scenarioLaws: [DocumentLaw] { scenarios.flatMap(\.laws) }

  /// Laws that are held against the same histories.
  private struct Group: Sendable {
    let laws: [DocumentLaw]
    let histories: Generator<History>
  }

  /// All laws on any history.
  private static let any = Group(
    laws: DocumentLaw.all.filter { if case .any = $0.samples { true } else { false } },
    histories: .histories()
  )

  /// Each law that brings histories of its own.
  private static let scenarios: [Group] = DocumentLaw.all.compactMap { law in
    guard case .own(let histories) = law.samples else { return nil }
    return Group(laws: [law], histories: histories(HistoryLimits()))
  }

  /// The seeded source's bias: scenarios share one input in five.
  private static let weights = [4 * scenarios.count] + scenarios.map { _ in 1 }
}
