// Checks of what scalars are read as, and of documents as trees. Run by `DocumentReplica`:
// conversions with each value that is written, trees now and then (`heads()`).

import AutomergeDocument
import DocumentModel
import Foundation
import MergeEngine
import Texts

/// Reading and writing scalars as Swift's types, and documents as trees, which no step of a history does.
extension DocumentReplica {
  /// Throws if a scalar is read as a type that is not its kind's, or as another value.
  ///
  /// Every type is tried on every scalar: a type of another kind must refuse it. Integers are read
  /// if they fit (`Int8(exactly:)`), from `int` by signed and from `uint` by unsigned types alone.
  static func checkConversions(of scalar: ScalarValue) throws {
    let known = EngineReplica.scalar(try scalar.engineScalar())
    let (int, uint): (Int64?, UInt64?) =
      switch known {
      case .int(let value): (value, nil)
      case .uint(let value): (nil, value)
      default: (nil, nil)
      }
    try check(Int.self, scalar, int.flatMap { Int(exactly: $0) })
    try check(Int8.self, scalar, int.flatMap { Int8(exactly: $0) })
    try check(Int16.self, scalar, int.flatMap { Int16(exactly: $0) })
    try check(Int32.self, scalar, int.flatMap { Int32(exactly: $0) })
    try check(Int64.self, scalar, int)
    try check(UInt.self, scalar, uint.flatMap { UInt(exactly: $0) })
    try check(UInt8.self, scalar, uint.flatMap { UInt8(exactly: $0) })
    try check(UInt16.self, scalar, uint.flatMap { UInt16(exactly: $0) })
    try check(UInt32.self, scalar, uint.flatMap { UInt32(exactly: $0) })
    try check(UInt64.self, scalar, uint)
    switch known {
    case .boolean(let value): try check(Bool.self, scalar, value)
    case .string(let value):
      try check(String.self, scalar, value.string)
      try check(URL.self, scalar, URL(string: value.string), isWhole: false)
      // A reader of the document does not have the base.
      if let url = URL(string: value.string, relativeTo: URL(string: "https://example.com/a/")) {
        let written = Same(.Scalar(url.toScalarValue()))
        try expect(
          written == Same(.Scalar(.String(url.absoluteString))),
          "a relative URL is written"
        )
      }
    case .bytes(let value):
      try check(Data.self, scalar, Data(value))
      try checkDescription(of: value)
    case .float(let value):
      try check(Double.self, scalar, value)
      try check(Float.self, scalar, Float(value), isWhole: false)
    case .timestamp(let value):
      try check(Date.self, scalar, Date(timeIntervalSince1970: Double(value) / 1000))
    default: break
    }
    if known.kind != .boolean { try check(Bool.self, scalar, nil) }
    if known.kind != .string { try check(String.self, scalar, nil) }
    if known.kind != .string { try check(URL.self, scalar, nil) }
    if known.kind != .bytes { try check(Data.self, scalar, nil) }
    if known.kind != .float { try check(Double.self, scalar, nil) }
    if known.kind != .float { try check(Float.self, scalar, nil) }
    if known.kind != .timestamp { try check(Date.self, scalar, nil) }
  }

  /// Throws if bytes are described by others than the first 16, or without dots where there are more.
  ///
  ///     16 bytes     Data(000102030405060708090a0b0c0d0e0f)
  ///     17 bytes     Data(000102030405060708090a0b0c0d0e0f...)
  private static func checkDescription(of bytes: [UInt8]) throws {
    // Histories seldom write as many as are shown, or one less or more.
    for count in [bytes.count, 15, 16, 17] {
      let described = (0..<count).map { bytes.isEmpty ? UInt8($0) : bytes[$0 % bytes.count] }
      let digits = hexString(Array(described.prefix(16)))
      try expect(
        ScalarValue.Bytes(Data(described)).description
          == "Data(\(digits)\(count > 16 ? "..." : ""))",
        "the description of \(count) bytes"
      )
    }
  }

  /// `isWhole` says whether the type holds all that the scalar says, so that it is written as the same.
  ///
  /// Two ways round: from the scalar to the type and back. A type that loses something (`Float`,
  /// `URL`) need only be stable: what comes back is read as the same value again.
  private static func check<Value: ScalarValueRepresentable & Equatable>(
    _ type: Value.Type,
    _ scalar: ScalarValue,
    _ expected: Value?,
    isWhole: Bool = true
  ) throws {
    switch Value.fromScalarValue(scalar) {
    case .success(let value):
      // What is not a number equals nothing.
      try expect(value == expected || value != value, "\(type).fromScalarValue")
      let again = value.toScalarValue()
      if isWhole {
        try expect(Same(.Scalar(again)) == Same(.Scalar(scalar)), "\(type).toScalarValue")
      } else if case .success(let second) = Value.fromScalarValue(again) {
        try expect(value == second || value != value, "\(type).toScalarValue")
      } else {
        throw PublicCallFault("\(type).toScalarValue makes another kind")
      }
    case .failure: try expect(expected == nil, "\(type).fromScalarValue refuses its own kind")
    }
  }
}

extension Document {
  /// Throws if the tree of all that the document shows differs from what its calls give.
  ///
  /// `schema()` gives the whole document as a value, `walk(to:)` prints it, `equivalentContents`
  /// compares two. Each is compared with what the single calls give.
  func checkTree() throws {
    let tree = try schema()
    try checkTree(tree, of: .ROOT)
    try expect(isEmpty() == keys(obj: .ROOT).isEmpty, "isEmpty")
    var printed = ""
    try walk(to: &printed)
    try expect(printed == Self.printed(tree, "") + "\n", "walk(to:)")
    let copy = fork()
    copy.actor = ActorId(MergeEngine.ActorID([0xfd]))
    // What is not a number differs from itself, if the trees share no storage.
    try expect(equivalentContents(copy) == (tree == schema()), "equivalentContents of a fork")
    try copy.put(obj: .ROOT, key: "not in the other", value: .Null)
    try expect(!equivalentContents(copy), "equivalentContents of another content")
  }

  /// What ``walk(to:)`` writes of a tree whose first line has a margin, without the last line's end.
  ///
  /// The form is that of a listing: a map in braces by its keys in order, a list in brackets by its
  /// indexes.
  private static func printed(_ tree: AutomergeValue, _ margin: String) -> String {
    let inner = margin + "  "
    switch tree {
    case .dict(let nodes):
      let rows = nodes.sorted { $0.key < $1.key }.map { key, node in
        "\n\(inner)\(key): \(printed(node, inner))"
      }
      return "{" + rows.joined() + "\n\(margin)}"
    case .array(let nodes):
      let rows = nodes.indices.map { "\n\(inner)[\($0)]: " + printed(nodes[$0], inner) }
      return "[" + rows.joined() + "\n\(margin)]"
    case .text, .scalar: return tree.description
    }
  }

  /// A dictionary of Swift takes canonically equivalent keys for one, so that a map may have fewer
  /// nodes than keys.
  private func checkTree(_ tree: AutomergeValue, of object: ObjId) throws {
    func check(_ node: AutomergeValue?, _ value: AutomergeDocument.Value) throws {
      switch (node, value) {
      case (.scalar(let scalar)?, .Scalar):
        try expect(Same(.Scalar(scalar)) == Same(value), "schema: a scalar")
      case (let node?, .Object(let id, _)): try checkTree(node, of: id)
      default: throw PublicCallFault("schema: a value of another kind")
      }
    }
    switch (tree, objectType(obj: object)) {
    case (.dict(let nodes), .Map):
      let entries = try mapEntries(obj: object)
      // Keys that Swift calls equal are one there, and the last of them counts.
      let last = Dictionary(entries, uniquingKeysWith: { $1 })
      try expect(last.count == nodes.count, "schema: the keys of a map")
      for (key, value) in last { try check(nodes[key], value) }
    case (.array(let nodes), .List):
      let values = try values(obj: object)
      try expect(values.count == nodes.count, "schema: the length of a list")
      for (node, value) in zip(nodes, values) { try check(node, value) }
    case (.text(let text), .Text):
      try expect(ExactString(text) == ExactString(self.text(obj: object)), "schema: a text")
    default: throw PublicCallFault("schema: an object of another kind")
    }
  }
}
