import AutomergeDocument
import MergeEngine
import PropertyEngine

extension PublicCallLaw {
  static let pathLaws = [pathTexts, keyTexts, lookups]

  /// The second parser (`steps`) shares no code with the first.
  private static let pathTexts = PublicCallLaw(
    "api.path-texts",
    "A text is read as its path.",
    "`parsePath` reads a text as the steps that the rule says, and refuses one that is no path.",
    source: .specification(.codable, "Path syntax")
  ) { story in
    let pieces = [
      ".", ".", "[", "[", "]", "]", "0", "12", "7", "a", "Zz", "\u{e9}", "-", " ", "[+1]", "[-0]",
      "[3].", ".b",
    ]
    for _ in 0..<4 {
      let path = (0...story.index(below: 7)).map { _ in story.element(of: pieces) }.joined()
      story.note("parsePath \"\(path)\"")
      let read = try? AnyCodingKey.parsePath(path)
      try expect(
        read == AnyCodingKey.steps(path),
        "parsePath of \(path) reads \(read?.description ?? "none")"
      )
    }
    for path in ["[3", "a.3]", "[]", "a.[x]", "[-1]", "9a", ".\u{e9}", "[18446744073709551616]"] {
      do {
        _ = try AnyCodingKey.parsePath(path)
      } catch let error as PathParseError {
        try error.expectWords(path)
        continue
      }
      throw PublicCallFault("parsePath takes \(path)")
    }
  }

  /// The keys of any coder come here: of dictionaries, enumerations, and containers without keys.
  private static let keyTexts = PublicCallLaw(
    "api.key-texts",
    "A key of any type is its step.",
    "A path of coding keys of any type is written as its steps, an index wherever a key has one, and read back from its "
      + "text. Digits are a key, a negative number is no index, and one beyond `Int` has no `intValue`.",
    source: .specification(.codable, "Path keys")
  ) { story in
    let keys = (0..<3).map { _ -> (key: any CodingKey, step: String) in
      switch story.index(below: 4) {
      case 0:
        let index = story.element(of: [0, 1, 9, 10, 255])
        return (ListKey(index), "[\(index)]")
      case 1:
        let index = story.element(of: [0, 1, 12])
        return (AnyCodingKey(UInt64(index)), "[\(index)]")
      case 2:
        let name = story.element(of: ["a", "Zz"])
        return (NameKey(name), name)
      default:
        let name = story.element(of: ["b", "key"])
        return (AnyCodingKey(name), name)
      }
    }
    let due = keys.map { ".\($0.step)" }.joined()
    story.note("the path \(due) of \(keys.map { "\(type(of: $0.key))" }.joined(separator: ", "))")
    let path = keys.map(\.key)
    try expect(path.stringPath() == due, "stringPath is \(path.stringPath()), and \(due) is due")
    let read = try AnyCodingKey.parsePath(due)
    try expect(read == path.map { AnyCodingKey($0) }, "parsePath of \(due) reads \(read)")
    for index in [story.element(of: [0, 1, 42]), .max] {
      let key = AnyCodingKey(UInt64(index))
      try expect(
        key.intValue == index && key.stringValue == "\(index)",
        "the index \(index) is the text \(key.stringValue)"
      )
      try expect(
        AnyCodingKey(.Index(UInt64(index))) == key && AnyCodingKey(intValue: index) == key
          && AnyCodingKey(intValue: -index - 1) == nil,
        "init(intValue:) of \(index), or of \(-index - 1)"
      )
      // Digits are a key of a map.
      let digits = AnyCodingKey("\(index)")
      try expect(
        AnyCodingKey(stringValue: "\(index)") == digits && AnyCodingKey(.Key("\(index)")) == digits
          && digits != key && digits.intValue == nil,
        "init(stringValue:) of \(index)"
      )
    }
    let huge = AnyCodingKey(UInt64(Int.max) + 1)
    try expect(huge.intValue == nil, "intValue of an index that no Int is")
  }

  /// What is refused, is refused for its own reason.
  ///
  ///     .lookup.list         the list           .lookup.list.[2]         out of bounds
  ///     .lookup.list.[0]     nothing: a scalar  .lookup.list.[0].more    through a scalar
  ///     .lookup.none         nothing            .lookup.text.[0]         through a text
  private static let lookups = PublicCallLaw(
    "api.path-lookups",
    "A path leads to its object, or nowhere.",
    "`lookupPath` gives the object at a path, nothing where a scalar or nothing stands, and the reason where a path "
      + "leads through what holds nothing.",
    source: .specification(.codable, "Looking up a path")
  ) { story in
    let copy = try story.document().copy(by: 0xfd)
    let map = try copy.putObject(obj: .ROOT, key: "lookup", ty: .Map)
    let list = try copy.putObject(obj: map, key: "list", ty: .List)
    try copy.insert(obj: list, index: 0, value: .Int(1))
    let text = try copy.putObject(obj: map, key: "text", ty: .Text)
    for (path, wanted) in [("list", list), ("text", text), ("list.[0]", nil), ("none", nil)] {
      let found = try copy.lookupPath(path: ".lookup." + path)
      try expect(found == wanted, "lookupPath of \(path)")
    }
    func refusal(of path: String) -> CodingKeyLookupError? {
      let result = Result { try copy.lookupPath(path: ".lookup." + path) }
      guard case .failure(let error) = result else { return nil }
      return error as? CodingKeyLookupError
    }
    for path in ["list.[2]", "list.[9].more"] {
      guard case .IndexOutOfBounds? = refusal(of: path) else {
        throw PublicCallFault("lookupPath of \(path)")
      }
    }
    guard case .PathExtendsThroughScalar? = refusal(of: "list.[0].more") else {
      throw PublicCallFault("lookupPath through a scalar")
    }
    guard case .PathExtendsThroughText? = refusal(of: "text.[0]") else {
      throw PublicCallFault("lookupPath through a text")
    }
    for path in ["none.more", "list.[1].more"] {
      guard case .SchemaMissing? = refusal(of: path) else {
        throw PublicCallFault("lookupPath of \(path)")
      }
    }
    for path in ["list.[2]", "list.[0].more", "text.[0]", "none.more"] {
      let words = refusal(of: path)?.errorDescription ?? ""
      let walked = ".lookup." + path.prefix { $0 != "." }
      try expect(
        words.contains(walked) && refusal(of: path).map { "\($0)" } == words,
        "lookupPath of \(path) is refused in the words \(words)"
      )
    }
    let inner = DocError(kind: .notACounter)
    let outer = CodingKeyLookupError.AutomergeDocError(inner)
    try expect(
      outer.errorDescription?.contains(inner.description) == true,
      "an error of lookupPath that has another does not tell it"
    )
    let reasons = ["none.more", "list.[2]"].map { refusal(of: $0) }
    try expect(
      reasons[0] == refusal(of: "none.more") && reasons[0] != reasons[1],
      "== of errors of lookupPath"
    )
    // Not out of bounds: a map has no indexes, and a list no keys.
    for path in ["[0]", "[9999]", ".lookup.list.more"] {
      do {
        _ = try copy.lookupPath(path: path)
        throw PublicCallFault("lookupPath takes \(path)")
      } catch let error as DocError {
        guard case .wrongObjectType = error.kind else {
          throw PublicCallFault("lookupPath refuses \(path) with: \(error)")
        }
      }
    }
  }
}

extension PathParseError {
  /// Throws unless the error is of the right kind, and says in words which step of the path is wrong.
  ///
  ///     .[-1]     EmptyListIndex of "[-1]"         .9a     InvalidPathElement of "9a"
  fileprivate func expectWords(_ path: String) throws {
    let isIndex: Bool
    let step: String
    switch self {
    case .InvalidPathElement(let found): (isIndex, step) = (false, found)
    case .EmptyListIndex(let found): (isIndex, step) = (true, found)
    }
    try expect(
      path.split(separator: ".").contains { $0 == step }
        && isIndex == (step.hasPrefix("[") && step.hasSuffix("]")),
      "parsePath of \(path) refuses the step \(step)"
    )
    try expect(
      errorDescription == step && description.contains(step.debugDescription)
        && description.count > step.debugDescription.count,
      "parsePath of \(path) is refused in the words \(description)"
    )
  }
}

extension AnyCodingKey {
  /// What the documentation of ``parsePath(_:)`` says of a text, letter by letter; `nil` for one that is no
  /// path.
  fileprivate static func steps(_ path: String) -> [AnyCodingKey]? {
    let dot = UInt8(ascii: ".")
    let letters = Set(UInt8(ascii: "a")...UInt8(ascii: "z"))
      .union(UInt8(ascii: "A")...UInt8(ascii: "Z"))
    var steps: [AnyCodingKey] = []
    for step in path.utf8.split(separator: dot) {
      if step.first == UInt8(ascii: "["), step.last == UInt8(ascii: "]") {
        let digits = step.dropFirst().dropLast()
        guard !digits.isEmpty else { return nil }
        var index: UInt64 = 0
        for digit in digits {
          guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
          index = index * 10 + UInt64(digit - UInt8(ascii: "0"))
        }
        steps.append(AnyCodingKey(index))
      } else if let first = step.first, letters.contains(first) {
        steps.append(AnyCodingKey(String(decoding: Array(step), as: UTF8.self)))
      } else {
        return nil
      }
    }
    return steps
  }
}

/// A key with a number, whose text says otherwise.
private struct ListKey: CodingKey {
  let index: Int
  init(_ index: Int) { self.index = index }
  init?(intValue: Int) { index = intValue }
  init?(stringValue: String) { return nil }
  var intValue: Int? { index }
  var stringValue: String { "Index \(index)" }
}

/// A key with a text alone.
private struct NameKey: CodingKey {
  let stringValue: String
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
  var intValue: Int? { nil }
}
