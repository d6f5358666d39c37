package import PropertyEngine
import Texts

extension Observation {
  /// The first place at which this observation departs from `expected`; `nil` where both agree.
  ///
  /// What only one side can show is passed over. The difference's kind names the part that
  /// differs (`heads`, `key`, `length`, `text`, `kind`, `value`, `winner`, `conflict`, `marks`), so that
  /// shrinking keeps to one failure.
  package func difference(from expected: Observation) -> Difference? {
    // Nearly every comparison is of equals; only the others need a text.
    if root != expected.root, let difference = root.difference(from: expected.root, at: Path()) {
      return difference
    }
    guard let heads, let expectedHeads = expected.heads else { return nil }
    let agree =
      heads.scheme == expectedHeads.scheme
      ? heads.ids == expectedHeads.ids : heads.ids.count == expectedHeads.ids.count
    guard !agree else { return nil }
    return Difference(
      kind: "heads",
      summary: "the heads differ",
      expected: expectedHeads.ids.joined(separator: " "),
      actual: heads.ids.joined(separator: " ")
    )
  }
}

/// The way from the root to the place being compared.
private struct Path {
  var steps: [String] = []

  func appending(_ step: String) -> Path {
    Path(steps: steps + [step])
  }

  var text: String { "/" + steps.joined(separator: "/") }

  func difference(
    _ kind: String,
    _ summary: String,
    expected: some CustomStringConvertible,
    actual: some CustomStringConvertible
  ) -> Difference {
    Difference(
      kind: kind,
      summary: "\(summary) at \(text)",
      expected: expected.description,
      actual: actual.description
    )
  }
}

extension ObservedObject {
  fileprivate func difference(from expected: ObservedObject, at path: Path) -> Difference? {
    if let difference = contentDifference(from: expected, at: path) { return difference }
    guard marks != expected.marks else { return nil }
    return path.difference(
      "marks",
      "the marks differ",
      expected: expected.marks.map(\.description).joined(separator: ", "),
      actual: marks.map(\.description).joined(separator: ", ")
    )
  }

  private func contentDifference(from expected: ObservedObject, at path: Path) -> Difference? {
    switch (content, expected.content) {
    case (.map(let entries), .map(let others)):
      return entriesDifference(entries, others, at: path)
    case (.list(let elements), .list(let others)):
      return elementsDifference(elements, others, at: path)
    case (.text(let text, let length, let elements), .text(let other, let otherLength, let others)):
      if text != other {
        return path.difference(
          "text",
          "the text differs",
          expected: quoted(other.string),
          actual: quoted(text.string)
        )
      }
      if length != otherLength {
        return path.difference(
          "length",
          "the length differs",
          expected: otherLength,
          actual: length
        )
      }
      guard let elements, let others else { return nil }
      return elementsDifference(elements, others, at: path)
    default:
      return path.difference(
        "kind",
        "the kind of object differs",
        expected: expected.kind,
        actual: kind
      )
    }
  }

  private func entriesDifference(
    _ entries: [Entry],
    _ expected: [Entry],
    at path: Path
  ) -> Difference? {
    guard entries.map(\.key) == expected.map(\.key) else {
      return path.difference(
        "key",
        "the keys differ",
        expected: keyList(expected),
        actual: keyList(entries)
      )
    }
    for (entry, other) in zip(entries, expected) {
      let place = path.appending(quoted(entry.key.string))
      if let difference = entry.register.difference(from: other.register, at: place) {
        return difference
      }
    }
    return nil
  }

  /// The keys in words: nothing at all would read as if the message were cut.
  private func keyList(_ entries: [Entry]) -> String {
    guard !entries.isEmpty else { return "no keys" }
    return entries.map { quoted($0.key.string) }.joined(separator: " ")
  }

  private func elementsDifference(
    _ elements: [ObservedRegister],
    _ expected: [ObservedRegister],
    at path: Path
  ) -> Difference? {
    // The content first: "the third element differs" says more than "one is missing".
    for (index, (element, other)) in zip(elements, expected).enumerated() {
      if let difference = element.difference(from: other, at: path.appending("\(index)")) {
        return difference
      }
    }
    guard elements.count != expected.count else { return nil }
    return path.difference(
      "length",
      "the number of elements differs",
      expected: expected.count,
      actual: elements.count
    )
  }
}

extension ObservedRegister {
  fileprivate func difference(from expected: ObservedRegister, at path: Path) -> Difference? {
    guard let winner = values.last, let other = expected.values.last else {
      guard values.isEmpty != expected.values.isEmpty else { return nil }
      return path.difference(
        "value",
        "a register without values",
        expected: expected.values.count,
        actual: values.count
      )
    }
    if let difference = winner.difference(from: other, at: path, of: "winner") { return difference }
    guard isComplete && expected.isComplete else { return nil }
    if values.count != expected.values.count {
      return path.difference(
        "conflict",
        "the conflicting values differ",
        expected: expected.values.map(\.brief).joined(separator: ", "),
        actual: values.map(\.brief).joined(separator: ", ")
      )
    }
    for (value, other) in zip(values, expected.values) {
      if let difference = value.difference(from: other, at: path, of: "conflict") {
        return difference
      }
    }
    return nil
  }
}

extension ObservedValue {
  /// The value in one line: an object by its kind.
  package var brief: String {
    let text =
      switch content {
      case .scalar(let scalar): scalar.description
      case .object(let object): object.kind.description
      case .hidden(let kind): "\(kind) ?"
      }
    return id.map { "\(text) (\($0))" } ?? text
  }

  fileprivate func difference(
    from expected: ObservedValue,
    at path: Path,
    of role: String
  ) -> Difference? {
    if let difference = contentDifference(from: expected, at: path, of: role) { return difference }
    guard let id, let other = expected.id, id != other else { return nil }
    return path.difference(role, "the operation of the value differs", expected: other, actual: id)
  }

  private func contentDifference(
    from expected: ObservedValue,
    at path: Path,
    of role: String
  ) -> Difference? {
    let kind = role == "conflict" ? "conflict" : "value"
    let agree: Bool
    switch (content, expected.content) {
    case (.scalar(let value), .scalar(let other)):
      agree = value == other
    case (.object(let object), .object(let other)):
      return object.difference(from: other, at: path)
    case (.hidden(let kind), .scalar(let other)):
      agree = kind == other.kind
    case (.scalar(let value), .hidden(let kind)):
      agree = value.kind == kind
    case (.hidden(let left), .hidden(let right)):
      agree = left == right
    default:
      agree = false
    }
    guard !agree else { return nil }
    return path.difference(
      kind,
      "the value differs",
      expected: expected.brief,
      actual: brief
    )
  }
}
