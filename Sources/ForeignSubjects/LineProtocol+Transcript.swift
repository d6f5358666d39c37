import DocumentModel
import Histories
import Texts

// An outcome is an array: its name, then what `Outcome` holds.
//
//     ["done"]   ["refused", words]   ["failed", words]   ["sent", parts]   ["saved", hex?]
//     ["edited", made?, [replaced ids], [written ids]]     made may be null; what is last may be left out
//     ["synced", rounds, repeats?]
//     ["cursor", id, move]   ["cursor"] at the end   ["position", index?]
//     ["observed", {"root": object, "heads"?: [scheme, id, ...]}]
//     ["patches", [[action, path, ...], ...]]     see `LineProtocol+Patches.swift`
//
// An object is {"id"?, "map": [[key, register], ...]}, {"id"?, "list": [register, ...]} or
// {"id"?, "text": string, "length": units, "elements"?: [register, ...]}. A value is
// [id or null, kind, text], with "object" and "hidden" as kinds beside those of scalars. A register is
// an array of all its values, ascending by id, or the winner alone, bare, where no more is shown.

extension Outcome {
  init(_ json: JSONValue) throws(AnswerError) {
    let parts = try json.array("an outcome")
    let due = "an outcome's name"
    let name = try parts.first.map { (first) throws(AnswerError) in try first.string(due) }
    switch (name, parts.count) {
    case ("done", 1):
      self = .done
    case ("edited", 1...4):
      self = .edited(try EditEffect(parts.dropFirst()))
    case ("refused", 2):
      self = .refused(try parts[1].string("the refusal's words"))
    case ("failed", 2):
      self = .failed(try parts[1].string("the failure's words"))
    case ("sent", 2):
      self = .sent(parts: try parts[1].number("a number of parts", in: 0...Int(Int32.max)))
    case ("synced", 2...3):
      let limit = 0...Int(Int32.max)
      let repeats = try parts.dropFirst(2).first.map { (count) throws(AnswerError) in
        try count.number("a number of changes", in: limit)
      }
      self = .synced(
        SyncReport(rounds: try parts[1].number("a number of rounds", in: limit), repeats: repeats)
      )
    case ("cursor", 1):
      self = .cursor(.end)
    case ("cursor", 3):
      let id = try parts[1].parsed("an operation id") { OpID($0) }
      let move = try parts[2].parsed("before or after") { CursorMove(rawValue: $0) }
      self = .cursor(.element(id, move))
    case ("position", 1):
      self = .position(nil)
    case ("position", 2):
      self = .position(try parts[1].number("a position", in: 0...Int(Int32.max)))
    case ("patches", 2):
      self = .patches(try ObservedPatch.patches(parts[1]))
    case ("observed", 2):
      self = .observed(try Observation(parts[1]))
    case ("saved", 1):
      self = .saved(nil)
    case ("saved", 2):
      self = .saved(try parts[1].parsed("bytes in hexadecimal") { hexBytes($0) })
    case (nil, _):
      throw json.expected("an outcome")
    default:
      throw AnswerError(
        expected: "an outcome with its parts",
        found: "an unknown outcome, or one with \(parts.count - 1) parts"
      )
    }
  }
}

extension EditEffect {
  fileprivate init(_ parts: ArraySlice<JSONValue>) throws(AnswerError) {
    self.init()
    var parts = parts
    if let made = parts.popFirst(), !made.isNull {
      self.made = try made.parsed("an object's id") { ObjectID($0) }
    }
    if let replaced = parts.popFirst() { self.replaced = try Self.ids(replaced) }
    if let written = parts.popFirst() { self.written = try Self.ids(written) }
  }

  private static func ids(_ json: JSONValue) throws(AnswerError) -> [OpID] {
    var ids: [OpID] = []
    for id in try json.array("an array of operation ids") {
      ids.append(try id.parsed("an operation id") { OpID($0) })
    }
    return ids
  }
}

extension Observation {
  fileprivate init(_ json: JSONValue) throws(AnswerError) {
    self.init(root: try ObservedObject(json.member("root", of: "an observation")))
    guard let heads = json["heads"] else { return }
    let due = "heads, the scheme first"
    var words: [String] = []
    for word in try heads.array(due) { words.append(try word.string(due)) }
    guard let scheme = words.first else { throw heads.expected(due) }
    self.heads = ObservedHeads(scheme: scheme, ids: Array(words.dropFirst()))
  }
}

extension ObservedObject {
  fileprivate init(_ json: JSONValue) throws(AnswerError) {
    let id = try json["id"].map { (id) throws(AnswerError) in
      try id.parsed("an object's id") { ObjectID($0) }
    }
    if let map = json["map"] {
      self.init(id: id, content: .map(try Self.entries(map)))
    } else if let list = json["list"] {
      self.init(id: id, content: .list(try Self.registers(list)), marks: try Self.marks(json))
    } else {
      let due = "an object with a map, a list or a text"
      let text = try json.member("text", of: due).string("a text")
      let length = try json.member("length", of: "a text")
        .number("a length", in: 0...Int(Int32.max))
      let elements = try json["elements"].map { (elements) throws(AnswerError) in
        try Self.registers(elements)
      }
      self.init(
        id: id,
        content: .text(ExactString(text), length: length, elements: elements),
        marks: try Self.marks(json)
      )
    }
  }

  private static func marks(_ json: JSONValue) throws(AnswerError) -> [ObservedMark] {
    guard let json = json["marks"] else { return [] }
    return try ObservedMark.marks(json)
  }

  private static func entries(_ json: JSONValue) throws(AnswerError) -> [Entry] {
    var entries: [Entry] = []
    for entry in try json.array("a map's entries") {
      let parts = try entry.array("a key and its register")
      guard parts.count == 2 else { throw entry.expected("a key and its register") }
      let key = ExactString(try parts[0].string("a key"))
      if let last = entries.last, last.key >= key {
        throw AnswerError(expected: "keys ascending by their UTF-8 bytes", found: "another order")
      }
      entries.append(Entry(key: key, register: try ObservedRegister(parts[1])))
    }
    return entries
  }

  private static func registers(_ json: JSONValue) throws(AnswerError) -> [ObservedRegister] {
    var registers: [ObservedRegister] = []
    for register in try json.array("an array of registers") {
      registers.append(try ObservedRegister(register))
    }
    return registers
  }
}

extension ObservedMark {
  /// Reads `[[start, end, name, kind, text], ...]`.
  static func marks(_ json: JSONValue) throws(AnswerError) -> [ObservedMark] {
    let due = "a mark: start, end, name, kind and text"
    var marks: [ObservedMark] = []
    for mark in try json.array("an array of marks") {
      let parts = try mark.array(due)
      guard parts.count >= 4 else { throw mark.expected(due) }
      let start = try parts[0].number("the start of a mark", in: 0...Int(Int32.max))
      let end = try parts[1].number("the end of a mark", in: start + 1...Int(Int32.max) + 1)
      let name = ExactString(try parts[2].string("the name of a mark"))
      // Like a value: what names its operation is not told.
      guard case .scalar(let value) = try ObservedValue.content([parts[2]] + parts[3...]) else {
        throw mark.expected(due)
      }
      marks.append(ObservedMark(name: name, value: value, range: start..<end))
    }
    return marks
  }
}

extension ObservedRegister {
  fileprivate init(_ json: JSONValue) throws(AnswerError) {
    let parts = try json.array("a register")
    guard let first = parts.first else {
      throw AnswerError(expected: "a register of at least one value", found: "none")
    }
    guard first.isArray else {
      self.init(values: [try ObservedValue(parts)], isComplete: false)
      return
    }
    var values: [ObservedValue] = []
    for part in parts {
      let value = try ObservedValue(part.array("a value"))
      if let last = values.last?.id, let id = value.id, last >= id {
        throw AnswerError(expected: "values ascending by id", found: "another order")
      }
      values.append(value)
    }
    self.init(values: values, isComplete: true)
  }
}

extension ObservedValue {
  init(_ parts: [JSONValue]) throws(AnswerError) {
    guard parts.count >= 2 else {
      throw AnswerError(expected: "an id, a kind and a text", found: "\(parts.count) parts")
    }
    let id =
      parts[0].isNull ? nil : try parts[0].parsed("an operation id or null") { OpID($0) }
    self.init(id: id, content: try Self.content(parts))
  }

  fileprivate static func content(_ parts: [JSONValue]) throws(AnswerError) -> Content {
    let kind = try parts[1].string("a value's kind")
    guard kind == "object" || kind == "hidden" || ScalarKind(rawValue: kind) != nil else {
      throw unknownKind(kind)
    }
    let rest = parts.count == 3 ? parts[2] : nil
    switch (kind, rest) {
    case ("object", let object?):
      return .object(try ObservedObject(object))
    case ("hidden", let kind?):
      return .hidden(try kind.parsed("a kind of scalar") { ScalarKind(rawValue: $0) })
    case ("null", nil) where parts.count == 2:
      return .scalar(.null)
    case ("string", let text?):
      return .scalar(.string(ExactString(try text.string("a string"))))
    case (_, let text?):
      let due = "the text of a scalar of its kind, \(kind)"
      return .scalar(try text.parsed(due) { scalar(kind, $0) })
    case ("unknown", nil) where parts.count == 4:
      let code = try parts[2].parsed("a type code") { UInt8($0) }
      return .scalar(.unknown(typeCode: code, bytes: try parts[3].parsed("bytes") { hexBytes($0) }))
    default:
      throw AnswerError(
        expected: "a value of a known kind with its parts",
        found: "another kind, or \(parts.count) parts"
      )
    }
  }

  /// The refusal of a kind that there is not, with the one that was likely meant, or else with all.
  private static func unknownKind(_ kind: String) -> AnswerError {
    let kinds = ScalarKind.allCases.map(\.rawValue)
    let close = suggestion(for: kind, among: kinds)
    // "integer" is far from "int" by its letters.
    let start = kinds.first { kind.lowercased().hasPrefix($0) }
    let all = " There are \(kinds.joined(separator: ", "))"
    let guess = start.map { " Did you mean '\($0)'?" } ?? all
    return AnswerError(
      expected: "a kind of scalar",
      found: quoted(kind),
      guess: close.isEmpty ? guess : close,
      advice: """
        Show each value as [id, kind, text], with the kind and the text that an instruction has: \
        Documentation/LineProtocol.md, "Observations".
        """
    )
  }

  private static func scalar(_ kind: String, _ text: String) -> Scalar? {
    switch kind {
    case "boolean": text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
    case "int": decimal(text).map { .int($0) }
    case "uint": decimal(text).map { .uint($0) }
    case "counter": decimal(text).map { .counter($0) }
    case "timestamp": decimal(text).map { .timestamp($0) }
    case "bytes": hexBytes(text).map { .bytes($0) }
    case "float":
      hexBytes(text).flatMap { bytes in
        guard bytes.count == 8 else { return nil }
        let pattern = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return .float(Double(bitPattern: pattern))
      }
    default: nil
    }
  }

  /// The number, if the text is how the number is written: no plus sign, no leading zeros.
  static func decimal<Number: FixedWidthInteger>(_ text: String) -> Number? {
    guard let number = Number(text), String(number) == text else { return nil }
    return number
  }
}
