/// What to do to one sequence to get another: steps from left to right.
enum DiffStep: Equatable {
  case keep(Int)
  case delete(Int)
  /// Insert the new sequence's items of this range.
  case insert(Range<Int>)
}

/// The differences of two sequences, by the linear-space form of Myers' algorithm.
///
/// Cost: O((n + m) d) for d differences, O(n + m) memory. A stretch with more than twice
/// `searchLimit` differences is cut where the search from its start has come furthest with
/// `searchLimit` of them, which may give a longer script and keeps the cost linear in the texts.
///
/// What holds of every script: it makes the new sequence of the old one and keeps the equal items at
/// both ends. It is a shortest one up to twice `searchLimit` differences. Beyond that, suppose both
/// sequences have a run, and at most `searchLimit` differences in front of it: the script has at least
/// two steps fewer for each item of the run, because it keeps the run, or as many items further on.
///
/// Source: E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986; Automerge
/// semantics, "updateText", whose choice of the middle snake this follows.
///
/// The search goes from both ends at once, on diagonals k = x - y; `forward[origin + k]` is how far
/// along the old sequence the forward search has come on diagonal k, `backward` the same counted
/// from the ends. Where the two meet, the problem is cut in two.
///
///               new  A B C          from the top left, one step right is an insertion,
///      old  X   +---------           one down a deletion, and a diagonal (equal items)
///           A   | \                  costs nothing: the snake
///           B   |   \
struct TextDiff<Item: Equatable> {
  private let old: [Item]
  private let new: [Item]
  private var forward: [Int]
  private var backward: [Int]
  private let origin: Int
  private(set) var steps: [DiffStep] = []

  init(from old: [Item], to new: [Item]) {
    self.old = old
    self.new = new
    // A search goes this far to both sides of diagonal 0, and looks one further.
    origin = (old.count + new.count + 1) / 2 + 2
    forward = Array(repeating: 0, count: 2 * origin + 1)
    backward = forward
    conquer(0..<old.count, 0..<new.count)
  }

  /// Empty steps are left out, and neighbouring keeps joined: both come from every cut.
  private mutating func note(_ step: DiffStep) {
    switch (steps.last, step) {
    case (_, .keep(0)), (_, .delete(0)): return
    case (_, .insert(let range)) where range.isEmpty: return
    case (.keep(let before), .keep(let count)): steps[steps.count - 1] = .keep(before + count)
    default: steps.append(step)
    }
  }

  /// Equal items at both ends go first: most edits are small and in one place, and then nothing is
  /// left to search.
  ///
  /// Recursion ends since each half is smaller (``inside(_:_:_:)``).
  private mutating func conquer(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
    var (oldRange, newRange) = (oldRange, newRange)
    var prefix = 0
    while prefix < oldRange.count, prefix < newRange.count,
      old[oldRange.lowerBound + prefix] == new[newRange.lowerBound + prefix]
    {
      prefix += 1
    }
    note(.keep(prefix))
    oldRange = (oldRange.lowerBound + prefix)..<oldRange.upperBound
    newRange = (newRange.lowerBound + prefix)..<newRange.upperBound
    var suffix = 0
    while suffix < oldRange.count, suffix < newRange.count,
      old[oldRange.upperBound - suffix - 1] == new[newRange.upperBound - suffix - 1]
    {
      suffix += 1
    }
    oldRange = oldRange.lowerBound..<(oldRange.upperBound - suffix)
    newRange = newRange.lowerBound..<(newRange.upperBound - suffix)
    if !newRange.isEmpty, !oldRange.isEmpty, let (x, y) = middleSnake(oldRange, newRange) {
      conquer(
        oldRange.lowerBound..<(oldRange.lowerBound + x),
        newRange.lowerBound..<(newRange.lowerBound + y)
      )
      conquer(
        (oldRange.lowerBound + x)..<oldRange.upperBound,
        (newRange.lowerBound + y)..<newRange.upperBound
      )
    } else {
      note(.delete(oldRange.count))
      note(.insert(newRange))
    }
    note(.keep(suffix))
  }

  /// Where a shortest edit script can be cut in two, relative to the ranges' starts.
  ///
  /// Round `d` looks at the diagonals -d, -d + 2, ..., d, from what round d - 1 has left on their
  /// neighbours: a script of `d` differences ends on one of these. The two searches have met when
  /// what one has behind it and the other before it on a diagonal add up to the whole old range.
  ///
  /// - Returns: `nil` only if no cut makes both halves smaller; the caller then replaces all.
  private mutating func middleSnake(
    _ oldRange: Range<Int>,
    _ newRange: Range<Int>
  ) -> (Int, Int)? {
    let (n, m) = (oldRange.count, newRange.count)
    let delta = n - m
    let isOdd = delta & 1 == 1
    forward[origin + 1] = 0
    backward[origin + 1] = 0
    for d in 0...min((n + m + 1) / 2, Self.searchLimit) {
      for k in stride(from: d, through: -d, by: -2) {
        var x =
          k == -d || (k != d && forward[origin + k - 1] < forward[origin + k + 1])
          ? forward[origin + k + 1] : forward[origin + k - 1] + 1
        var y = x - k
        let start = (x, y)
        while x < n, y < m, y >= 0,
          old[oldRange.lowerBound + x] == new[newRange.lowerBound + y]
        {
          x += 1
          y += 1
        }
        forward[origin + k] = x
        if isOdd, abs(k - delta) <= d - 1, x + backward[origin + delta - k] >= n,
          let cut = inside(start, n, m)
        {
          return cut
        }
      }
      for k in stride(from: d, through: -d, by: -2) {
        var x =
          k == -d || (k != d && backward[origin + k - 1] < backward[origin + k + 1])
          ? backward[origin + k + 1] : backward[origin + k - 1] + 1
        var y = x - k
        while x < n, y < m, y >= 0,
          old[oldRange.upperBound - 1 - x] == new[newRange.upperBound - 1 - y]
        {
          x += 1
          y += 1
        }
        backward[origin + k] = x
        if !isOdd, abs(k - delta) <= d, x + forward[origin + delta - k] >= n,
          let cut = inside((n - x, m - y), n, m)
        {
          return cut
        }
      }
    }
    return furthest(n, m)
  }

  /// Differences up to which a shortest script is sought from either end; beyond it the search is cut.
  ///
  /// Bounds the time for two texts that have nothing in common.
  private static var searchLimit: Int { 1_000 }

  /// The place that the forward search reached with the most items behind it.
  ///
  /// A shortest way there has `searchLimit` differences at most, so that the stretch in front of it is not
  /// cut again in this way.
  private func furthest(_ n: Int, _ m: Int) -> (Int, Int)? {
    let d = min((n + m + 1) / 2, Self.searchLimit)
    var best: (Int, Int)?
    for k in stride(from: d, through: -d, by: -2) {
      let x = min(forward[origin + k], n)
      guard let cut = inside((x, x - k), n, m) else { continue }
      if let (left, right) = best, left + right >= cut.0 + cut.1 { continue }
      best = cut
    }
    return best
  }

  /// The cut, if both halves are smaller than the whole: else the search would not end.
  private func inside(_ cut: (Int, Int), _ n: Int, _ m: Int) -> (Int, Int)? {
    guard (0...n).contains(cut.0), (0...m).contains(cut.1), cut != (0, 0), cut != (n, m) else {
      return nil
    }
    return cut
  }
}
