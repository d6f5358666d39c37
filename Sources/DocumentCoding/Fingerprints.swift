import AutomergeDocument
import Foundation
import MergeEngine

/// Numbers that are equal for values which may be the same, so that few are compared in full.
///
/// Values with equal numbers are compared before anything depends on it: the numbers, which differ
/// from run to run, leave no trace in a document.
///
/// Equal numbers of unequal values cost a comparison in vain. Unequal numbers of equal values cost operations,
/// unless the ends or likeness bring the two together.
///
///     one number each      1, 1 as unsigned, 1.0             "a" as a string, "a" as a text
///                          a UUID in either case             dates that are truncated to one
///                          lists of equal elements           every counter, whatever it counts
extension DocumentWriter {
  /// How deep values are looked into.
  ///
  /// Both sides keep to it, so that a document nested by a stranger exhausts no stack.
  static let fingerprintDepth = 16

  /// Of the model's side.
  ///
  /// It must agree with that of the document's side for all that ``DocumentWriter/reads(_:as:)``
  /// takes for equal: numbers by value, dates as they are truncated, texts as strings.
  func fingerprint(_ value: StagedValue, depth: Int = DocumentWriter.fingerprintDepth) -> Int {
    if depth == 0, case .map = value { return 0 }
    if depth == 0, case .list = value { return 0 }
    var hasher = Hasher()
    switch value {
    case .map(let map):
      var sum = 0
      for entry in map.entries {
        let value = map.tree.value(entry)
        if case .absent = value { continue }
        sum &+= Self.combine(map.tree.draft.key(entry), fingerprint(value, depth: depth - 1))
      }
      hasher.combine(Tag.map)
      hasher.combine(sum)
    case .list(let list):
      // A sum, since sets come in any order; what differs in order alone is told apart later.
      hasher.combine(Tag.list)
      var sum = 0
      for element in list { sum &+= fingerprint(element, depth: depth - 1) }
      hasher.combine(sum)
    case .text(let text):
      // A bound text stands where it is bound, whatever was typed in it since a branch began.
      let stored = text.object(in: home).flatMap { try? engine.text($0) }
      Self.combine(stored ?? held.content(of: text, in: home), &hasher)
    case .counter: hasher.combine(Tag.counter)
    default: return fingerprint(value.storedScalar)
    }
    return hasher.finalize()
  }

  /// Of the document's side.
  ///
  /// Cost: all that the value holds, down to the depth.
  ///
  /// The sum of entries makes it the same for every order of keys, without sorting them.
  func fingerprint(
    _ value: MergeEngine.Value,
    depth: Int = DocumentWriter.fingerprintDepth
  ) throws -> Int {
    let (object, kind): (ObjectID, ObjectKind)
    switch value {
    case .scalar(let scalar): return fingerprint(scalar)
    case .object(let found, let foundKind): (object, kind) = (found, foundKind)
    }
    if depth == 0, kind != .text { return 0 }
    var hasher = Hasher()
    switch kind {
    case .map, .table:
      var sum = 0
      for (key, entry) in try engine.mapEntries(object) {
        // Keys that the model knows nowhere stay, and say nothing of the element.
        guard namedKeys?.contains(ExactKey(key)) ?? true else { continue }
        sum &+= Self.combine(key, try fingerprint(entry.value, depth: depth - 1))
      }
      hasher.combine(Tag.map)
      hasher.combine(sum)
    case .list:
      hasher.combine(Tag.list)
      var sum = 0
      for value in try engine.listValues(object) {
        sum &+= try fingerprint(value, depth: depth - 1)
      }
      hasher.combine(sum)
    case .text: Self.combine(try engine.text(object), &hasher)
    }
    return hasher.finalize()
  }

  /// Numbers of different kinds and one value have one fingerprint.
  ///
  /// Not covered: a `Float` that another language stored as a double of more digits, and a URL that
  /// is spelled otherwise than its `absoluteString`. Such elements of an array are found equal at
  /// the ends or by likeness; those of a set are brought into our form before
  /// (``DocumentWriter/asWritten(_:among:)``).
  func fingerprint(_ scalar: Scalar) -> Int {
    var hasher = Hasher()
    switch scalar {
    case .null: hasher.combine(Tag.null)
    case .bool(let value): hasher.combine(value)
    case .int(let value): Self.combine(value, &hasher)
    case .uint(let value):
      if let value = Int64(exactly: value) {
        Self.combine(value, &hasher)
      } else {
        hasher.combine(value)
      }
    case .double(let value):
      if let value = Int64(exactly: value) {
        Self.combine(value, &hasher)
      } else if let value = UInt64(exactly: value) {
        hasher.combine(value)
      } else {
        hasher.combine(value)
      }
    case .string(let value): Self.combine(value, &hasher)
    case .bytes(let value): hasher.combine(value)
    case .counter: hasher.combine(Tag.counter)
    case .timestamp(let value):
      hasher.combine(Tag.timestamp)
      hasher.combine(dateTruncation.truncated(value))
    case .unknown(let code, let value):
      hasher.combine(code)
      hasher.combine(value)
    }
    return hasher.finalize()
  }

  private enum Tag {
    case null
    case integer
    case string
    case timestamp
    case counter
    case map
    case list
  }

  private static func combine(_ key: String, _ value: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(key)
    hasher.combine(value)
    return hasher.finalize()
  }

  private static func combine(_ value: Int64, _ hasher: inout Hasher) {
    hasher.combine(Tag.integer)
    hasher.combine(value)
  }

  private static func combine(_ value: String, _ hasher: inout Hasher) {
    hasher.combine(Tag.string)
    // A UUID is read in either case (``reads(_:as:)``), and other languages write it in lower case.
    let isUUID = value.utf8.count == 36 && UUID(uuidString: value) != nil
    hasher.combine(isUUID ? value.uppercased() : value)
  }
}
