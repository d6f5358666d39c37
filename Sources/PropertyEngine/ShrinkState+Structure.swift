extension ShrinkState {
  /// The largest depth of any span; -1 if there are none.
  var deepest: Int { spans.map(\.depth).max() ?? -1 }

  /// Spans that share parent, depth and label, in the order of their choices.
  struct Siblings {
    /// The span around them; `nil` at the top.
    let parent: ChoiceSpan?
    var members: [ChoiceSpan]
  }

  /// The groups of siblings at one depth, ordered by their parents, then by their first members.
  ///
  ///     spans        step(key) step step(value key key)      the brackets hold inner spans
  ///     depth 0      [step step step]
  ///     depth 1      [key] [value] [key key]                 keys of two steps are no siblings
  ///
  /// Groups that end before some choice do not depend on what comes after it. So while a pass
  /// goes from the last group to the first, a change leaves the groups ahead as they were.
  func siblings(atDepth depth: Int) -> [Siblings] {
    var groups: [Siblings] = []
    /// Index of the first group of the current parent.
    var firstGroup = 0
    var parent: ChoiceSpan?
    for span in spans {
      if span.depth == depth - 1 {
        parent = span
        firstGroup = groups.count
      }
      guard span.depth == depth else { continue }
      let group = groups[firstGroup...].firstIndex { $0.members.first?.label == span.label }
      if let group {
        groups[group].members.append(span)
      } else {
        groups.append(Siblings(parent: parent, members: [span]))
      }
    }
    return groups
  }

  /// For each choice the index of the innermost span around it; -1 if there is none.
  var innermostSpans: [Int] {
    var owners = [Int](repeating: -1, count: values.count)
    for (index, span) in spans.enumerated() {
      for choice in span.start..<span.end { owners[choice] = index }
    }
    return owners
  }

  /// The values without those of `removed`, which are in ascending order.
  func removing(_ removed: some Sequence<ChoiceSpan>) -> [UInt32] {
    var rest: [UInt32] = []
    rest.reserveCapacity(values.count)
    var next = 0
    for span in removed where span.end > next {
      rest += values[next..<max(next, span.start)]
      next = span.end
    }
    return rest + values[next...]
  }

  /// The values with one of them replaced.
  func replacing(_ index: Int, with value: UInt32) -> [UInt32] {
    var changed = values
    changed[index] = value
    return changed
  }

  /// The values with those of one span replaced.
  func replacing(_ span: ChoiceSpan, with content: [UInt32]) -> [UInt32] {
    var changed = values
    changed.replaceSubrange(span.start..<span.end, with: content)
    return changed
  }

  /// The values of one span.
  func content(of span: ChoiceSpan) -> ArraySlice<UInt32> {
    values[span.start..<span.end]
  }

  /// Whether siblings begin with a yes, each, and no answer no stands behind the last: no further one was asked for.
  func isFull(_ members: [ChoiceSpan]) -> Bool {
    guard let last = members.last else { return false }
    let no = Choice(value: 0, limit: 1)
    return recorded[last.start] == Choice(value: 1, limit: 1)
      && last.end < recorded.count && recorded[last.end] != no
  }

  /// Whether a yes stands in front of each of some siblings, and nothing else between them.
  func isLed(_ members: [ChoiceSpan]) -> Bool {
    let yes = Choice(value: 1, limit: 1)
    guard members.allSatisfy({ $0.start > 0 && recorded[$0.start - 1] == yes }) else {
      return false
    }
    return zip(members, members.dropFirst()).allSatisfy { $0.end + 1 == $1.start }
  }

  /// The values of one span, with a zero before each span in it that is among the deepest of its label.
  ///
  ///     [1/1 [1/1 [] []] [0/1]]      ->      1 1 0 0 0      its trees at the largest depth drew nothing
  func contentAskingDeepest(of span: ChoiceSpan) -> [UInt32] {
    let alike = (spans + emptySpans).filter { $0.label == span.label }
    let deepest = alike.map(\.depth).max() ?? span.depth
    let starts = alike.filter { inner in
      inner.depth == deepest && inner.depth >= span.depth && inner.start >= span.start
        && inner.end <= span.end
    }.map(\.start).sorted()
    var content: [UInt32] = []
    var next = span.start
    for start in starts {
      content += values[next..<start] + [0]
      next = start
    }
    return content + values[next..<span.end]
  }
}
