import DocumentModel

/// A named property of histories: when a known divergence of a subject may show.
package enum HistoryCondition: String, Hashable, Sendable, CaseIterable {
  /// A map is written under the empty key.
  case writesEmptyKey = "writes-empty-key"
  /// An object is put over an element of a text.
  case putsObjectInText = "puts-object-in-text"
  /// A text gets an element that is not one unit wide, by a put or insert of a longer or empty
  /// string.
  case widensText = "widens-text"
  /// A mark is set over no units.
  case marksNothing = "marks-nothing"
  /// A counter is incremented.
  case increments
  /// A number is written, or added, that a float of 64 bits does not hold exactly.
  case writesWideNumber = "writes-wide-number"
  /// A key of a map is written that was written before, by whichever replica.
  case overwritesKey = "overwrites-key"
  /// A change arrives where one is missing that its sender sent before.
  case arrivesEarly = "arrives-early"

  package func holds(for history: History) -> Bool {
    !steps(of: history).isEmpty
  }

  /// The steps that make the condition hold, ascending.
  package func steps(of history: History) -> [Int] {
    if self == .arrivesEarly {
      var arrivals = EarlyArrivals()
      return history.steps.indices.filter { arrivals.isEarly(history.steps[$0]) }
    }
    var kinds: [ObjectKind] = [.map] + history.base.objectKinds
    var written = Set(history.base.edits.compactMap(\.writtenKey))
    var found: [Int] = []
    for edit in history.growth.flatMap(\.edits) {
      if let key = edit.writtenKey { written.insert(key) }
    }
    for (index, step) in history.steps.enumerated() {
      var holds = false
      for edit in step.edits?.edits ?? [] {
        let isText =
          kinds.indices.contains(edit.object.number) && kinds[edit.object.number] == .text
        let isRepeated = edit.writtenKey.map { !written.insert($0).inserted } ?? false
        if self == .overwritesKey ? isRepeated : self.holds(for: edit, isText: isText) {
          holds = true
        }
        if let made = edit.madeKind { kinds.append(made) }
      }
      if holds { found.append(index) }
    }
    return found
  }

  private func holds(for edit: Edit<ObjectName>, isText: Bool) -> Bool {
    switch self {
    case .writesEmptyKey:
      switch edit {
      case .put(_, .key(""), _), .putObject(_, .key(""), _), .delete(_, .key("")),
        .increment(_, .key(""), _):
        true
      default: false
      }
    case .putsObjectInText:
      if case .putObject(_, .index, _) = edit { isText } else { false }
    case .widensText:
      switch edit {
      case .put(_, .index, .string(let text)), .insert(_, _, .string(let text)):
        isText && text.string.unicodeScalars.count != 1
      default: false
      }
    case .marksNothing:
      if case .mark(_, let marking) = edit { marking.length == 0 } else { false }
    case .increments:
      edit.kind == .increment
    case .writesWideNumber:
      switch edit {
      case .put(_, _, let value), .insert(_, _, let value): value.isWide
      case .splice(_, _, _, let values): values.contains(where: \.isWide)
      case .increment(_, _, let amount): Scalar.int(amount).isWide
      default: false
      }
    case .overwritesKey, .arrivesEarly:
      // Of one edit alone it cannot be said.
      false
    }
  }
}

/// A key of one map.
private struct MapKey: Hashable {
  let object: ObjectName
  let key: ExactString
}

extension Edit<ObjectName> {
  /// The key that the edit writes, if it writes one.
  fileprivate var writtenKey: MapKey? {
    switch self {
    case .put(let object, .key(let key), _), .putObject(let object, .key(let key), _):
      MapKey(object: object, key: key)
    default: nil
    }
  }
}

extension Scalar {
  /// Whether it is a whole number beyond 2^53, where floats of 64 bits have gaps.
  fileprivate var isWide: Bool {
    switch self {
    case .int(let value), .counter(let value): value.magnitude > 1 << 53
    case .uint(let value): value > 1 << 53
    default: false
    }
  }
}
