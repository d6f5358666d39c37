/// The way from the root to a container, as a list linked towards the root.
///
/// Appending costs one allocation, whatever the depth, and copies nothing: coders append a step for
/// every value and ask for the whole path only when something fails.
package final class CodingPath: Sendable {
  package static let root = CodingPath(parent: nil, last: nil, depth: 0)

  package let parent: CodingPath?
  /// Nil at the root.
  package let last: PathKey?
  /// Number of steps from the root.
  package let depth: Int

  private init(parent: CodingPath?, last: PathKey?, depth: Int) {
    self.parent = parent
    self.last = last
    self.depth = depth
  }

  /// The path of these steps from the root.
  package static func of(_ keys: some Sequence<PathKey>) -> CodingPath {
    keys.reduce(root) { $0.appending($1) }
  }

  package func appending(_ key: PathKey) -> CodingPath {
    CodingPath(parent: self, last: key, depth: depth + 1)
  }

  /// All steps, outermost first.
  ///
  /// Cost: the depth.
  package var keys: [PathKey] {
    var keys: [PathKey] = []
    var path: CodingPath? = self
    while let step = path {
      if let key = step.last { keys.append(key) }
      path = step.parent
    }
    return keys.reversed()
  }

  /// All steps, in the form in which `Codable` passes them.
  package var codingKeys: [any CodingKey] { keys }
}

extension CodingPath: CustomStringConvertible {
  package var description: String { keys.place }
}

/// How deep containers may nest: a value is refused before its depth exhausts the stack.
package struct NestingLimit: Hashable, Sendable {
  /// Containers on the way from the root at most.
  package let depth: Int

  package init(depth: Int) {
    self.depth = depth
  }

  /// 512, as Foundation's JSON decoder has it.
  package static let standard = NestingLimit(depth: 512)

  /// Why a value nested in `containers` containers is refused: by this limit, or below it by the
  /// stack.
  package func explanation(at containers: Int) -> String {
    containers < depth
      ? "values nest deeper than the \(containers) levels that this thread's stack has room for"
      : "values nest deeper than \(depth)"
  }

  /// Whether a value at this path may still be entered.
  package func admits(_ path: CodingPath) -> Bool { path.depth <= depth }
}
