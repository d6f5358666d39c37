import Foundation

extension JSONTree {
  /// Reads JSON text in UTF-8; members come in the order of their keys' bytes.
  ///
  /// Foundation parses; what it would read inexactly is refused before.
  ///
  /// - Throws: ``JSONTextError``.
  package init(parsing bytes: [UInt8]) throws(JSONTextError) {
    let check = try JSONGuard(bytes)
    let parsed: Any
    do {
      parsed = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    } catch {
      let info = (error as NSError).userInfo
      let words = info["NSDebugDescription"] as? String ?? error.localizedDescription
      throw JSONTextError(
        reason: .malformed(words),
        offset: info["NSJSONSerializationErrorIndex"] as? Int
      )
    }
    var memberCount = 0
    self = Self.tree(parsed, &memberCount)
    guard memberCount == check.memberCount else {
      throw JSONTextError(reason: .equivalentKeys, offset: nil)
    }
  }

  private static func tree(_ value: Any, _ memberCount: inout Int) -> JSONTree {
    switch value {
    case let text as String: return .string(text)
    case let members as [String: Any]:
      memberCount += members.count
      let keys = members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      return .object(
        keys.map { Member($0, members[$0].map { tree($0, &memberCount) } ?? .null) }
      )
    case let elements as [Any]: return .array(elements.map { tree($0, &memberCount) })
    case let number as NSNumber: return tree(number)
    default: return .null
    }
  }

  private static func tree(_ number: NSNumber) -> JSONTree {
    switch unsafe String(cString: number.objCType) {
    case "c", "B": return .boolean(number.boolValue)
    case "Q": return JSONTree(number.uint64Value)
    case "d", "f":
      // Of the least 64-bit number Foundation makes a decimal.
      if number is NSDecimalNumber, let whole = Int64(number.stringValue) { return .int(whole) }
      return .double(number.doubleValue)
    default: return .int(number.int64Value)
    }
  }
}
