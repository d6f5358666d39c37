package import PropertyEngine

extension Choices {
  /// Draws which of `elements` to keep, in their order; left out is the simplest.
  ///
  /// Leaving features out of a whole run (*swarm* selection) reaches situations which a run with
  /// every feature drowns.
  package mutating func subset<Element>(
    of elements: [Element],
    keepingPercent percent: Int
  ) -> [Element] {
    var kept: [Element] = []
    for element in elements where flag(percent: percent) { kept.append(element) }
    return kept
  }
}
