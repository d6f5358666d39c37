/// Which replicas reach which: nothing passes a cut, and a clogged path holds what is sent on it.
///
/// One cut at a time, and any number of clogs. A cut loses what is under way across it, and what is
/// sent while it lasts; a clog only holds it back. Both `SimulatedNetwork`, which draws, and
/// `Normaliser`, which makes valid, ask here, so that they agree.
struct Reachability {
  /// Nil while the network is whole.
  private var cut: (side: Set<Int>, bothWays: Bool)?
  private var clogs: [(from: Int, to: Int)] = []

  /// Whether a message that is under way would arrive now.
  func passes(from: Int, to: Int) -> Bool {
    !isCut(from: from, to: to) && !isClogged(from: from, to: to)
  }

  /// With `bothWays` false no replica hears the side, and it hears all: only what leaves it is
  /// lost.
  func isCut(from: Int, to: Int) -> Bool {
    guard let cut else { return false }
    let leaves = cut.side.contains(from) && !cut.side.contains(to)
    let enters = !cut.side.contains(from) && cut.side.contains(to)
    return leaves || (cut.bothWays && enters)
  }

  private func isClogged(from: Int, to: Int) -> Bool {
    clogs.contains { $0.from == from && $0.to == to }
  }

  /// Separates `side` from the rest of the replicas; false, and nothing happens, if one side is
  /// empty or there is a cut already.
  mutating func cut(side: [Int], bothWays: Bool, of replicaCount: Int) -> Bool {
    guard cut == nil, !side.isEmpty, side.count < replicaCount else { return false }
    cut = (Set(side), bothWays)
    return true
  }

  /// Ends the cut; false if there is none.
  mutating func mend() -> Bool {
    defer { cut = nil }
    return cut != nil
  }

  /// Clogs a path; false if it is clogged, or no path.
  mutating func clog(from: Int, to: Int) -> Bool {
    guard from != to, !isClogged(from: from, to: to) else { return false }
    clogs.append((from, to))
    return true
  }

  /// Opens a path; false if it is not clogged.
  mutating func unclog(from: Int, to: Int) -> Bool {
    guard let index = clogs.firstIndex(where: { $0.from == from && $0.to == to }) else {
      return false
    }
    clogs.remove(at: index)
    return true
  }

  /// The path that was clogged first.
  var firstClog: (from: Int, to: Int)? { clogs.first }
}
