import Foundation

/// What Foundation's own types trap on when they decode themselves, looked at before they do.
///
/// `IndexSet` traps on negative and overlong ranges, `CharacterSet` reads beyond a short bitmap and writes beyond its
/// planes, `URLComponents` traps on schemes, ports and paths that no URL has, and `Calendar`, which `DateComponents`
/// and styles of formats hold, on a first weekday of more than 32 bits. A document can hold all of that, and a type
/// that decodes itself cannot be stopped once it began.
///
/// Each type is known by the keys that it asks a decoder for: they are its own, and it asks for them first. So a
/// wrapper that calls `IndexSet(from: decoder)` itself is protected as well as a field.
package enum FoundationTraps {
  private static let types: [any (Decodable & SendableMetatype).Type] = [
    IndexSet.self, CharacterSet.self, URLComponents.self, Calendar.self,
  ]
  /// The types of keys by which ``types`` read themselves, in the same order.
  private static let keys: [ObjectIdentifier?] = types.map { KeyProbe.keys(of: $0) }

  /// The type that reads itself by such keys; `nil` for any other keys.
  package static func type(readBy keys: ObjectIdentifier) -> (any Decodable.Type)? {
    Self.keys.firstIndex(of: keys).map { types[$0] }
  }

  /// Refuses what would trap; what is refused without a trap passes.
  ///
  /// To be called by each decoder of ours before it gives out a container with such keys. For any other keys nothing
  /// is read. Cost: four comparisons.
  ///
  /// - Throws: `DecodingError.dataCorrupted` at the decoder's place.
  package static func check(
    keys: ObjectIdentifier,
    from decoder: @autoclosure () -> any Decoder
  ) throws {
    guard let type = type(readBy: keys) else { return }
    let decoder = decoder()
    let isSafe =
      if type == IndexSet.self {
        try read(StoredIndexes.self, decoder)?.isSafe
      } else if type == CharacterSet.self {
        try read(StoredBitmap.self, decoder)?.isSafe
      } else if type == Calendar.self {
        try read(StoredCalendar.self, decoder)?.isSafe
      } else {
        try read(StoredComponents.self, decoder)?.isSafe
      }
    guard isSafe != false else {
      let path = decoder.codingPath.map { PathKey(spelled: $0) }.place
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "expected \(type), found parts that none has and that Foundation "
            + "would trap on, at \(path)"
        )
      )
    }
  }

  /// Nil where the type itself will refuse what it reads.
  private static func read<Stored: Decodable>(
    _ type: Stored.Type,
    _ decoder: any Decoder
  ) throws -> Stored? {
    do {
      return try Stored(from: decoder)
    } catch is DecodingError {
      return nil
    }
  }
}

/// An index set, as far as it can be read.
private struct StoredIndexes: Decodable {
  private enum Part: CodingKey { case indexes }
  private enum RunPart: CodingKey { case location, length }

  private(set) var isSafe = true

  init(from decoder: any Decoder) throws {
    var runs = try decoder.container(keyedBy: Part.self).nestedUnkeyedContainer(forKey: .indexes)
    while isSafe, !runs.isAtEnd {
      let run = try runs.nestedContainer(keyedBy: RunPart.self)
      let location = try run.decode(Int.self, forKey: .location)
      let length = try run.decode(Int.self, forKey: .length)
      isSafe =
        location >= 0 && length >= 0 && !location.addingReportingOverflow(length).overflow
    }
  }
}

/// A calendar's first weekday, which Foundation hands to a library as 32 bits.
private struct StoredCalendar: Decodable {
  let firstWeekday: Int

  var isSafe: Bool { Int32(exactly: firstWeekday) != nil }
}

private struct StoredBitmap: Decodable {
  let bitmap: Data

  /// One bit for each scalar of the basic plane; behind it the number of a further plane and its bits, and so on.
  ///
  /// Worked example: 8192 bytes, 1, and 8192 bytes are the basic plane and that of emoji. The bits of a last plane
  /// may be cut short; a number alone is not read.
  var isSafe: Bool {
    let planeSize = 8192
    guard bitmap.count >= planeSize else { return false }
    return stride(from: planeSize, to: bitmap.count - 1, by: 1 + planeSize).allSatisfy { offset in
      (1...16).contains(bitmap[bitmap.startIndex + offset])
    }
  }
}

/// Parts of a URL, each `nil` where it cannot be read.
private struct StoredComponents: Decodable {
  private let scheme: String?
  private let path: String?
  private let port: Int?
  private let hasAuthority: Bool

  private enum Part: String, CodingKey, CaseIterable {
    case scheme, user, password, host, port, path
  }

  init(from decoder: any Decoder) throws {
    let parts = try decoder.container(keyedBy: Part.self)
    scheme = try? parts.decode(String.self, forKey: .scheme)
    path = try? parts.decode(String.self, forKey: .path)
    port = try? parts.decode(Int.self, forKey: .port)
    hasAuthority = [.host, .port, .user, .password].contains { parts.contains($0) }
  }

  var isSafe: Bool {
    if let scheme {
      let isPlain = scheme.utf8.allSatisfy { byte in
        (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte)
          || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
      }
      guard isPlain, scheme.first?.isLetter == true else { return false }
    }
    // What is no URL as a whole traps later, when it is bridged to a class.
    if let path {
      guard hasAuthority ? path.isEmpty || path.hasPrefix("/") : !path.hasPrefix("//") else {
        return false
      }
    }
    return (port ?? 0) >= 0
  }
}
