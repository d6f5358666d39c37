package import CodingSupport

// Reading and changing a tree at a path.
extension Tree {
  /// What stands at a path; `nil` if nothing does.
  package subscript(path: some Collection<PathKey>) -> Tree? {
    var place = self
    for step in path {
      guard let next = place.child(step) else { return nil }
      place = next
    }
    return place
  }

  /// What stands one step below; `nil` if nothing does.
  package func child(_ step: PathKey) -> Tree? {
    switch (self, step) {
    case (.map(let entries), .key(let key)):
      for entry in entries where entry.key.hasSameBytes(as: key) { return entry.value }
      return nil
    case (.list(let elements), .index(let index)):
      return index >= 0 && index < elements.count ? elements[index] : nil
    default: return nil
    }
  }

  /// The steps to all children, in their order.
  package var steps: [PathKey] {
    switch self {
    case .map(let entries): entries.map { .key($0.key) }
    case .list(let elements): elements.indices.map { .index($0) }
    default: []
    }
  }

  /// The paths of all nodes, this one first, each before its children.
  package var paths: [[PathKey]] {
    var paths: [[PathKey]] = []
    addPaths(at: [], to: &paths)
    return paths
  }

  private func addPaths(at path: [PathKey], to paths: inout [[PathKey]]) {
    paths.append(path)
    var below = path
    switch self {
    case .map(let entries):
      for entry in entries {
        below.append(.key(entry.key))
        entry.value.addPaths(at: below, to: &paths)
        below.removeLast()
      }
    case .list(let elements):
      for index in elements.indices {
        below.append(.index(index))
        elements[index].addPaths(at: below, to: &paths)
        below.removeLast()
      }
    default: break
    }
  }

  /// Number of nodes, this one included.
  package var nodeCount: Int {
    var count = 1
    switch self {
    case .map(let entries): for entry in entries { count += entry.value.nodeCount }
    case .list(let elements): for element in elements { count += element.nodeCount }
    default: break
    }
    return count
  }

  /// The tree with `value` at a path, or with nothing there if `value` is `nil`.
  ///
  /// A path that leads nowhere, but for a new key or the end of a list, changes nothing.
  package func replacing(_ path: some Collection<PathKey>, with value: Tree?) -> Tree {
    guard let step = path.first else { return value ?? self }
    let rest = path.dropFirst()
    switch (self, step) {
    case (.map(var entries), .key(let key)):
      let index = entries.firstIndex { $0.key.hasSameBytes(as: key) }
      if rest.isEmpty {
        if let index { entries.remove(at: index) }
        return .map(of: entries + (value.map { [Entry(key, $0)] } ?? []))
      }
      guard let index else { return self }
      entries[index].value = entries[index].value.replacing(rest, with: value)
      return .map(entries)
    case (.list(var elements), .index(let index)):
      guard index >= 0, index < elements.count || (index == elements.count && rest.isEmpty) else {
        return self
      }
      if !rest.isEmpty {
        elements[index] = elements[index].replacing(rest, with: value)
      } else if index == elements.count {
        elements += value.map { [$0] } ?? []
      } else if let value {
        elements[index] = value
      } else {
        elements.remove(at: index)
      }
      return .list(elements)
    default: return self
    }
  }

  /// The tree with each node replaced by what `transform` makes of it, children first.
  package func mapNodes(_ transform: (Tree) throws -> Tree) rethrows -> Tree {
    switch self {
    case .list(let elements):
      try transform(.list(try elements.map { try $0.mapNodes(transform) }))
    case .map(let entries):
      try transform(
        .map(try entries.map { Entry($0.key, try $0.value.mapNodes(transform)) })
      )
    default: try transform(self)
    }
  }

  /// Whether this node or one below it is of the kind.
  package func contains(_ kind: Kind) -> Bool {
    if self.kind == kind { return true }
    return switch self {
    case .map(let entries): entries.contains { $0.value.contains(kind) }
    case .list(let elements): elements.contains { $0.contains(kind) }
    default: false
    }
  }
}

extension Tree.Kind {
  /// The simplest tree of the kind; `nil` for null, and for a map, which holds what its type asks for.
  package var simplest: Tree? {
    switch self {
    case .boolean: .boolean(false)
    case .int: .int(0)
    case .uint: .uint(0)
    case .float: .float(0)
    case .string: .string("")
    case .bytes: .bytes([])
    case .date: .date(0)
    case .timestamp: .timestamp(0)
    case .text: .text("")
    case .counter: .counter(0)
    case .unknown: .unknown(0, [])
    case .list: .list([])
    case .null, .map: nil
    }
  }
}

extension Tree {
  /// What laws change a scalar to, never the value that is there; `nil` for what they leave alone: dates, bytes,
  /// texts, counters and containers.
  package var changedScalar: Tree? {
    switch self {
    case .boolean(let value): .boolean(!value)
    case .int(let value): .int(value == 7 ? 8 : 7)
    case .uint(let value): .uint(value == 7 ? 8 : 7)
    case .float(let value): .float(value == 7 ? 8 : 7)
    case .string(let value): .string(value == "changed" ? "again" : "changed")
    default: nil
    }
  }
}
