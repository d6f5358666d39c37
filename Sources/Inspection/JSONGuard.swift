/// Prepares a text for Foundation's JSON parser, and refuses what that reads too leniently.
///
/// A look at the tokens, no parser: a text that passes may still be no JSON, which the parser then
/// says. Foundation rounds numbers of many digits wrongly, so that it never sees one: a number
/// becomes a string that begins with `n`, and every other string begins with `s`. Refused are
/// numbers that no value holds; keys that come twice, of which it would drop one; trailing commas,
/// byte order marks and UTF-16, which it takes; and depth, before anything recurses.
struct JSONGuard {
  /// Members of all objects; fewer in the parser's result are two keys that it took for one.
  private(set) var memberCount = 0
  /// The text with marked strings, and with strings in place of numbers.
  private(set) var marked: [UInt8] = []

  private let bytes: [UInt8]
  private var offset = 0
  /// The keys of each open object; nil for an open array.
  private var open: [Set<[UInt8]>?] = []
  /// Where the last string lies, without its quotes.
  private var lastString = 0..<0
  private var lastSign: UInt8 = 0

  init(_ bytes: [UInt8]) throws(JSONTextError) {
    self.bytes = bytes
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.starts(with: [0xEF, 0xBB, 0xBF])
    else { throw JSONTextError(reason: .notUTF8Text, offset: 0) }
    if let zero = bytes.firstIndex(of: 0) {
      throw JSONTextError(reason: .notUTF8Text, offset: zero)
    }
    while offset < bytes.count { try takeToken() }
  }

  private mutating func takeToken() throws(JSONTextError) {
    let start = offset
    let byte = bytes[offset]
    offset += 1
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D:
      marked.append(byte)
      return
    case UInt8(ascii: "\""): takeString()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < JSONTree.depthLimit else {
        throw JSONTextError(reason: .tooDeep(limit: JSONTree.depthLimit), offset: start)
      }
      open.append(byte == UInt8(ascii: "{") ? [] : nil)
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if lastSign == UInt8(ascii: ",") {
        throw JSONTextError(reason: .trailingComma, offset: start)
      }
      _ = open.popLast()
    case UInt8(ascii: ":"): try takeKey()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try takeNumber(from: start)
    default: break
    }
    lastSign = byte
    switch byte {
    case UInt8(ascii: "\""):
      marked.append(contentsOf: "\"s".utf8)
      marked.append(contentsOf: bytes[(start + 1)..<offset])
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      marked.append(contentsOf: "\"n".utf8)
      marked.append(contentsOf: bytes[start..<offset])
      marked.append(UInt8(ascii: "\""))
    default: marked.append(byte)
    }
  }

  private mutating func takeString() {
    let start = offset
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
      offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    let end = min(offset, bytes.count)
    lastString = start..<end
    offset = min(offset + 1, bytes.count)
  }

  private mutating func takeKey() throws(JSONTextError) {
    guard let last = open.indices.last, open[last] != nil else { return }
    // A number would be a string by the time the parser sees it.
    guard lastSign == UInt8(ascii: "\"") else {
      throw JSONTextError(reason: .malformed("a key that is no string"), offset: offset - 1)
    }
    memberCount += 1
    let key = Array(bytes[lastString])
    guard open[last]?.insert(key).inserted == true else {
      let words = String(decoding: key, as: UTF8.self)
      throw JSONTextError(reason: .duplicateKey(words), offset: lastString.lowerBound - 1)
    }
  }

  private mutating func takeNumber(from start: Int) throws(JSONTextError) {
    let parts = Set("0123456789+-.eE".utf8)
    while offset < bytes.count, parts.contains(bytes[offset]) { offset += 1 }
    let token = bytes[start..<offset]
    let words = String(decoding: token, as: UTF8.self)
    guard Self.isNumber(token) else {
      throw JSONTextError(reason: .malformed("'\(words)' is no number"), offset: start)
    }
    switch Self.number(words) {
    case .double(let number) where !number.isFinite:
      throw JSONTextError(reason: .numberTooLarge(words), offset: start)
    case nil: throw JSONTextError(reason: .integerTooLarge(words), offset: start)
    default: break
    }
  }

  /// The value of a number's text; nil for a whole number that 64 bits do not hold.
  ///
  /// Numbers with a point or an exponent are doubles, infinite where they are too great.
  static func number(_ words: String) -> JSONTree? {
    if words.utf8.contains(where: { ".eE".utf8.contains($0) }) {
      return .double(Double(words) ?? .infinity)
    }
    return Int64(words).map { .int($0) } ?? UInt64(words).map { .uint($0) }
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
}
