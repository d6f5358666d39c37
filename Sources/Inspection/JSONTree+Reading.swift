import Foundation

extension JSONTree {
  /// Reads JSON text in UTF-8; members come in the order of their keys' bytes.
  ///
  /// Foundation parses; what it would read inexactly is refused before.
  ///
  /// - Throws: ``JSONTextError``.
  package init(parsing bytes: [UInt8]) throws(JSONTextError) {
    let check = try JSONGuard(bytes)
    guard let parsed = try? Self.parse(check.marked) else {
      throw JSONTextError(reason: .malformed(Self.complaint(about: bytes)), offset: nil)
    }
    var memberCount = 0
    self = Self.tree(parsed, &memberCount)
    guard memberCount == check.memberCount else {
      throw JSONTextError(reason: .equivalentKeys, offset: nil)
    }
  }

  private static func parse(_ bytes: [UInt8]) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
  }

  /// What Foundation has to say about a text; its places are those of the text as it was given.
  private static func complaint(about bytes: [UInt8]) -> String {
    do {
      _ = try parse(bytes)
      return "it is not well-formed"
    } catch {
      let error = error as NSError
      return error.userInfo["NSDebugDescription"] as? String ?? error.localizedDescription
    }
  }

  private static func tree(_ value: Any, _ memberCount: inout Int) -> JSONTree {
    switch value {
    case let text as String:
      let rest = unmarked(text)
      let isNumber = text.unicodeScalars.first == "n"
      return isNumber ? JSONGuard.number(rest) ?? .null : .string(rest)
    case let members as [String: Any]:
      memberCount += members.count
      let keys = members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      return .object(
        keys.map { Member(unmarked($0), members[$0].map { tree($0, &memberCount) } ?? .null) }
      )
    case let elements as [Any]: return .array(elements.map { tree($0, &memberCount) })
    case let truth as Bool: return .boolean(truth)
    default: return .null
    }
  }

  /// A string without the mark of ``JSONGuard``.
  private static func unmarked(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.dropFirst()))
  }
}
