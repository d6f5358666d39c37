// Passes that change a choice together with those that depend on it.

extension ShrinkPasses {
  /// Deletes runs of siblings and lowers the numbers that point behind them, as indices do.
  ///
  /// A number that is above the place of what goes, and at most the number of siblings, is taken for an
  /// index, or for the count.
  ///
  ///     [0/9] [3/9] [0/9] [1/9], fails where two point at each other      ->      [1/9] [0/9]
  ///
  /// Cost: one attempt for each sibling that has such a number behind its place; none where there are more than 32
  /// siblings.
  mutating func deleteAndLowerIndices() throws(ShrinkStop) {
    let memberLimit = 32
    var depth = 0
    while depth <= best.deepest {
      var group = best.siblings(atDepth: depth).count - 1
      while group >= 0 {
        var last = memberLimit
        while last >= 0 {
          let groups = best.siblings(atDepth: depth)
          guard group < groups.count else { break }
          let members = groups[group].members
          guard members.count > 1, members.count <= memberLimit else { break }
          last = min(last, members.count - 1)
          let base = best
          let end = last
          let deleted = try largest(upTo: end + 1) { (passes, length) throws(ShrinkStop) in
            let removed = members[(end - length + 1)...end]
            guard let candidate = base.removing(removed, loweringAbove: end, to: members.count)
            else { return false }
            return try passes.consider(candidate)
          }
          last -= max(1, deleted)
        }
        group -= 1
      }
      depth += 1
    }
  }

  /// Clears a flag in all siblings of one group that have it, such as the signs of two numbers.
  ///
  ///     [1/100 1/1] [100/100 1/1], fails as -101      ->      [1/100 0/1] [100/100 0/1]      as 101, too
  ///
  /// Cost: one attempt for each flag that two siblings or more have.
  mutating func clearFlagsTogether() throws(ShrinkStop) {
    var depth = 0
    while depth <= best.deepest {
      var group = 0
      while true {
        let groups = best.siblings(atDepth: depth)
        guard group < groups.count else { break }
        let members = groups[group].members
        let length = members.map { $0.end - $0.start }.min() ?? 0
        // The first choice of an element says whether there is one.
        for offset in 1..<max(2, length) where members.count > 1 && length > 1 {
          let base = best
          let flags = members.map { $0.start + offset }.filter { index in
            index < base.recorded.count && base.recorded[index] == Choice(value: 1, limit: 1)
          }
          guard flags.count > 1 else { continue }
          var candidate = base.values
          for index in flags { candidate[index] = 0 }
          if try consider(candidate) { break }
        }
        group += 1
      }
      depth += 1
    }
  }

  /// Joins neighbouring siblings that hold spans, such as lists: takes out the end of one and the start of the next.
  ///
  ///     [1/1 [1/1 7/9] 0/1] [1/1 [1/1 8/9] 0/1]      ->      [1/1 [1/1 7/9] [1/1 8/9] 0/1]
  ///
  /// Cost: one attempt for each two neighbours.
  mutating func joinSiblings() throws(ShrinkStop) {
    var depth = 0
    while depth < best.deepest {
      var index = 1
      while true {
        let base = best
        let members = base.siblings(atDepth: depth).flatMap(\.members)
        guard index < members.count else { break }
        let (left, right) = (members[index - 1], members[index])
        let inner = base.spans.filter { $0.depth == depth + 1 }
        let isList =
          left.end == right.start && inner.contains { $0.end == left.end - 1 }
          && inner.contains { $0.start == right.start + 1 }
        var candidate = base.values
        if isList { candidate.removeSubrange(left.end - 1...right.start) }
        // Without a change it is the best one itself, which is no better.
        if try !consider(candidate) { index += 1 }
      }
      depth += 1
    }
  }

  /// Lowers a choice among few, such as the number of an alternative, and sets what follows it in its span to zero.
  ///
  /// What one alternative needs may be wrong for a simpler one.
  ///
  ///     [2/2 7/9 8/9]      ->      [1/2 0/9 0/9]
  mutating func lowerAndClear() throws(ShrinkStop) {
    var index = 0
    while index + 1 < best.values.count {
      let value = best.values[index]
      if value > 0, value <= Self.fewKinds {
        let owner = best.innermostSpans[index]
        let end = owner < 0 ? best.values.count : best.spans[owner].end
        if best.values[(index + 1)..<max(index + 1, end)].contains(where: { $0 > 0 }) {
          for kind in 0..<value {
            var candidate = best.replacing(index, with: kind)
            for later in (index + 1)..<end { candidate[later] = 0 }
            if try consider(candidate) { break }
          }
        }
      }
      index += 1
    }
  }
}

extension ShrinkState {
  /// The values without those of a run of siblings, and with numbers above a place lowered by the run's length;
  /// `nil` if there are no such numbers.
  fileprivate func removing(
    _ removed: ArraySlice<ChoiceSpan>,
    loweringAbove place: Int,
    to limit: Int
  ) -> [UInt32]? {
    var rest: [UInt32] = []
    rest.reserveCapacity(values.count)
    var hasLowered = false
    var next = removed.startIndex
    for (index, choice) in recorded.enumerated() {
      while next < removed.endIndex, removed[next].end <= index { next += 1 }
      if next < removed.endIndex, removed[next].start <= index { continue }
      let isBehind = choice.limit > 1 && Int(choice.value) > place && Int(choice.value) <= limit
      rest.append(isBehind ? choice.value - UInt32(removed.count) : choice.value)
      hasLowered = hasLowered || isBehind
    }
    return hasLowered ? rest : nil
  }
}
