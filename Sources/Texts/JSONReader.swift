extension JSONValue {
  /// Reads one JSON text in UTF-8.
  ///
  /// Strict, and of one mind with other parsers about what it accepts: no byte order mark, no
  /// comments, no trailing commas, no key twice in an object, no number that 64 bits or a double do
  /// not hold. Strings keep every character, U+0000 and U+FEFF included. Works without recursion, in
  /// time and memory linear in the text, for bytes from anywhere.
  ///
  /// Source: RFC 8259.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - depthLimit: How deep arrays and objects may lie in one another.
  ///   - keepsDigits: Whether a number with more digits than 64 bits or a double keep is a
  ///     ``decimal(_:)``, a whole one included; otherwise it is rounded, and a whole one refused.
  /// - Throws: ``JSONError`` for the first thing that is wrong.
  package init(
    parsing bytes: [UInt8],
    depthLimit: Int = JSONValue.depthLimit,
    keepsDigits: Bool = false
  ) throws(JSONError) {
    var reader = JSONReader(bytes, depthLimit: depthLimit)
    reader.keepsDigits = keepsDigits
    self = try reader.document()
  }

  /// Reads one JSON text, and notes the numbers that it does not keep digit for digit.
  ///
  /// - Throws: ``JSONError``.
  package init(parsing bytes: [UInt8], noting inexact: inout InexactNumbers) throws(JSONError) {
    var reader = JSONReader(bytes, depthLimit: Self.depthLimit)
    reader.inexact = InexactNumbers()
    self = try reader.document()
    inexact = reader.inexact ?? inexact
  }

  /// Reads one JSON text.
  ///
  /// - Throws: ``JSONError``.
  package init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }
}

private struct JSONReader {
  /// An array or object whose end has not come; changed in place, so that nothing is copied.
  private struct Open {
    var elements: [JSONValue] = []
    /// `nil` in an array.
    var members: Members?
    /// The key of the member that is being read.
    var key = ""
  }

  private let bytes: [UInt8]
  private let depthLimit: Int
  private var offset = 0
  private var open: [Open] = []
  /// What is noted of numbers; `nil` if that was not asked for.
  var inexact: InexactNumbers?
  /// Whether a number that would be rounded is kept as it is written.
  var keepsDigits = false

  init(_ bytes: [UInt8], depthLimit: Int) {
    self.bytes = bytes
    self.depthLimit = depthLimit
  }

  private func error(_ reason: JSONError.Reason, at place: Int? = nil) -> JSONError {
    JSONError(reason: reason, offset: place ?? offset)
  }

  /// The next byte; `nil` at the end.
  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      default: return
      }
    }
  }

  private mutating func takes(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    offset += 1
    return true
  }

  // MARK: - Structure

  mutating func document() throws(JSONError) -> JSONValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw error(.byteOrderMark) }
    while true {
      skipSpace()
      // An array or object that begins is open, and its first value follows.
      guard var value = try beginValue() else { continue }
      // Each end may be the end of what is around it.
      while let enclosing = try close(value) { value = enclosing }
      guard open.isEmpty else { continue }
      skipSpace()
      guard offset == bytes.count else { throw error(.expected("the end of the text")) }
      return value
    }
  }

  /// Reads a scalar or an empty array or object; `nil` if an array or object has begun instead.
  private mutating func beginValue() throws(JSONError) -> JSONValue? {
    guard let next else { throw error(.expected("a value")) }
    switch next {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "["):
      try checkDepth()
      offset += 1
      skipSpace()
      if takes(UInt8(ascii: "]")) { return .array([]) }
      open.append(Open())
      return nil
    case UInt8(ascii: "{"):
      try checkDepth()
      offset += 1
      skipSpace()
      if takes(UInt8(ascii: "}")) { return .object([]) }
      open.append(Open(members: Members()))
      try key()
      return nil
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    default: throw error(.expected("a value"))
    }
  }

  private func checkDepth() throws(JSONError) {
    guard open.count < depthLimit else { throw error(.tooDeep(limit: depthLimit)) }
  }

  /// Puts a value into what is around it; returns that if it ends here, `nil` if more follows, or if
  /// nothing is around the value.
  private mutating func close(_ value: JSONValue) throws(JSONError) -> JSONValue? {
    guard let last = open.indices.last else { return nil }
    let isObject = open[last].members != nil
    if isObject {
      let key = open[last].key
      open[last].members?.append(key, value)
    } else {
      open[last].elements.append(value)
    }
    skipSpace()
    if takes(UInt8(ascii: isObject ? "}" : "]")) {
      let closed = open.removeLast()
      return closed.members.map { .object($0.list) } ?? .array(closed.elements)
    }
    let comma = offset
    guard takes(UInt8(ascii: ",")) else {
      throw error(.expected(isObject ? "a comma or }" : "a comma or ]"))
    }
    skipSpace()
    if next == UInt8(ascii: isObject ? "}" : "]") { throw error(.trailingComma, at: comma) }
    if isObject { try key() }
    return nil
  }

  /// Reads the key of the innermost object's next member, and the colon behind it.
  private mutating func key() throws(JSONError) {
    let start = offset
    guard next == UInt8(ascii: "\"") else { throw error(.expected("a key in quotes")) }
    let key = try string()
    let last = open.count - 1
    guard open[last].members?.isNew(key) == true else {
      throw error(.duplicateKey(key), at: start)
    }
    open[last].key = key
    skipSpace()
    guard takes(UInt8(ascii: ":")) else { throw error(.expected("a colon")) }
  }

  private mutating func word(
    _ word: StaticString,
    _ value: JSONValue
  ) throws(JSONError) -> JSONValue {
    let spelling = word.description.utf8
    guard bytes[offset...].starts(with: spelling) else { throw error(.expected("a value")) }
    offset += spelling.count
    return value
  }

  // MARK: - Numbers

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = offset
    var isWhole = true
    scan: while let byte = next {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"): break
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): isWhole = false
      default: break scan
      }
      offset += 1
    }
    let token = bytes[start..<offset]
    let text = String(decoding: token, as: UTF8.self)
    guard Self.isNumber(token) else { throw error(.malformedNumber(text), at: start) }
    if isWhole {
      if let value = Int64(text) { return .int(value) }
      if let value = UInt64(text) { return .uint(value) }
      guard keepsDigits else { throw error(.integerTooLarge(text), at: start) }
    }
    guard let value = Double(text), value.isFinite else {
      throw error(.numberTooLarge(text), at: start)
    }
    if keepsDigits, !Self.isShort(token), !InexactNumbers.keeps(value, text) {
      return .decimal(text)
    }
    inexact?.note(text, value, at: start)
    return .double(value)
  }

  /// Whether a number has a point and 15 digits at most, which a double always keeps.
  private static func isShort(_ token: ArraySlice<UInt8>) -> Bool {
    token.count <= 16 && token.allSatisfy { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
  }

  /// Whether a token is a number.
  ///
  /// Source: RFC 8259, section 6.
  private static func isNumber(_ token: ArraySlice<UInt8>) -> Bool {
    var rest = token
    func takeDigits() -> Int {
      let count = rest.prefix { (0x30...0x39).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let count = takeDigits()
    guard count > 0, !startsWithZero || count == 1 else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard takeDigits() > 0 else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      guard takeDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }

  // MARK: - Strings

  /// Reads a string; the next byte is its opening quote.
  private mutating func string() throws(JSONError) -> String {
    offset += 1
    let start = offset
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        let text = try validated(bytes[start..<offset])
        offset += 1
        return text
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
      guard byte >= 0x20 else { throw error(.controlCharacter) }
      offset += 1
    }
    throw error(.expected("the end of a string"))
  }

  /// Goes on with a string after its first escape was met.
  private mutating func escapedString(from start: Int) throws(JSONError) -> String {
    var text = try validated(bytes[start..<offset])
    while offset < bytes.count {
      let segment = offset
      scan: while offset < bytes.count {
        switch bytes[offset] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): break scan
        case 0..<0x20: throw error(.controlCharacter)
        default: offset += 1
        }
      }
      text += try validated(bytes[segment..<offset])
      if takes(UInt8(ascii: "\"")) { return text }
      if next != nil { text.unicodeScalars.append(try escape()) }
    }
    throw error(.expected("the end of a string"))
  }

  /// Reads an escape; the next byte is its backslash.
  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    guard let letter = next else { throw error(.expected("the end of a string")) }
    offset += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw error(.malformedEscape, at: start)
    }
    guard let unit = fourDigits() else { throw error(.malformedEscape, at: start) }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // The first half of a pair needs the second right behind it.
    guard UTF16.isLeadSurrogate(unit), takes(UInt8(ascii: "\\")), takes(UInt8(ascii: "u")),
      let second = fourDigits(), UTF16.isTrailSurrogate(second),
      let scalar = Unicode.Scalar(
        0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
      )
    else { throw error(.loneSurrogate, at: start) }
    return scalar
  }

  private mutating func fourDigits() -> UInt16? {
    guard offset + 4 <= bytes.count else { return nil }
    var value: UInt16 = 0
    for byte in bytes[offset..<(offset + 4)] {
      guard let digit = hexValue(byte) else { return nil }
      value = value << 4 | UInt16(digit)
    }
    offset += 4
    return value
  }

  private func validated(_ slice: ArraySlice<UInt8>) throws(JSONError) -> String {
    if let text = String(validating: slice, as: UTF8.self) { return text }
    throw error(.notUTF8, at: slice.startIndex + Self.validByteCount(slice))
  }

  /// Bytes before the first that does not belong to a scalar.
  private static func validByteCount(_ slice: ArraySlice<UInt8>) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = slice.makeIterator()
    var count = 0
    while case .valid(let scalar) = parser.parseScalar(from: &bytes) { count += scalar.count }
    return count
  }
}

/// The members of an object that is being read.
private struct Members {
  private(set) var list: [JSONValue.Member] = []
  /// All keys, once there are many.
  private var keys: Set<[UInt8]> = []

  /// Members up to which looking at each is cheaper than a set.
  private static let fewLimit = 8

  /// Whether no member has this key.
  func isNew(_ key: String) -> Bool {
    guard keys.isEmpty else { return !keys.contains(Array(key.utf8)) }
    return !list.contains { $0.key.utf8.elementsEqual(key.utf8) }
  }

  mutating func append(_ key: String, _ value: JSONValue) {
    list.append(JSONValue.Member(key, value))
    if !keys.isEmpty {
      keys.insert(Array(key.utf8))
    } else if list.count > Self.fewLimit {
      keys = Set(list.map { Array($0.key.utf8) })
    }
  }
}
