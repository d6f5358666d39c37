import Foundation

/// What Foundation's own types trap on when they decode themselves, looked at before they do.
///
/// `IndexSet` traps on negative and overlong ranges, `CharacterSet` reads beyond a short bitmap,
/// `URLComponents` traps on schemes, ports and paths that no URL has. A document can hold all of
/// that, and a type that decodes itself cannot be stopped once it began.
package enum FoundationTraps {
  package static func isKnown(_ type: any Decodable.Type) -> Bool {
    type == IndexSet.self || type == CharacterSet.self || type == URLComponents.self
  }

  /// Refuses what would trap; what is refused without a trap passes.
  ///
  /// Values of other types pass unread.
  ///
  /// - Throws: `DecodingError.dataCorrupted` at the decoder's place.
  package static func check(
    _ type: any Decodable.Type,
    from decoder: @autoclosure () throws -> any Decoder
  ) throws {
    guard isKnown(type) else { return }
    let decoder = try decoder()
    let isSafe =
      if type == IndexSet.self {
        try read(StoredIndexes.self, decoder)?.isSafe
      } else if type == CharacterSet.self {
        try read(StoredBitmap.self, decoder)?.isSafe
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
  struct Run: Decodable {
    let location: Int
    let length: Int
  }

  /// A range, or what is not a range: Foundation refuses that, yet only when it comes to it.
  struct Entry: Decodable {
    let run: Run?

    init(from decoder: any Decoder) throws {
      run = try? Run(from: decoder)
    }
  }

  let indexes: [Entry]

  var isSafe: Bool {
    indexes.compactMap(\.run).allSatisfy { run in
      run.location >= 0 && run.length >= 0
        && !run.location.addingReportingOverflow(run.length).overflow
    }
  }
}

private struct StoredBitmap: Decodable {
  let bitmap: Data

  /// One bit for each scalar of the basic plane.
  var isSafe: Bool { bitmap.count >= 8192 }
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
