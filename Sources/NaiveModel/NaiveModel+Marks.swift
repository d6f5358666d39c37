import DocumentModel

// Which marks cover what. Source: Specification/Semantics.md, "Marks".
extension NaiveModel {
  /// The operation that begins or ends a mark at this place of a sequence; `nil` for an element.
  func mark(_ id: OpID, in object: ObjectID) -> NaiveOp? {
    for position in rowIndex.rows(of: .element(id), in: object, R.isSameKey)
    where rows[position].id == id && rows[position].isMark {
      return rows[position]
    }
    return nil
  }

  /// For each name the longest stretches of equal values, by name and then by start.
  ///
  /// Walks the sequence with the marks that are open at each place.
  ///
  /// Worked example, "abc" with bold over "ab", and red over "bc":
  ///
  ///     sequence    begin bold, a, begin red, b, end bold, c, end red
  ///     shown       bold 0..<2, red 1..<3
  ///
  /// Cost: the sequence, times the marks that are open at once.
  func marks(
    of object: NaiveObject,
    over elements: [NaiveElement],
    at clock: NaiveClock?
  ) -> [ObservedMark] {
    guard object.hasMarks else { return [] }
    var open: [NaiveOp] = []
    /// What each name has while no mark begins or ends.
    var values: [ExactString: Scalar] = [:]
    var elements = elements[...]
    var found: [ExactString: [ObservedMark]] = [:]
    for id in object.sequence {
      if let mark = mark(id, in: object.id) {
        guard isCovered(id, by: clock) else { continue }
        if case .beginMark = mark.action { open.append(mark) }
        open.removeAll { R.closes(mark, begin: $0.id) }
        values = self.values(of: open)
        continue
      }
      // An element without width neither has marks nor parts them.
      while let element = elements.first, element.id == id {
        elements.removeFirst()
        for (name, value) in values where !element.span.isEmpty {
          let stretches = found[name, default: []]
          if let last = stretches.last, last.range.upperBound == element.span.lowerBound,
            R.continues(mark: last.value, with: value)
          {
            let range = last.range.lowerBound..<element.span.upperBound
            found[name]?[stretches.count - 1].range = range
          } else {
            let mark = ObservedMark(name: name, value: value, range: element.span)
            found[name] = stretches + [mark]
          }
        }
      }
    }
    return found.keys.sorted().flatMap { found[$0, default: []] }
  }

  /// What each name has where these marks are open.
  ///
  /// Names whose greatest mark is null are left out.
  private func values(of open: [NaiveOp]) -> [ExactString: Scalar] {
    var winners: [ExactString: NaiveOp] = [:]
    for mark in open {
      guard case .beginMark(let name, _, _) = mark.action else { continue }
      if let other = winners[name], !R.outranks(mark: mark.id, other.id) { continue }
      winners[name] = mark
    }
    return winners.compactMapValues { mark in
      guard case .beginMark(_, let value, _) = mark.action else { return nil }
      return R.shows(mark: value) ? value : nil
    }
  }
}
