extension DerivationNode {
  /// What a derivation wrote, as a tree: the document that the value was decoded from.
  ///
  /// A place whose request was refused, and that nothing else was asked for, holds null: a
  /// type that survives a refusal survives that.
  func tree() throws -> Tree {
    if let settled { return settled }
    switch state {
    case .null: return .null
    case .value(let value): return try Self.tree(of: value)
    case .keyed:
      let present = try keys.compactMap { key -> Tree.Entry? in
        let child = child(key)
        let isThere = enumCase.map { $0 == key } ?? (child.isPresent == true)
        return isThere ? Tree.Entry(key, try child.tree()) : nil
      }
      return .map(of: present)
    case .unkeyed: return .list(try elements.map { try $0.tree() })
    // A type that asked for nothing reads anything.
    case .fresh: return refused == nil ? .map([]) : .null
    }
  }

  /// The document of a value that a generator made; null for one that has none.
  static func tree(of value: Any) throws -> Tree {
    guard let value = value as? any Encodable else { return .null }
    return try TreeRecorder.tree(of: value)
  }
}
