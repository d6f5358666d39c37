/// The way from the root of a document to an object.
///
/// The paths of one comparison share their steps, and each step knows the one before it: a document of maps in
/// maps, d deep, takes d steps and not their square.
///
///     place   step                   parent          the path that ends at
///     0       "a" of the root        -               0    "a"
///     1       2 of the list there    0               1    "a", 2
///     2       "b" of the root        -               2    "b"
///
/// A path keeps the steps of all of them. They stand in one array, so that freeing them needs no deep stack.
package struct PatchPath: Sendable {
  /// One object on the way, and where in it the way goes on.
  package struct Step: Hashable, Sendable {
    package let object: ObjectID
    package let kind: ObjectKind
    package let prop: Prop
  }

  /// The steps of a comparison, in the order in which its walk met them.
  struct Table: Sendable {
    fileprivate var steps: [(step: Step, parent: Int)] = []

    /// Goes on from where a path ends, -1 for the root; returns where the longer one ends.
    mutating func append(_ step: Step, behind parent: Int) -> Int {
      steps.append((step, parent))
      return steps.count - 1
    }
  }

  private let table: Table
  /// The place of the last step; -1 for the root's path, which has none.
  private let end: Int

  init(in table: Table, to end: Int) {
    self.table = table
    self.end = end
  }

  /// The steps, the root's first.
  ///
  /// Cost: their number.
  package var steps: [Step] {
    var found: [Step] = []
    var place = end
    while place >= 0 {
      found.append(table.steps[place].step)
      place = table.steps[place].parent
    }
    found.reverse()
    return found
  }
}

extension PatchPath: Hashable {
  /// Whether both have the same steps, of whatever comparisons they are.
  package static func == (left: PatchPath, right: PatchPath) -> Bool { left.steps == right.steps }

  package func hash(into hasher: inout Hasher) {
    // The object at its end and the property in it tell most paths apart.
    if end >= 0 { hasher.combine(table.steps[end].step) }
  }
}
