import CodingSupport
import Foundation
import PropertyEngine

/// A value that asks for all of its containers itself, each within the one before.
///
/// Values within values are entered one by one, and a coder can count them there; containers that one value asks
/// for it must count where they are asked for.
///
///     way 0      maps in maps       {"next": {"next": {}}}
///     way 1      lists in lists     {"next": [[]]}
///     way 2      in turns           {"next": [{"next": []}]}
///     way 3      as way 0, each but the root by `superEncoder(forKey:)`
///     way 4      as way 1, each within a list by `superEncoder()`
///
/// A list that is the innermost container holds a string, which is no container and counts as no level.
struct HandNested: Codable {
  static let wayCount = 5
  /// The first of them, which use no `superEncoder`: coders other than those of documents have forms of their own for
  /// it.
  static let plainWayCount = 3

  /// How the decoder learns what is there; `nil` never, as the name is fixed.
  static let wayKey = CodingUserInfoKey(rawValue: "touchstone.way")

  let way: Int
  /// Containers, the root's among them; 1 at least.
  let count: Int

  private enum Key: String, CodingKey { case next }

  init(way: Int, count: Int) {
    self.way = way
    self.count = max(1, count)
  }

  private static func isList(_ way: Int, level: Int) -> Bool {
    way == 1 || way == 4 || way == 2 && !level.isMultiple(of: 2)
  }

  func encode(to encoder: any Encoder) throws {
    var map = encoder.container(keyedBy: Key.self)
    var list: (any UnkeyedEncodingContainer)?
    for level in 1..<count {
      if Self.isList(way, level: level) {
        let isSuper = way == 4 && list != nil
        list =
          isSuper
          ? list?.superEncoder().unkeyedContainer()
          : list?.nestedUnkeyedContainer() ?? map.nestedUnkeyedContainer(forKey: .next)
      } else if way == 3 {
        map = map.superEncoder(forKey: .next).container(keyedBy: Key.self)
      } else {
        map =
          list?.nestedContainer(keyedBy: Key.self)
          ?? map.nestedContainer(keyedBy: Key.self, forKey: .next)
        list = nil
      }
    }
    try list?.encode(Self.innermost)
  }

  private static let innermost = "innermost"

  /// By the call that decodes elements of arrays, which a string has no call of its own for.
  private static func element<Value: Decodable>(
    _ type: Value.Type,
    of list: inout any UnkeyedDecodingContainer
  ) throws -> Value {
    try list.decode(type)
  }

  /// Counts the containers that are there.
  init(from decoder: any Decoder) throws {
    let way = Self.wayKey.flatMap { decoder.userInfo[$0] as? Int } ?? 0
    var map = try decoder.container(keyedBy: Key.self)
    var list: (any UnkeyedDecodingContainer)?
    var count = 1
    while list.map({ !$0.isAtEnd }) ?? map.contains(.next) {
      if var elements = list, (try? Self.element(String.self, of: &elements)) == Self.innermost {
        break
      }
      if Self.isList(way, level: count) {
        list = try list?.nestedUnkeyedContainer() ?? map.nestedUnkeyedContainer(forKey: .next)
      } else {
        map =
          try list?.nestedContainer(keyedBy: Key.self)
          ?? map.nestedContainer(keyedBy: Key.self, forKey: .next)
        list = nil
      }
      count += 1
    }
    self.init(way: way, count: count)
  }
}

extension HandNested {
  /// What is wrong with a list of four such values, once the first has gone and two others have changed places.
  ///
  /// The values have `count` containers or one, two, three more: a coder that looks at the upper ones alone takes them
  /// for alike.
  ///
  ///     encoded     [20, 21, 22, 23]     then     [21, 23, 22]
  static func inLists(from count: Int, way: Int, _ trial: CodingTrial) throws -> Difference? {
    guard trial.subject.features.isSuperset(of: [.documents, .paths]) else { return nil }
    func list(_ additions: [Int]) -> [HandNested] {
      additions.map { HandNested(way: way, count: count + $0) }
    }
    let path = [PathKey.key("deep")]
    let (document, fresh) = (try trial.document(), try trial.document(actor: 2))
    try document.encode(list([0, 1, 2, 3]), at: path, EncodingSettings())
    try document.encode(list([1, 3, 2]), at: path, EncodingSettings())
    try fresh.encode(list([1, 3, 2]), at: path, EncodingSettings())
    return try trial.difference(
      document,
      from: fresh.tree(),
      "once a list of deep values has changed"
    )
  }
}
