package import CodingSupport

/// Where a type asks for something, from the place of the type itself: `items[].name`.
///
/// It is no path: what a type asks of one element of a list, it asks of all.
package struct SchemaSlot: Hashable, Sendable {
  /// One step, from a container to what it holds.
  package enum Step: Hashable, Sendable {
    case key(String)
    /// Any key of a map whose keys are not listed.
    case anyKey
    /// Any element of a list.
    case element
    /// The key of a dictionary's entry, which is no field of anything.
    case entryKey
  }

  package let steps: [Step]

  package init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// The slot of a path, and of all others that differ from it in elements of lists alone.
  package init(of path: some Sequence<PathKey>) {
    self.init(
      path.map { step in
        switch step {
        case .key(let key): .key(key)
        case .index: .element
        }
      }
    )
  }

  /// Whether it is the place of the type itself.
  package var isEmpty: Bool { steps.isEmpty }

  /// All keys on the way, the outermost first.
  package var keys: [String] {
    steps.compactMap { if case .key(let key) = $0 { key } else { nil } }
  }

  func appending(_ step: Step) -> SchemaSlot {
    var steps = steps
    steps.append(step)
    return SchemaSlot(steps)
  }

  func appending(_ below: SchemaSlot) -> SchemaSlot { SchemaSlot(steps + below.steps) }
}

extension SchemaSlot: CustomStringConvertible {
  /// As it stands behind the name of its type: `.items[].name`; empty for the type itself.
  package var description: String {
    steps.map { step in
      switch step {
      case .key(let key): ".\(key)"
      case .anyKey: ".*"
      case .element: "[]"
      case .entryKey: "#"
      }
    }.joined()
  }

  /// As it stands by itself: `items[].name`.
  package var name: String {
    let text = description
    return text.hasPrefix(".") ? String(text.dropFirst()) : text
  }
}

/// Snapshots of schemas store a slot by its description.
extension SchemaSlot: Codable {
  /// Reads a description; a key with a dot or `[]` in it is read as several steps, which have the same description.
  package init(from decoder: any Decoder) throws {
    var rest = try decoder.singleValueContainer().decode(String.self)[...]
    var steps: [Step] = []
    while !rest.isEmpty {
      if rest.hasPrefix("[]") {
        steps.append(.element)
        rest.removeFirst(2)
      } else {
        // Behind its dot, up to the next step.
        let text = rest.dropFirst()
        let end = text.indices.first { text[$0] == "." || text[$0...].hasPrefix("[]") }
        let key = text[..<(end ?? text.endIndex)]
        steps.append(key == "*" ? .anyKey : .key(String(key)))
        rest = text[key.endIndex...]
      }
    }
    self.init(steps)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
