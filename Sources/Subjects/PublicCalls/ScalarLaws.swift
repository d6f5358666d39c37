import AutomergeDocument
import Foundation
import MergeEngine
import PropertyEngine

extension PublicCallLaw {
  static let scalarLaws = [conversions, unstorableScalars, emptyElements]

  /// Catches a type that reads another kind, or a number that does not fit it; and a refusal that does not tell the value.
  ///
  /// Each type is asked for each value, so that the law need not know which of them it reads: what is read must be the
  /// value again when it is converted back.
  private static let conversions = PublicCallLaw(
    "api.scalar-conversions",
    "Scalars are read whole, or refused in words.",
    "What a type reads of a scalar converts back to that scalar; what it does not read is refused with a sentence that "
      + "has the value. A scalar reads every scalar.",
    source: .specification(.codable, "Scalar conversions")
  ) { story in
    let values: [ScalarValue] = [
      .Null, .Boolean(true), .Int(-1), .Int(127), .Int(128), .Int(.max), .Int(.min), .Uint(0),
      .Uint(255), .Uint(256), .Uint(.max), .F64(0.5), .String("a"), .String(""),
      .String("http://a:b"), .Bytes(Data([1, 2])), .Counter(3),
      .Timestamp(Date(timeIntervalSince1970: 1)), .Unknown(typeCode: 10, data: Data([7])),
    ]
    for _ in 0..<4 {
      let value = story.element(of: values)
      story.note("all types are asked for \(value)")
      let reading = [
        try Bool.reads(value), try String.reads(value), try URL.reads(value),
        try Data.reads(value), try Date.reads(value), try Double.reads(value),
        try Float.reads(value), try UInt.reads(value), try UInt8.reads(value),
        try UInt16.reads(value), try UInt32.reads(value), try UInt64.reads(value),
        try Int.reads(value), try Int8.reads(value), try Int16.reads(value),
        try Int32.reads(value), try Int64.reads(value),
      ].count { $0 }
      try expect(try ScalarValue.reads(value), "a scalar does not read \(value)")
      let isOfNoType =
        switch value {
        case .Null, .Counter, .Unknown: true
        default: false
        }
      try expect((reading == 0) == isOfNoType, "\(reading) types read \(value)")
    }
  }

  /// Catches a value that is stored as another, or half of a splice that is kept.
  ///
  /// Milliseconds end at 2^63, some 292 million years from 1970.
  private static let unstorableScalars = PublicCallLaw(
    "api.scalars-refused",
    "What no document stores is refused.",
    "A moment that no 64-bit number of milliseconds says, or a value of an unknown type whose code is not 10 to 15, is "
      + "refused by each call that writes values, in words, and nothing is written; any other is there when the document "
      + "is loaded.",
    source: [.specification(.semantics, "Local edits"), .specification(.codable, "Dates")]
  ) { story in
    let document = Document.written(by: 0xfd)
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    try document.splice(obj: list, start: 0, delete: 0, values: [.Int(1), .Int(2)])
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "abc")
    for _ in 0..<4 {
      let (value, name, isStored) = story.rareScalar()
      let call = story.element(of: WritingCall.allCases)
      story.note("\(call.rawValue) of \(name)")
      let before = try (
        document.values(obj: list), document.marks(obj: text), document.keys(obj: .ROOT),
        document.reading { $0.pendingOpCount }
      )
      let refusal = try document.refusal(of: {
        try call.make(on: document, value, list: list, text: text)
      })
      if isStored {
        try expect(refusal == nil, "\(call.rawValue) of \(name) is refused")
        let again = try Document(document.save())
        for reader in [document, again] {
          try expect(
            try call.shows(value, in: reader, list: list, text: text),
            "\(call.rawValue) of \(name) is not what is shown"
          )
        }
      } else {
        guard case .invalidScalar? = refusal else {
          throw PublicCallFault("\(call.rawValue) takes \(name), which no document stores")
        }
        let after = try (
          document.values(obj: list), document.marks(obj: text), document.keys(obj: .ROOT),
          document.reading { $0.pendingOpCount }
        )
        try expect(before == after, "\(call.rawValue) is refused, and leaves something behind")
      }
    }
  }

  /// Catches a limit that one call does not keep, or counts twice, and a document that is saved and cannot be loaded.
  ///
  /// Null, true, an empty string and an object have a value of no bytes.
  ///
  ///     limit 3     insert null, splice [true, 7, ""]: 3 of them     one more is refused
  private static let emptyElements = PublicCallLaw(
    "api.empty-elements",
    "Elements of no bytes have a limit.",
    "Elements whose value has no bytes are inserted up to the limit; one more is refused by name, in words, and nothing "
      + "of the call stays. The document loads under that limit, and is refused by name under a lower one; so are its "
      + "changes by another document, and the list by a view.",
    source: .specification(.format, "Errors and limits")
  ) { story in
    let document = Document.written(by: 0xfd)
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    let limit = story.index(below: 6)
    var limits = document.limits
    limits.emptyElementLimit = limit
    document.limits = limits
    story.note("a list with a limit of \(limit) elements of no bytes")
    let values: [ScalarValue] = [.Null, .Int(7), .Boolean(true), .String(""), .String("a")]
    var count = 0
    for _ in 0..<8 {
      let drawn = (0...story.index(below: 2)).map { _ in story.element(of: values) }
      let makesObject = story.flag()
      let added = makesObject ? 1 : drawn.count { !$0.hasBytes }
      story.note(makesObject ? "inserts a map" : "splices \(drawn)")
      let before = try (document.values(obj: list), document.reading { $0.pendingOpCount })
      let refusal = try document.refusal(of: {
        if makesObject {
          _ = try document.insertObject(obj: list, index: 0, ty: .Map)
        } else {
          try document.splice(obj: list, start: 0, delete: 0, values: drawn)
        }
      })
      let due: DocError.Kind? =
        count + added > limit && added > 0 ? .limitExceeded("emptyElementLimit") : nil
      try expect(
        refusal == due,
        "\(count) of \(limit) elements of no bytes and \(added) more: \(refusal.map { "\($0)" } ?? "taken")"
      )
      if due == nil {
        count += added
      } else {
        let after = try (document.values(obj: list), document.reading { $0.pendingOpCount })
        try expect(before == after, "a call beyond a limit leaves something behind")
      }
    }
    let file = document.save()
    _ = try Document(file, limits: limits)
    guard count > 0 else { return }
    limits.emptyElementLimit = count - 1
    do {
      _ = try Document(file, limits: limits)
      throw PublicCallFault("\(count) elements of no bytes load with the limit \(count - 1)")
    } catch let error as LoadError {
      try expect(error.limit == "emptyElementLimit", "a limit refuses as \(error)")
    }
    do {
      _ = try SavedDocumentView(file, limits: limits).length(obj: list)
      throw PublicCallFault(
        "a view shows \(count) elements of no bytes with the limit \(count - 1)"
      )
    } catch let error as LoadError {
      try expect(error.limit == "emptyElementLimit", "a limit refuses a view as \(error)")
    }
    let other = Document.written(by: 0xfe)
    other.limits = limits
    try other.put(obj: .ROOT, key: "own", value: .Null)
    let changes = try document.encodeChangesSince(heads: [])
    guard
      case .refusedChanges(let error)? = try other.refusal(of: {
        try other.applyEncodedChanges(encoded: changes)
      }), error.limit == "emptyElementLimit"
    else { throw PublicCallFault("changes of too many elements of no bytes are taken in") }
    try expect(other.keys(obj: .ROOT) == ["own"], "changes beyond a limit leave something behind")
  }
}

extension ScalarValueRepresentable {
  /// Whether a scalar is of the type.
  ///
  /// Throws a fault if it is read as another, or refused without its value in words.
  fileprivate static func reads(_ value: ScalarValue) throws -> Bool {
    switch fromScalarValue(value) {
    case .success(let read):
      try expect(read.toScalarValue() == value, "\(Self.self) reads \(value) as \(read)")
      return true
    case .failure(let error):
      let words = error.errorDescription ?? ""
      // Of a string that is no URL the text alone.
      let shown = if case .String(let text) = value { text } else { value.description }
      try expect(
        (shown.isEmpty || words.contains(shown)) && words.count > shown.count
          && words == "\(error)",
        "\(Self.self) refuses \(value) in the words \(words)"
      )
      return false
    }
  }
}

extension CallStory {
  /// A moment or a value of an unknown type, what to call it, and whether a document can store it.
  ///
  /// Moments are named by their seconds: Foundation ends the process where it prints one that is far off.
  fileprivate mutating func rareScalar() -> (value: ScalarValue, name: String, isStored: Bool) {
    if flag() {
      let code = element(of: [UInt8(10), 15, 9, 16, 0, 255, 12])
      return (
        .Unknown(typeCode: code, data: Data([1, 2])), "the unknown type \(code)",
        (10...15).contains(code)
      )
    }
    let (seconds, isStored) = element(of: [
      (1.5, true), (-1.5, true), (9.2e15, true), (-9.2e15, true), (9.3e15, false),
      (-9.3e15, false), (1e300, false), (.infinity, false), (-Double.infinity, false),
      (.nan, false),
    ])
    return (.Timestamp(Date(timeIntervalSince1970: seconds)), "the moment \(seconds) s", isStored)
  }
}

/// A call that writes a value.
private enum WritingCall: String, CaseIterable {
  case put
  case putElement = "put(index:)"
  case insert
  case splice
  case mark

  func make(on document: Document, _ value: ScalarValue, list: ObjId, text: ObjId) throws {
    switch self {
    case .put: try document.put(obj: .ROOT, key: "k", value: value)
    case .putElement: try document.put(obj: list, index: 0, value: value)
    case .insert: try document.insert(obj: list, index: 0, value: value)
    // The last of what is inserted is refused behind a deletion and an insertion.
    case .splice: try document.splice(obj: list, start: 0, delete: 1, values: [.Int(3), value])
    case .mark:
      try document.mark(obj: text, start: 0, end: 2, expand: .both, name: "m", value: value)
    }
  }

  /// Whether a document shows the value where the call has put it.
  func shows(
    _ value: ScalarValue,
    in document: Document,
    list: ObjId,
    text: ObjId
  ) throws -> Bool {
    switch self {
    case .put: try document.get(obj: .ROOT, key: "k") == .Scalar(value)
    case .putElement, .insert: try document.get(obj: list, index: 0) == .Scalar(value)
    case .splice: try document.get(obj: list, index: 1) == .Scalar(value)
    case .mark: try document.marks(obj: text).map(\.value) == [value]
    }
  }
}

extension ScalarValue {
  /// Whether the stored value has bytes, by the values that the law draws.
  fileprivate var hasBytes: Bool {
    switch self {
    case .Null, .Boolean: false
    case .String(let text): !text.isEmpty
    default: true
    }
  }
}
