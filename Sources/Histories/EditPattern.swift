import DocumentModel
import Texts

/// Which edits a condition is about: those that have all that its members demand.
///
///     {"kind": ["put", "insert"], "in": "text", "value": "string", "units": {"not": 1}}
package struct EditPattern: Hashable, Sendable {
  package enum Member: String, ConditionMember {
    case kind
    case object = "in"
    case key
    case value
    case units
    case magnitude
    case length
    case deletes

    package var sentence: String {
      switch self {
      case .kind: "The kind of edit."
      case .object: "The kind of the object that is edited."
      case .key: "The key of a map that is written, deleted or incremented."
      case .value: "The kind of a value that is written, or of the object that is made."
      case .units: "Unicode scalars of a string that is written as a value."
      case .magnitude:
        "The distance from 0 of an int, uint or counter that is written, or of what is added."
      case .length: "Units that a mark covers."
      case .deletes:
        "Elements or units that a splice deletes, before or behind its index; a plain deletion"
          + " deletes 1, and all others none."
      }
    }

    package var form: String {
      switch self {
      case .kind: "one or several of " + Self.spelled(EditKind.allCases.map(\.rawValue))
      case .object: "one or several of " + Self.spelled(ObjectKind.allCases.map(\.rawValue))
      case .key: "a string"
      case .value: "one or several of " + Self.spelled(EditPattern.valueKinds)
      case .units, .magnitude, .length, .deletes:
        "a whole number, or an object with one or several of "
          + Self.spelled(Comparison.Member.allCases.map(\.rawValue))
      }
    }
  }

  /// Demands on a number that is not negative.
  package struct Comparison: Hashable, Sendable {
    package enum Member: String, ConditionMember {
      case not
      case above
      case below

      package var form: String { "a whole number" }
      package var sentence: String { "The number is \(rawValue) this one." }
    }

    private var equal: UInt64?
    private var bounds: [Member: UInt64] = [:]

    init(_ json: ConditionJSON) throws(HistoryPredicateError) {
      guard case .object = json.value else {
        equal = try json.number()
        return
      }
      for (member, json) in try json.members(as: Member.self) {
        bounds[member] = try json.number()
      }
    }

    func admits(_ number: UInt64) -> Bool {
      bounds.allSatisfy { member, bound in
        switch member {
        case .not: number != bound
        case .above: number > bound
        case .below: number < bound
        }
      } && number == equal ?? number
    }
  }

  /// Kinds of values, those of objects, and a word for the float that no other equals.
  static let valueKinds =
    ScalarKind.allCases.map(\.rawValue) + ["nan"] + ObjectKind.allCases.map(\.rawValue)

  // `nil` where a member is absent, which demands nothing.
  private var kinds: Set<EditKind>?
  private var objects: Set<ObjectKind>?
  private var key: ExactString?
  private var values: Set<String>?
  private var units: Comparison?
  private var magnitude: Comparison?
  private var length: Comparison?
  private var deletes: Comparison?

  /// Reads one pattern, or an array of alternatives: an edit has to fit one.
  static func alternatives(_ json: ConditionJSON) throws(HistoryPredicateError) -> [Self] {
    guard json.value.array != nil else { return [try Self(json)] }
    var patterns: [Self] = []
    for element in try json.elements("edit") { patterns.append(try Self(element)) }
    return patterns
  }

  init(_ json: ConditionJSON) throws(HistoryPredicateError) {
    for (member, json) in try json.members(as: Member.self) {
      switch member {
      case .kind: kinds = try json.cases("kind of edit")
      case .object: objects = try json.cases("kind of object")
      case .key: key = ExactString(try json.text("a string"))
      case .value: values = try json.names("kind of value", of: Self.valueKinds)
      case .units: units = try Comparison(json)
      case .magnitude: magnitude = try Comparison(json)
      case .length: length = try Comparison(json)
      case .deletes: deletes = try Comparison(json)
      }
    }
  }

  /// Whether an edit of an object of this kind, `nil` if none is known, is such.
  func matches(_ edit: Edit<ObjectName>, in kind: ObjectKind?) -> Bool {
    if let kinds, !kinds.contains(edit.kind) { return false }
    if let objects, !(kind.map(objects.contains) ?? false) { return false }
    if let key, edit.key != key { return false }
    if let length {
      guard case .mark(_, let marking) = edit, let units = UInt64(exactly: marking.length),
        length.admits(units)
      else { return false }
    }
    if let deletes, !deletes.admits(edit.deletedCount) { return false }
    guard values != nil || units != nil || magnitude != nil else { return true }
    if let made = edit.madeKind {
      return units == nil && magnitude == nil && values?.contains(made.rawValue) == true
    }
    return edit.values.contains(where: admits)
  }

  /// Whether one value has all that is demanded of a value.
  private func admits(_ value: Scalar) -> Bool {
    if let values, !values.contains(value.kind.rawValue),
      !(value.isNaN && values.contains("nan"))
    {
      return false
    }
    if let units {
      guard case .string(let text) = value,
        units.admits(UInt64(text.string.unicodeScalars.count))
      else { return false }
    }
    guard let magnitude else { return true }
    switch value {
    case .int(let number), .counter(let number): return magnitude.admits(number.magnitude)
    case .uint(let number): return magnitude.admits(number)
    default: return false
    }
  }
}

extension Edit<ObjectName> {
  /// The key at which it changes a map.
  var key: ExactString? {
    switch self {
    case .put(_, .key(let key), _), .putObject(_, .key(let key), _), .delete(_, .key(let key)),
      .increment(_, .key(let key), _):
      key
    default: nil
    }
  }

  /// Elements or units that it asks to delete.
  fileprivate var deletedCount: UInt64 {
    switch self {
    case .delete: 1
    case .splice(_, _, let count, _), .spliceText(_, _, let count, _): UInt64(count.magnitude)
    case .put, .putObject, .insert, .insertObject, .increment, .mark: 0
    }
  }

  /// The values that it writes, or what it adds.
  fileprivate var values: [Scalar] {
    switch self {
    case .put(_, _, let value), .insert(_, _, let value): [value]
    case .splice(_, _, _, let values): values
    case .increment(_, _, let amount): [.int(amount)]
    case .mark(_, let marking): [marking.value]
    case .putObject, .insertObject, .delete, .spliceText: []
    }
  }
}

extension Scalar {
  fileprivate var isNaN: Bool {
    if case .float(let value) = self { value.isNaN } else { false }
  }
}
