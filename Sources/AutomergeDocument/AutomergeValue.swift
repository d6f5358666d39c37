import MergeEngine

/// The content of an object as a tree of values: the winners alone, without ids, history and
/// conflicts.
///
///     {"n": 1, "t": text "hi", "l": [true]}    {["l": [[Boolean(true)]], "n": Int(1), "t": T{hi}]}
public enum AutomergeValue: Hashable, Sendable, CustomStringConvertible {
  case dict([String: AutomergeValue])
  case array([AutomergeValue])
  case text(String)
  case scalar(ScalarValue)

  /// `{["key": ...]}` with ascending keys, `[[...]]`, `T{text}`, or the scalar's description.
  public var description: String {
    switch self {
    case .dict(let values):
      if values.isEmpty { return "{[:]}" }
      let entries = values.sorted { $0.key < $1.key }.map { key, value in
        "\(key.debugDescription): \(value.description)"
      }
      return "{[\(entries.joined(separator: ", "))]}"
    case .array(let values):
      return "[[\(values.map(\.description).joined(separator: ", "))]]"
    case .text(let text): return "T{\(text)}"
    case .scalar(let scalar): return scalar.description
    }
  }
}

/// Looking at whole documents.
extension Document {
  /// Whether the root has no keys.
  public func isEmpty() throws -> Bool { length(obj: .ROOT) == 0 }

  /// Whether two documents show the same; history and conflicts do not count.
  ///
  /// Compares what ``schema()`` gives, by Swift's `==`: texts that are canonically equivalent count as the same.
  public func equivalentContents(_ other: Document) -> Bool {
    guard let mine = try? schema(), let theirs = try? other.schema() else { return false }
    return mine == theirs
  }

  /// Everything the document shows.
  ///
  /// A dictionary takes canonically equivalent keys for one. Of a map's keys that are so, the last by its bytes
  /// gives the value; ``keys(obj:)`` and ``mapEntries(obj:)`` have them all.
  public func schema() throws -> AutomergeValue {
    try parseToSchema(self, from: .ROOT)
  }

  /// Everything that an object of `doc` shows.
  public func parseToSchema(_ doc: Document, from: ObjId) throws -> AutomergeValue {
    do {
      return try doc.reading { engine in
        try Self.tree(engine, from.engineID, engine.kind(of: from.engineID), depth: 0)
      }
    } catch let error as EditError {
      throw DocError(error)
    }
  }

  /// Prints everything the document shows, indented, to the standard output.
  public func walk() throws {
    var output = StandardOutput()
    try walk(to: &output)
  }

  /// Writes everything the document shows, a line for each value, two spaces deeper for each object
  /// around it.
  ///
  /// - Throws: ``DocError`` for a document deeper than 1,000 objects.
  public func walk(to output: inout some TextOutputStream) throws {
    for line in Self.lines(try schema(), indent: 0) { output.write(line + "\n") }
  }

  private struct StandardOutput: TextOutputStream {
    mutating func write(_ text: String) { print(text, terminator: "") }
  }

  /// How deep trees are followed.
  static let depthLimit = 1_000

  private static func tree(
    _ engine: MergeDocument,
    _ object: MergeEngine.ObjectID,
    _ kind: MergeEngine.ObjectKind,
    depth: Int
  ) throws -> AutomergeValue {
    guard depth < depthLimit else { throw DocError(kind: .limitExceeded(DocError.depthLimit)) }
    func node(_ value: MergeEngine.Value) throws -> AutomergeValue {
      switch value {
      case .scalar(let scalar): .scalar(ScalarValue(scalar))
      case .object(let id, let kind): try tree(engine, id, kind, depth: depth + 1)
      }
    }
    switch kind {
    case .map, .table:
      var values: [String: AutomergeValue] = [:]
      for (key, entry) in try engine.mapEntries(object) { values[key] = try node(entry.value) }
      return .dict(values)
    case .list: return .array(try engine.values(object).map { try node($0.value) })
    case .text: return .text(try engine.text(object))
    }
  }

  /// One line for each value, two spaces deeper for each object around it.
  static func lines(_ value: AutomergeValue, indent: Int, label: String = "") -> [String] {
    let margin = String(repeating: "  ", count: indent) + label
    switch value {
    case .dict(let values):
      return [margin + "{"]
        + values.sorted { $0.key < $1.key }.flatMap { key, value in
          lines(value, indent: indent + 1, label: "\(key): ")
        } + [String(repeating: "  ", count: indent) + "}"]
    case .array(let values):
      return [margin + "["]
        + values.enumerated().flatMap { index, value in
          lines(value, indent: indent + 1, label: "[\(index)]: ")
        } + [String(repeating: "  ", count: indent) + "]"]
    case .text, .scalar: return [margin + value.description]
    }
  }
}
