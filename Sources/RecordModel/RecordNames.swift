import Texts

/// The rules of names: keys of fields, record types, records, zones, owners.
///
/// Source: Records.md, "Names".
public enum RecordNames {
  /// Characters of the name of a record or zone at most.
  public static let nameLimit = 255

  /// Keys that are properties of a record, or that a server keeps for itself.
  public static let reservedKeys: Set<String> = [
    "allKeys", "changedKeys", "creationDate", "creatorUserRecordID", "encryptedValues", "etag",
    "lastModifiedUserRecordID", "modificationDate", "modifiedByDevice", "parent", "recordChangeTag",
    "recordID", "recordType", "share",
  ]

  /// Why a key is none; `nil` if it is one.
  public static func keyProblem(_ key: String) -> RecordViolation.Rule? {
    if let problem = identifierProblem(key) { return problem }
    // Most keys have another first letter, or another length with it, than all of those have.
    guard let first = key.utf8.first, reservedLengths[Int(first & 31)] >> key.utf8.count & 1 == 1
    else { return nil }
    return reservedKeys.contains(key) ? .reserved : nil
  }

  /// By the letter with which a key begins, whatever its case: a bit for each length of reserved ones.
  private static let reservedLengths: [UInt32] = {
    var lengths = [UInt32](repeating: 0, count: 32)
    for key in reservedKeys { lengths[Int((key.utf8.first ?? 0) & 31)] |= 1 << key.utf8.count }
    return lengths
  }()

  /// Why a record type is none; `nil` if it is one.
  public static func typeProblem(_ type: String) -> RecordViolation.Rule? {
    identifierProblem(type)
  }

  // Over the memory of a name and not over its view, which takes five times the instructions: each
  // key of each record is checked.

  /// Letter first; ASCII letters, digits and underscores.
  private static func identifierProblem(_ text: String) -> RecordViolation.Rule? {
    var text = text
    return text.withUTF8 { utf8 in
      guard let first = unsafe utf8.first else { return .empty }
      guard isLetter(first) else { return .firstCharacter }
      return unsafe utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == underscore }
        ? nil : .character
    }
  }

  /// Why the name of a new record or zone is none; `nil` if it is one.
  public static func nameProblem(_ name: String) -> RecordViolation.Rule? {
    nameProblem(name, isNew: true)
  }

  /// Why a record that is there cannot have a name; `nil` if it can.
  ///
  /// Servers begin names that they give themselves, such as those of users, with an underscore.
  package static func knownNameProblem(_ name: String) -> RecordViolation.Rule? {
    nameProblem(name, isNew: false)
  }

  private static func nameProblem(_ name: String, isNew: Bool) -> RecordViolation.Rule? {
    var text = name
    return text.withUTF8 { utf8 in
      guard let first = unsafe utf8.first else { return .empty }
      guard first != underscore || !isNew else { return .firstCharacter }
      guard unsafe utf8.reduce(0, |) < 0x80 else { return .character }
      return utf8.count > nameLimit ? .tooLong(limit: nameLimit) : nil
    }
  }

  /// Why a zone is none; `nil` if it is one, as the default zone is.
  public static func zoneProblem(_ zone: RecordZoneID) -> RecordViolation.Rule? {
    if zone.ownerName.isEmpty { return .empty }
    return zone.zoneName == RecordZoneID.default.zoneName ? nil : nameProblem(zone.zoneName)
  }

  private static let underscore = UInt8(ascii: "_")

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

// MARK: - Refused keys

extension RecordNames {
  /// What stands before the spelling of a text that is not a key.
  private static let escape = "x_"

  /// A key for any text: the text itself where it is a key, else `x_` and the text with each byte that
  /// is no ASCII letter or digit as `_` and two hexadecimal digits.
  ///
  /// Two texts never share a key, and ``unescaped(_:)`` gives the text back.
  public static func escaped(_ text: String) -> String {
    if keyProblem(text) == nil, !text.hasPrefix(escape) { return text }
    var key = escape
    for byte in text.utf8 {
      if isLetter(byte) || isDigit(byte) {
        key.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        key += "_" + hexString([byte])
      }
    }
    return key
  }

  /// The text that ``escaped(_:)`` made a key of; any other key as it is.
  public static func unescaped(_ key: String) -> String {
    guard key.hasPrefix(escape) else { return key }
    var bytes: [UInt8] = []
    var rest = key.utf8.dropFirst(escape.utf8.count)
    while let byte = rest.popFirst() {
      guard byte == underscore else {
        bytes.append(byte)
        continue
      }
      guard let value = hexBytes(String(decoding: rest.prefix(2), as: UTF8.self))?.first else {
        return key
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let text = String(validating: bytes, as: UTF8.self), escaped(text) == key else {
      return key
    }
    return text
  }
}
