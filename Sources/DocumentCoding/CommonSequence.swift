/// A long common subsequence of two sequences of numbers.
///
/// Short ones are compared in full. Long ones are cut where a number stands once on either side;
/// what is left between the cuts is compared in full if it is short, else only at its ends. The
/// cost is bounded by `count * log(count)` and `fullLimit` for each part.
///
///     old    A B C D E        A starts and D E end both; of B C and C X the table finds C
///     new    A C X D E        pairs (0,0) (2,1) (3,3) (4,4)
enum CommonSequence {
  /// Comparisons of all pairs, at most, for one part.
  static let fullLimit = 65_536
  /// Each level cuts at numbers that stand once; what is still long below this depth is compared at
  /// its ends alone.
  private static let depthLimit = 32

  /// Places of equal numbers, ascending on both sides.
  static func pairs(_ old: [Int], _ new: [Int]) -> [(old: Int, new: Int)] {
    var result: [(old: Int, new: Int)] = []
    collect(old: old, in: old.indices, new: new, in: new.indices, into: &result, depth: 0)
    return result
  }

  /// What it appends ascends on both sides, and lies within the two ranges.
  private static func collect(
    old: [Int],
    in oldRange: Range<Int>,
    new: [Int],
    in newRange: Range<Int>,
    into result: inout [(old: Int, new: Int)],
    depth: Int
  ) {
    var (from, to) = (oldRange.lowerBound, newRange.lowerBound)
    while from < oldRange.upperBound, to < newRange.upperBound, old[from] == new[to] {
      result.append((from, to))
      from += 1
      to += 1
    }
    var (oldEnd, newEnd) = (oldRange.upperBound, newRange.upperBound)
    while oldEnd > from, newEnd > to, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    if from < oldEnd, to < newEnd {
      if (oldEnd - from) * (newEnd - to) <= fullLimit {
        let table = WeightedAlignment(old: oldEnd - from, new: newEnd - to) {
          old[from + $0] == new[to + $1] ? 1 : 0
        }
        result += table.pairs().map { (from + $0.old, to + $0.new) }
      } else if depth < depthLimit {
        var (oldStart, newStart) = (from, to)
        for anchor in anchors(old: old, in: from..<oldEnd, new: new, in: to..<newEnd) {
          collect(
            old: old,
            in: oldStart..<anchor.old,
            new: new,
            in: newStart..<anchor.new,
            into: &result,
            depth: depth + 1
          )
          result.append(anchor)
          (oldStart, newStart) = (anchor.old + 1, anchor.new + 1)
        }
        if (oldStart, newStart) != (from, to) {
          collect(
            old: old,
            in: oldStart..<oldEnd,
            new: new,
            in: newStart..<newEnd,
            into: &result,
            depth: depth + 1
          )
        }
      }
    }
    for offset in 0..<(oldRange.upperBound - oldEnd) {
      result.append((oldEnd + offset, newEnd + offset))
    }
  }

  /// The longest ascending run of numbers that stand once on either side.
  ///
  /// Patience: the longest run of candidates whose old places ascend; `tails[n]` ends the best run
  /// of `n + 1`. Cost: n log n.
  ///
  /// A worked example, with places of numbers that stand once on either side:
  ///
  ///      old  A B C D      new  C A B D        candidates in the order of new, by their old places: 2 0 1 3
  ///      tails             [2]  [0]  [0 1]  [0 1 3]       run: A B D; C has moved
  private static func anchors(
    old: [Int],
    in oldRange: Range<Int>,
    new: [Int],
    in newRange: Range<Int>
  ) -> [(old: Int, new: Int)] {
    // Places of numbers that stand once; -1 for those that stand more often.
    func single(_ numbers: [Int], _ range: Range<Int>) -> [Int: Int] {
      var places: [Int: Int] = [:]
      for place in range {
        places[numbers[place]] = places[numbers[place]] == nil ? place : -1
      }
      return places
    }
    let oldPlaces = single(old, oldRange)
    let newPlaces = single(new, newRange)
    var candidates: [(old: Int, new: Int)] = []
    for place in newRange {
      guard newPlaces[new[place]] == place, let from = oldPlaces[new[place]], from >= 0 else {
        continue
      }
      candidates.append((from, place))
    }
    // The last candidate of the best run of each length.
    var tails: [Int] = []
    var before = [Int](repeating: -1, count: candidates.count)
    for (index, candidate) in candidates.enumerated() {
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if candidates[tails[middle]].old < candidate.old { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var run: [(old: Int, new: Int)] = []
    var index = tails.last ?? -1
    while index >= 0 {
      run.append(candidates[index])
      index = before[index]
    }
    return run.reversed()
  }
}

/// Which pairs, in order on both sides, are the most alike in sum.
///
/// As ``CommonSequence``, with weights in place of equality: the best sum and not the longest run.
///
/// Memory and time: the product of both lengths; the caller's limit keeps it small. `best[from,
/// to]` is the best sum for what is left of both from there on, so that the walk forward loses
/// nothing.
///
///     likeness   new 0   new 1        the pairs (0, 1) and (1, 0) cross: only one of them
///     old 0      0       50           best 101, the pair (1, 0)
///     old 1      101     30
struct WeightedAlignment {
  private let old: Int
  private let new: Int
  private var likeness: [Int]
  private var best: [Int]

  /// `like` says how much a pair is alike, with 0 for a pair that cannot be.
  init(old: Int, new: Int, _ like: (Int, Int) throws -> Int) rethrows {
    self.old = old
    self.new = new
    likeness = [Int](repeating: 0, count: old * new)
    best = [Int](repeating: 0, count: (old + 1) * (new + 1))
    for from in stride(from: old - 1, through: 0, by: -1) {
      for to in stride(from: new - 1, through: 0, by: -1) {
        let alike = try like(from, to)
        likeness[from * new + to] = alike
        let place = from * (new + 1) + to
        let apart = max(best[place + new + 1], best[place + 1])
        best[place] = alike > 0 ? max(apart, alike + best[place + new + 2]) : apart
      }
    }
  }

  /// Both ascend; a pair of likeness 0 is never among them.
  func pairs() -> [(old: Int, new: Int)] {
    var result: [(old: Int, new: Int)] = []
    var (from, to) = (0, 0)
    while from < old, to < new {
      let place = from * (new + 1) + to
      let alike = likeness[from * new + to]
      if alike > 0, best[place] == alike + best[place + new + 2] {
        result.append((from, to))
        from += 1
        to += 1
      } else if best[place] == best[place + new + 1] {
        from += 1
      } else {
        to += 1
      }
    }
    return result
  }
}
