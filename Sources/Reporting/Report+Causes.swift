extension Report {
  /// One failure, with its place in the report.
  typealias NumberedFailure = (offset: Int, element: Failure)

  /// The failures by likely cause, in the order of the report; of one cause the smallest first.
  ///
  /// Failures of one subject likely have one cause if they have the same smallest history, or the same
  /// kind of difference.
  var causes: [[NumberedFailure]] {
    struct Sign: Hashable {
      let subject: String
      let kind: Failure.Kind
      let isHistory: Bool
      let words: [String]
    }
    var causes: [[NumberedFailure]] = []
    var places: [Sign: Int] = [:]
    for failure in failures.enumerated() {
      // A failure without a history shares no history.
      let words = [[failure.element.differenceKind], failure.element.history].filter { !$0.isEmpty }
      let signs = words.enumerated().map { number, words in
        Sign(
          subject: failure.element.subject,
          kind: failure.element.kind,
          isHistory: number == 1,
          words: words
        )
      }
      let place = signs.lazy.compactMap { places[$0] }.first ?? causes.count
      if place == causes.count { causes.append([]) }
      causes[place].append(failure)
      for sign in signs where places[sign] == nil { places[sign] = place }
    }
    return causes.map { cause in
      cause.sorted { ($0.element.size, $0.offset) < ($1.element.size, $1.offset) }
    }
  }
}
