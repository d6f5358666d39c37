import CodingSupport
import Foundation
import ModelGeneration

/// Refuses documents on which Foundation's own types trap, so that the rest of a model is judged.
///
/// `IndexSet` traps on negative and overlong ranges, `CharacterSet` on a short bitmap, `URLComponents`
/// on schemes, ports and paths that no URL has. Whoever uses them cannot mend that.
enum FoundationTraps {
  /// A decoder of documents that nobody wrote: changed ones, and those of other versions.
  static var decoder: TreeDecoder {
    var decoder = TreeDecoder()
    decoder.intercept = { type, tree, path in
      try refuse(type, tree, path)
      return nil
    }
    return decoder
  }

  static func isKnown(_ type: any Decodable.Type) -> Bool {
    type == IndexSet.self || type == CharacterSet.self || type == URLComponents.self
  }

  static func refuse(_ type: any Decodable.Type, _ tree: Tree, _ path: CodingPath) throws {
    let isSafe: Bool
    if type == IndexSet.self {
      isSafe = isIndexSet(tree)
    } else if type == CharacterSet.self {
      isSafe = isCharacterSet(tree)
    } else if type == URLComponents.self {
      isSafe = isComponents(tree)
    } else {
      return
    }
    guard !isSafe else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: path.codingKeys, debugDescription: "\(type) would trap")
    )
  }

  private static func number(_ key: String, of tree: Tree) -> Int64? {
    guard case .int(let number)? = tree.child(.key(key)) else { return nil }
    return number
  }

  private static func isIndexSet(_ tree: Tree) -> Bool {
    guard case .list(let ranges)? = tree.child(.key("indexes")) else { return true }
    return ranges.allSatisfy { range in
      let start = number("location", of: range) ?? 0
      let length = number("length", of: range) ?? 0
      return start >= 0 && length >= 0 && !start.addingReportingOverflow(length).overflow
    }
  }

  private static func isCharacterSet(_ tree: Tree) -> Bool {
    guard case .bytes(let bytes)? = tree.child(.key("bitmap")) else { return true }
    return bytes.count >= 8192
  }

  private static func isComponents(_ tree: Tree) -> Bool {
    if case .string(let scheme)? = tree.child(.key("scheme")) {
      let isPlain = scheme.utf8.allSatisfy { byte in
        (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte)
          || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
      }
      guard isPlain, scheme.first?.isLetter == true else { return false }
    }
    // What is no URL as a whole traps later, when it is bridged to a class.
    let authority = ["host", "port", "user", "password"].contains { tree.child(.key($0)) != nil }
    if case .string(let path)? = tree.child(.key("path")) {
      guard authority ? path.isEmpty || path.hasPrefix("/") : !path.hasPrefix("//") else {
        return false
      }
    }
    return (number("port", of: tree) ?? 0) >= 0
  }
}
