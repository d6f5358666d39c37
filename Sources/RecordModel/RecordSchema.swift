/// The fields of one record type and their kinds, to be compared with what a server was given.
///
/// A field that was written in development and never deployed is refused in production: a schema that
/// is checked in and compared by a test says so earlier.
public struct RecordSchema: Hashable, Sendable {
  /// One way in which two schemas differ.
  public enum Change: Hashable, Sendable {
    /// The key is new.
    case added(key: String, RecordFieldKind)
    /// The key is gone; servers keep their field.
    case removed(key: String, RecordFieldKind)
    /// The key has another kind, which servers refuse.
    case changed(key: String, from: RecordFieldKind, to: RecordFieldKind)
  }

  public let recordType: String
  public private(set) var kinds: [String: RecordFieldKind]
  /// Keys whose values the server cannot read.
  public private(set) var encryptedKeys: Set<String>

  public init(
    recordType: String,
    kinds: [String: RecordFieldKind],
    encryptedKeys: Set<String> = []
  ) {
    self.recordType = recordType
    self.kinds = kinds
    self.encryptedKeys = encryptedKeys
  }

  /// The schema as text, one line a field in the order of keys: what CloudKit's schema language has.
  public var text: String {
    let lines = kinds.sorted { $0.key < $1.key }.map { key, kind in
      "    \(key) \(encryptedKeys.contains(key) ? "ENCRYPTED " : "")\(kind)"
    }
    return "RECORD TYPE \(recordType) (\n\(lines.joined(separator: ",\n"))\n);\n"
  }

  /// What is otherwise in this schema than in an earlier one, in the order of keys.
  public func changes(since earlier: RecordSchema) -> [Change] {
    Set(kinds.keys).union(earlier.kinds.keys).sorted().compactMap { key in
      switch (earlier.kinds[key], kinds[key]) {
      case (let old?, let new?) where !old.isCompatible(with: new):
        .changed(key: key, from: old, to: new)
      case (nil, let new?): .added(key: key, new)
      case (let old?, nil): .removed(key: key, old)
      default: nil
      }
    }
  }
}

extension RecordFieldKind {
  /// Whether a server that has one kind takes the other: an empty list of nothing fits any list.
  public func isCompatible(with other: RecordFieldKind) -> Bool {
    isList == other.isList && (kind == other.kind || (isList && (kind == nil || other.kind == nil)))
  }
}
