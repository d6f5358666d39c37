import CodingSupport
package import PropertyEngine

extension Tree {
  /// Where this tree first departs from the expected one; `nil` if it does not.
  ///
  /// Kinds: `tree.kind`, `tree.value`, `tree.length`, `tree.missing`, `tree.surplus`.
  package func difference(from expected: Tree) -> Difference? {
    // Most trees are equal, and no path is made for those.
    self == expected ? nil : difference(from: expected, at: [])
  }

  private func difference(from expected: Tree, at path: [PathKey]) -> Difference? {
    guard kind == expected.kind else {
      return differs("kind", "the kind differs", from: expected, at: path)
    }
    switch (self, expected) {
    case (.list(let elements), .list(let wanted)):
      for (index, pair) in zip(elements, wanted).enumerated() {
        let found = pair.0.difference(from: pair.1, at: path + [.index(index)])
        if let found { return found }
      }
      guard elements.count != wanted.count else { return nil }
      return differs("length", "the list has another length", from: expected, at: path)
    case (.map(let entries), .map):
      for step in expected.steps {
        guard let wanted = expected.child(step) else { continue }
        guard let value = child(step) else {
          return Difference(
            kind: "tree.missing",
            summary: "nothing stands at \((path + [step]).place)",
            expected: wanted.description,
            actual: "nothing"
          )
        }
        if let found = value.difference(from: wanted, at: path + [step]) { return found }
      }
      let surplus = entries.first { expected.child(.key($0.key)) == nil }
      return surplus.map { entry in
        Difference(
          kind: "tree.surplus",
          summary: "something stands at \((path + [.key(entry.key)]).place)",
          expected: "nothing",
          actual: entry.value.description
        )
      }
    default:
      guard self != expected else { return nil }
      return differs("value", "the value differs", from: expected, at: path)
    }
  }

  private func differs(
    _ kind: String,
    _ words: String,
    from expected: Tree,
    at path: [PathKey]
  ) -> Difference {
    Difference(
      kind: "tree.\(kind)",
      summary: "\(words) at \(path.place)",
      expected: expected.description,
      actual: description
    )
  }
}
