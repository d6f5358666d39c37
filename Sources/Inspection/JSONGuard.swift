/// Refuses what Foundation's JSON parser reads inexactly, or more leniently than RFC 8259.
///
/// A look at the tokens, no parser: a text that passes may still be no JSON, which the parser then
/// says. What is refused: whole numbers beyond 64 bits and numbers beyond doubles, which it would
/// round; keys that come twice, of which it would drop one; trailing commas, byte order marks and
/// UTF-16, which it takes; and depth, before anything recurses.
struct JSONGuard {
  /// Members of all objects; fewer in the parser's result are two keys that it took for one.
  private(set) var memberCount = 0

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
    case 0x20, 0x09, 0x0A, 0x0D: return
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
    let words = String(decoding: bytes[start..<offset], as: UTF8.self)
    if words.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }) {
      // `-` alone, `1-1` and the like are left to the parser.
      let isWhole = !words.dropFirst().contains("-") && words != "-"
      if isWhole, Int64(words) == nil, UInt64(words) == nil {
        throw JSONTextError(reason: .integerTooLarge(words), offset: start)
      }
    } else if let number = Double(words), !number.isFinite {
      throw JSONTextError(reason: .numberTooLarge(words), offset: start)
    }
  }
}
