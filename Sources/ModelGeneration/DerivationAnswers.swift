/// What a type was answered while a value of it was made, such as "`seats` is missing".
///
/// Texts are made when they are asked for: there is an answer for each field of each value, and they
/// are read where the process ends.
package struct DerivationAnswers {
  /// Maximum number of answers that are kept: earlier ones have little to do with a trap.
  private static let limit = 12

  /// Number of all answers.
  package private(set) var count = 0
  private var kept: [() -> String] = []

  /// The last answers, in their order.
  package var latest: [String] { kept.map { $0() } }

  mutating func append(_ answer: @escaping () -> String) {
    if kept.count == Self.limit { kept.removeFirst() }
    kept.append(answer)
    count += 1
  }
}
