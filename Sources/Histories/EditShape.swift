import DocumentModel

extension Edit where Object == ObjectName {
  /// What the edit does, without its place: `put int`.
  var shape: String {
    switch self {
    case .put(_, _, let value), .insert(_, _, let value): "\(kind) \(value.kind)"
    case .putObject(_, _, let made), .insertObject(_, _, let made): "\(kind) \(made)"
    case .increment(_, _, let amount): "\(kind) \(amount.signum())"
    case .splice(_, _, let removed, let values):
      "\(kind) \(min(removed, 2)) \(min(values.count, 2))"
    case .spliceText(_, _, let removed, let text):
      "\(kind) \(min(removed, 2)) \(text.string.isEmpty ? 0 : 1)"
    case .mark(_, let marking): "\(kind) \(marking.expand) \(marking.value.kind)"
    case .delete: "\(kind)"
    }
  }

  /// ``shape``, and for two marks how their stretches lie.
  func meeting(_ other: Self) -> String {
    guard case .mark(_, let mine) = self, case .mark(_, let theirs) = other else { return shape }
    let starts = mine.start == theirs.start ? "=" : mine.start < theirs.start ? "<" : ">"
    let ends = mine.end == theirs.end ? "=" : mine.end < theirs.end ? "<" : ">"
    let isApart = mine.end <= theirs.start || theirs.end <= mine.start
    return "\(shape), \(isApart ? "apart" : "start \(starts), end \(ends)")"
  }
}
