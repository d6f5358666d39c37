extension ShrinkPasses {
  /// Deletes spans, outer ones first, and in each group of siblings runs from the last to the
  /// first.
  ///
  /// A list that is as long as it may be is not asked for another element, and is asked once it is shorter: then
  /// also with a no behind its last one. Elements that a yes stands in front of, outside of their spans, go with it.
  ///
  ///     1 [0] 1 [1 1 0] 0      ->      1 [1 1 0] 0      the first element with its yes
  ///
  /// Cost: one attempt a span that must stay, and `2 * log2` of its length a run that can go.
  mutating func deleteSpans() throws(ShrinkStop) {
    var depth = 0
    while depth <= best.deepest {
      var group = best.siblings(atDepth: depth).count - 1
      while group >= 0 {
        try deleteMembers(ofGroup: group, atDepth: depth)
        group -= 1
      }
      depth += 1
    }
  }

  private mutating func deleteMembers(ofGroup group: Int, atDepth depth: Int) throws(ShrinkStop) {
    guard let all = members(ofGroup: group, atDepth: depth), !all.isEmpty else { return }
    if all.count > 1, try consider(best.removing(all)) { return }
    var last = all.count - 1
    while last >= 0 {
      guard let members = members(ofGroup: group, atDepth: depth) else { return }
      guard last < members.count else {
        last = members.count - 1
        continue
      }
      let base = best
      let (isFull, isLed) = (base.isFull(members), base.isLed(members))
      let deleted = try largest(upTo: last + 1) { (passes, count) throws(ShrinkStop) in
        var candidate = base.removing(members[(last - count + 1)...last])
        if try passes.consider(candidate) { return true }
        if isLed {
          let led = (members[last - count + 1].start - 1)..<members[last].end
          var candidate = base.values
          candidate.removeSubrange(led)
          if try passes.consider(candidate) { return true }
        }
        guard isFull, let end = members.last?.end else { return false }
        candidate.insert(0, at: candidate.count - (base.values.count - end))
        return try passes.consider(candidate)
      }
      last -= max(1, deleted)
    }
  }

  private func members(ofGroup group: Int, atDepth depth: Int) -> [ChoiceSpan]? {
    let groups = best.siblings(atDepth: depth)
    return group < groups.count ? groups[group].members : nil
  }

  /// Deletes runs of siblings and lowers an earlier choice of their parent by the run's length.
  ///
  /// A list whose length was drawn before its elements shrinks in this way.
  ///
  ///     2/5 [7/9] [3/9]      ->      1/5 [7/9]
  mutating func deleteSpansAndLowerCounts() throws(ShrinkStop) {
    var depth = 0
    while depth <= best.deepest {
      var group = best.siblings(atDepth: depth).count - 1
      while group >= 0 {
        var last = (members(ofGroup: group, atDepth: depth)?.count ?? 0) - 1
        while last >= 0 {
          let deleted = try deleteRun(endingAt: last, ofGroup: group, atDepth: depth)
          last -= max(1, deleted)
        }
        group -= 1
      }
      depth += 1
    }
  }

  private mutating func deleteRun(
    endingAt last: Int,
    ofGroup group: Int,
    atDepth depth: Int
  ) throws(ShrinkStop) -> Int {
    let groups = best.siblings(atDepth: depth)
    guard group < groups.count, last < groups[group].members.count else { return 0 }
    let base = best
    let members = groups[group].members
    for count in countCandidates(of: groups[group]) {
      let limit = min(last + 1, Int(base.values[count]))
      let deleted = try largest(upTo: limit) { (passes, length) throws(ShrinkStop) in
        var candidate = base.removing(members[(last - length + 1)...last])
        candidate[count] -= UInt32(length)
        return try passes.consider(candidate)
      }
      if deleted > 0 { return deleted }
    }
    return 0
  }

  /// Choices that may say how many members a group has: the two nearest before it that lie in its
  /// parent and in no other span, and can be lowered.
  private func countCandidates(of group: ShrinkState.Siblings) -> [Int] {
    guard let first = group.members.first else { return [] }
    let parentStart = group.parent?.start ?? 0
    let parentDepth = group.parent?.depth ?? -1
    let owners = best.innermostSpans
    var found: [Int] = []
    for index in (min(parentStart, first.start)..<first.start).reversed() where found.count < 2 {
      let depth = owners[index] < 0 ? -1 : best.spans[owners[index]].depth
      let choice = best.recorded[index]
      if depth == parentDepth, choice.limit > 1, choice.value > 0 { found.append(index) }
    }
    return found
  }

  /// Deletes a span and raises a choice of the sibling after it, or else before it, to its limit.
  ///
  /// Two steps of a sum become one that is as large as can be, which then is lowered. Last all of the sibling's
  /// choices are raised together: the end of a range may lie below zero, with the sign behind the number.
  ///
  ///     [30/99] [40/99], fails from a sum of 60 on      ->      [99/99]      ->      [60/99]
  mutating func deleteAndRaise() throws(ShrinkStop) {
    var depth = 0
    while depth <= best.deepest {
      var group = best.siblings(atDepth: depth).count - 1
      while group >= 0 {
        var index = (members(ofGroup: group, atDepth: depth)?.count ?? 0) - 1
        while index >= 0 {
          try deleteMember(index, ofGroup: group, atDepth: depth)
          index -= 1
        }
        group -= 1
      }
      depth += 1
    }
  }

  private mutating func deleteMember(
    _ index: Int,
    ofGroup group: Int,
    atDepth depth: Int
  ) throws(ShrinkStop) {
    guard let members = members(ofGroup: group, atDepth: depth), members.count > 1,
      index < members.count
    else { return }
    let base = best
    let raised = index + 1 < members.count ? members[index + 1] : members[index - 1]
    let numbers = (raised.start..<raised.end).filter { base.recorded[$0].limit > 1 }
    for choice in numbers {
      var values = base.values
      values[choice] = base.recorded[choice].limit
      values.removeSubrange(members[index].start..<members[index].end)
      if try consider(values) { return }
    }
    guard !numbers.isEmpty else { return }
    var values = base.values
    for choice in raised.start..<raised.end { values[choice] = base.recorded[choice].limit }
    values.removeSubrange(members[index].start..<members[index].end)
    _ = try consider(values)
  }

  /// Deletes two spans of one label and depth that need not be neighbours, nor have one parent.
  ///
  /// Steps that cancel each other go only together: what one replica writes and another one takes back,
  /// with what fails between them.
  ///
  /// Cost: one attempt a pair, 276 for the 24 spans up to which it is tried.
  mutating func deletePairs() throws(ShrinkStop) {
    let spanLimit = 24
    for depth in 0...max(0, best.deepest) {
      let labels = Set(best.spans.filter { $0.depth == depth }.map(\.label)).sorted()
      for label in labels {
        var last = spanLimit
        while last > 0 {
          let members = best.spans.filter { $0.depth == depth && $0.label == label }
          guard members.count <= spanLimit else { break }
          last = min(last, members.count - 1)
          guard last > 0 else { break }
          let base = best
          var first = last - 1
          while first >= 0, best == base {
            _ = try consider(base.removing([members[first], members[last]]))
            first -= 1
          }
          last -= 1
        }
      }
    }
  }

  /// Replaces a span by one that lies inside it and has its label, such as a tree by a subtree.
  ///
  /// Also with a zero before each of the deepest spans of the label: a tree at the largest depth is not asked
  /// whether it goes on, and is asked once it lies higher.
  ///
  ///     [1/1 [0/1] [1/1 [0/1] [0/1]]]      ->      [1/1 [0/1] [0/1]]      its second subtree
  mutating func replaceSpansByInnerSpans() throws(ShrinkStop) {
    /// Candidates tried at most for one span, the nearest first.
    let innerLimit = 8
    var index = 0
    while index < best.spans.count {
      let base = best
      let outer = base.spans[index]
      let inner = base.spans[(index + 1)...].prefix { $0.start < outer.end }
      let matching = inner.filter { span in
        span.label == outer.label && span.depth > outer.depth && span.end <= outer.end
      }
      var hasChanged = false
      for span in matching.prefix(innerLimit) where !hasChanged {
        let content = Array(base.content(of: span))
        hasChanged = try consider(base.replacing(outer, with: content))
        if !hasChanged {
          let asked = base.contentAskingDeepest(of: span)
          if asked.count > content.count {
            hasChanged = try consider(base.replacing(outer, with: asked))
          }
        }
      }
      if !hasChanged { index += 1 }
    }
  }

  /// Deletes runs of single choices, wherever they lie, from the last to the first.
  mutating func deleteChoices() throws(ShrinkStop) {
    var last = best.values.count - 1
    while last >= 0 {
      let base = best
      let end = last
      let deleted = try largest(upTo: end + 1) { (passes, count) throws(ShrinkStop) in
        var candidate = base.values
        candidate.removeSubrange((end - count + 1)...end)
        return try passes.consider(candidate)
      }
      last = min(last - max(1, deleted), best.values.count - 1)
    }
  }

  /// Lowers a choice and deletes one to three others that follow it in the same span, or all to its end.
  ///
  /// A simpler alternative often draws less than the one it replaces, and a list without spans
  /// loses an element together with a count.
  ///
  ///     2/3 7/9 8/9      ->      1/3 8/9      alternative 1 draws one number, alternative 2 two
  mutating func lowerAndDelete() throws(ShrinkStop) {
    /// Choices after the lowered one among which the deletion starts.
    let reach = 32
    var index = 0
    while index < best.values.count {
      let base = best
      let owners = base.innermostSpans
      let value = base.values[index]
      let lowered = value <= 4 ? Array(0..<value) : [0, value - 1]
      let starts = base.values.indices[(index + 1)...].prefix(reach)
        .filter { owners[$0] == owners[index] }
      var hasChanged = false
      for start in starts {
        for length in 1...3 where start + length <= base.values.count {
          for value in lowered where !hasChanged {
            var candidate = base.replacing(index, with: value)
            candidate.removeSubrange(start..<(start + length))
            hasChanged = try consider(candidate)
          }
        }
      }
      if !hasChanged, value > 0, owners[index] >= 0 {
        let rest = (index + 1)..<base.spans[owners[index]].end
        // A value that may be left out is as long as it is.
        if rest.count > 3 {
          var candidate = base.replacing(index, with: 0)
          candidate.removeSubrange(rest)
          hasChanged = try consider(candidate)
        }
      }
      // What is as long as before is a smaller number, which other passes lower in fewer steps.
      if !hasChanged || best.values.count >= base.values.count { index += 1 }
    }
  }
}
