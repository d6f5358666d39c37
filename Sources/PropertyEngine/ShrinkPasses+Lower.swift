extension ShrinkPasses {
  /// Values up to this are tried one by one: the number of an alternative is no quantity.
  private static var smallValueLimit: UInt32 { 8 }
  /// Up to this a choice before a quantity counts as the quantity's kind.
  static var fewKinds: UInt32 { 5 }

  /// Sets all choices of a span to zero, outer spans first.
  mutating func zeroSpans() throws(ShrinkStop) {
    var index = 0
    while index < best.spans.count {
      let span = best.spans[index]
      var candidate = best.values
      for choice in span.start..<span.end { candidate[choice] = 0 }
      _ = try consider(candidate)
      index += 1
    }
  }

  /// Lowers each choice by itself.
  mutating func lowerEach() throws(ShrinkStop) {
    var index = 0
    while index < best.values.count {
      if best.values[index] > 0 { try lower([index]) }
      index += 1
    }
  }

  /// Lowers all choices of equal value and limit together.
  ///
  /// Flags are left to ``lowerEach()`` and to deletion.
  mutating func lowerEqualTogether() throws(ShrinkStop) {
    var index = 0
    while index < best.values.count {
      let choice = best.recorded[index]
      let equal = best.recorded.indices[index...].filter { best.recorded[$0] == choice }
      let isFirst = !best.recorded[..<index].contains(choice)
      if choice.value > 0, choice.limit > 1, isFirst, equal.count > 1 { try lower(equal) }
      index += 1
    }
  }

  /// Lowers choices that have one value, all to the same smaller value.
  ///
  /// Subtracting powers of two, the largest first, is a binary search where failing is a matter of
  /// size, and finds the smallest even number where it is not.
  ///
  ///     37, fails from 10 on      0 no, 5 no, 21 yes, 13 yes, 9 no, 11 yes, 10 yes
  private mutating func lower(_ indices: [Int]) throws(ShrinkStop) {
    guard let first = indices.first else { return }
    let start = best.values[first]
    if start <= Self.smallValueLimit {
      for value in 0..<start where try set(indices, to: value) { return }
      return
    }
    if try set(indices, to: 0) { return }
    var step = UInt32(1) << 31
    while step > 0, first < best.values.count {
      let value = best.values[first]
      if value < step { step >>= 1 } else if try !set(indices, to: value - step) { step >>= 1 }
    }
  }

  private mutating func set(_ indices: [Int], to value: UInt32) throws(ShrinkStop) -> Bool {
    var candidate = best.values
    for index in indices where index < candidate.count { candidate[index] = value }
    return try consider(candidate)
  }

  /// Lowers each quantity by multiples of a few numbers that are no power of two.
  ///
  /// What is wrong on each seventh day only goes down by weeks.
  ///
  ///     4294967295, fails from 1000 on with remainder 3 by 7      ->      1004
  mutating func lowerBySteps() throws(ShrinkStop) {
    let quantityLimit: UInt32 = 16
    var index = 0
    while index < best.values.count {
      for step in [3, 5, 6, 7, 10] as [UInt32] {
        guard index < best.values.count, best.values[index] > quantityLimit else { break }
        let value = best.values[index]
        _ = try largest(upTo: Int(value / step)) { (passes, count) throws(ShrinkStop) in
          try passes.set([index], to: value - step * UInt32(count))
        }
      }
      index += 1
    }
  }

  /// Sets each choice to small values one by one.
  ///
  /// This finds a simpler alternative among many, where no arithmetic leads to it.
  mutating func lowerToSmall() throws(ShrinkStop) {
    var index = 0
    while index < best.values.count {
      let small = 0..<min(best.values[index], Self.smallValueLimit)
      for value in small where try set([index], to: value) { break }
      index += 1
    }
  }

  /// Lowers two choices by the same amount, which keeps their difference.
  ///
  ///     7/9 ... 5/9      ->      2/9 ... 0/9      fails where the first is 2 above the second
  mutating func lowerPairsTogether() throws(ShrinkStop) {
    /// Numbers after the first one that are tried as the second.
    let reach = 16
    try forEachPair(reach: reach, leastLimit: 2) { (passes, left, right) throws(ShrinkStop) in
      let base = passes.best
      let most = min(base.values[left], base.values[right])
      func lowered(by amount: UInt32) -> [UInt32] {
        var candidate = base.values
        candidate[left] -= amount
        candidate[right] -= amount
        return candidate
      }
      guard most > 0, try !passes.consider(lowered(by: most)) else { return }
      _ = try passes.largest(upTo: Int(most)) { (passes, amount) throws(ShrinkStop) in
        try passes.consider(lowered(by: UInt32(amount)))
      }
    }
  }

  /// Lowers a choice and raises the next to its limit or near it, as a subtraction borrows.
  ///
  /// A number in several choices, the most significant first, is stuck without it where only a power of
  /// the next one's limit is left: 2^32 never becomes 1001. So is a kind that is followed by a quantity, such as a
  /// width by a number:
  ///
  ///     [edge, 0]   9223372036854775807   ->   [16 bits, 65534]   32767   ->   [16 bits, 2002]   1001
  ///
  /// Of the few kinds each lower one is tried, and a quantity in two choices. The number below a limit is tried as
  /// well, as the lowest bit may be a sign: 65535 stands for -32768.
  mutating func borrow() throws(ShrinkStop) {
    let single: [[UInt32]] = [[.max], [.max - 1], [65_534], [254]]
    let double: [[UInt32]] = [[.max, .max], [.max, .max - 1]]
    var index = 0
    while index + 1 < best.values.count {
      let (value, next) = (best.values[index], best.recorded[index + 1])
      // What a kind is followed by may have no room where a lower kind has a quantity.
      if value > 0, next.limit == 0 || next.value < next.limit {
        let isKind = value <= Self.fewKinds
        // Two choices are all of 64 bits, or padded to as many.
        let second = best.recorded.dropFirst(index + 2).first?.limit
        let quantities = isKind && (second == 0 || second == .max) ? single + double : single
        // What follows may be one of few as well, such as the letter behind its class.
        let isOneOfFew = isKind && best.recorded[index].limit > 1 && next.limit < 32
        let few: [[UInt32]] = isOneOfFew ? [[1], [2], [3]] : []
        try borrow(index, kinds: isKind ? 0..<value : value - 1..<value, few + quantities)
      }
      index += 1
    }
  }

  private mutating func borrow(
    _ index: Int,
    kinds: Range<UInt32>,
    _ quantities: [[UInt32]]
  ) throws(ShrinkStop) {
    for kind in kinds {
      for quantity in quantities {
        var candidate = best.replacing(index, with: kind)
        // A limit may depend on the choice before: what is above it becomes the limit.
        candidate.replaceSubrange(index + 1...index + quantity.count, with: quantity)
        if try consider(candidate) { return }
      }
    }
  }

  /// Moves as much as possible from a choice to one that follows it.
  ///
  /// Their sum stays, the earlier and more significant one goes down. Among choices of one limit
  /// this exchanges names, too: replica 1 then 0 becomes 0 then 1.
  ///
  ///     3/9 ... 1/9      ->      0/9 ... 4/9      fails where the sum is 4
  mutating func redistribute() throws(ShrinkStop) {
    /// Choices after the first one that are tried as the second.
    let reach = 6
    try forEachPair(reach: reach, leastLimit: 1) { (passes, left, right) throws(ShrinkStop) in
      let base = passes.best
      let limits = (base.recorded[left].limit, base.recorded[right].limit)
      guard limits.0 == limits.1 || min(limits.0, limits.1) > 1 else { return }
      let room = base.recorded[right].limit - base.values[right]
      let most = min(base.values[left], room)
      func moved(_ amount: UInt32) -> [UInt32] {
        var candidate = base.values
        candidate[left] -= amount
        candidate[right] += amount
        return candidate
      }
      guard most > 0, try !passes.consider(moved(most)) else { return }
      _ = try passes.largest(upTo: Int(most)) { (passes, amount) throws(ShrinkStop) in
        try passes.consider(moved(UInt32(amount)))
      }
    }
  }

  /// Calls `body` with pairs of choices; the second is at most the `reach`-th after the first,
  /// counting only those with this limit or more.
  private mutating func forEachPair(
    reach: Int,
    leastLimit: UInt32,
    _ body: (inout ShrinkPasses, Int, Int) throws(ShrinkStop) -> Void
  ) throws(ShrinkStop) {
    var first = 0
    while true {
      for second in first + 1...first + reach {
        // A success may have made the sequence shorter.
        let current = best.recorded.indices.filter { best.recorded[$0].limit >= leastLimit }
        guard first < current.count else { return }
        guard second < current.count, best.values[current[first]] > 0 else { break }
        try body(&self, current[first], current[second])
      }
      first += 1
    }
  }

  /// Sorts siblings into ascending order: all of a group at once, then neighbours.
  mutating func sortSiblings() throws(ShrinkStop) {
    var depth = 0
    while depth <= best.deepest {
      var group = best.siblings(atDepth: depth).count - 1
      while group >= 0 {
        try sortGroup(group, atDepth: depth)
        group -= 1
      }
      depth += 1
    }
  }

  private mutating func sortGroup(_ group: Int, atDepth depth: Int) throws(ShrinkStop) {
    guard var members = siblings(group, atDepth: depth) else { return }
    let contents = members.map { Array(best.content(of: $0)) }
    let sorted = contents.enumerated().sorted { left, right in
      left.element == right.element
        ? left.offset < right.offset : shortlexPrecedes(left.element, right.element)
    }
    _ = try considerOrder(members, sorted.map(\.element))
    var index = 1
    while true {
      // A success may have changed the number of members and their places.
      members = siblings(group, atDepth: depth) ?? []
      guard index < members.count else { return }
      let left = Array(best.content(of: members[index - 1]))
      let right = Array(best.content(of: members[index]))
      let isSwapped =
        if shortlexPrecedes(right, left) {
          try considerOrder(Array(members[(index - 1)...index]), [right, left])
        } else {
          false
        }
      // Each swap makes the whole smaller, so going back ends.
      index = isSwapped ? max(1, index - 1) : index + 1
    }
  }

  private func siblings(_ group: Int, atDepth depth: Int) -> [ChoiceSpan]? {
    let groups = best.siblings(atDepth: depth)
    return group < groups.count ? groups[group].members : nil
  }

  /// Considers the sequence in which the places of `members` hold `contents` instead.
  private mutating func considerOrder(
    _ members: [ChoiceSpan],
    _ contents: [[UInt32]]
  ) throws(ShrinkStop) -> Bool {
    var candidate: [UInt32] = []
    var next = 0
    for (member, content) in zip(members, contents) where member.start >= next {
      candidate += best.values[next..<member.start] + content
      next = member.end
    }
    candidate += best.values[next...]
    guard shortlexPrecedes(candidate, best.values) else { return false }
    return try consider(candidate)
  }
}
