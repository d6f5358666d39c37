import CodingSupport
import Foundation

// The calls of decoding containers as data, for `containers.calls` alone. The same numbers are
// asked of the subject and of `TreeDecoder`, which knows the rules; the two lists of answers must
// be equal. A number is four decisions, from the lowest digit: which of 24 calls, whom it is made
// to (two of four the list, one a map, one a map by `IfPresent`), and which of two keys. 24 * 4 * 2
// = 192 numbers are all calls.
//
//       4 =  4 + 24 * 0             the list, `decode(Int.self)`
//     148 =  4 + 24 * 2 + 96 * 1    the map, `decode(Int.self, forKey: "b")`
//      76 =  4 + 24 * 3 + 96 * 0    the map, `decodeIfPresent(Int.self, forKey: "a")`

/// Asks decoding containers for what numbers say, right or wrong, and notes what comes of each call.
///
/// A model's `init(from:)` asks for one thing after the other and stops at the first refusal; code that is
/// written by hand goes on with another call on the same container.
///
/// Worked example: a list `["x", 1]`, and the calls Int, String, Int. The first is refused and must
/// leave the index at 0, so that the others give "x" and 1. A decoder that advances all the same
/// refuses the other two as well.
///
///     call          its answer                    where the list stands after it
///     4, Int        refused: typeMismatch at …    0 of 2, at its end: false
///     1, String     x                             1 of 2, at its end: false
///     4, Int        1                             2 of 2, at its end: true
struct ProbedCalls: Decodable {
  /// Under which numbers are found, in the decoder's user info.
  static let key = CodingUserInfoKey(rawValue: "touchstone.calls")
  static let listKey = PathKey.key("list")
  /// Keys that may hold anything, or be missing.
  ///
  /// Two, so that a call's key can differ from that of the call before.
  static let keys = ["a", "b"].map { PathKey.key($0) }
  /// Calls that a number chooses among.
  static let callCount = 24

  /// One answer for each call, and where the list stands after each call to it.
  private(set) var outcomes: [String] = []

  /// It throws only where the map, or its list, is not there: what the calls throw is an answer.
  init(from decoder: any Decoder) throws {
    let numbers = Self.key.flatMap { decoder.userInfo[$0] as? [Int] } ?? []
    let container = try decoder.container(keyedBy: PathKey.self)
    var list = try container.nestedUnkeyedContainer(forKey: Self.listKey)
    for number in numbers {
      let call = number % Self.callCount
      let from = number / Self.callCount % 4
      switch from {
      case 0, 1:
        note { try Self.ask(&list, call) }
        outcomes.append("\(list.currentIndex) of \(list.count ?? -1), at its end: \(list.isAtEnd)")
      case 2:
        let key = Self.keys[number / Self.callCount / 4 % Self.keys.count]
        note { try Self.ask(container, key, call) }
      default:
        let key = Self.keys[number / Self.callCount / 4 % Self.keys.count]
        note { try Self.askIfPresent(container, key, call) }
      }
    }
  }

  /// Adds what came of a call: its value as text, or the kind and the path of the refusal.
  ///
  /// What is no coding error is noted by its type.
  private mutating func note(_ body: () throws -> String) {
    do {
      outcomes.append(try body())
    } catch {
      guard let failure = CodingFailure(error) else {
        outcomes.append("refused: \(type(of: error))")
        return
      }
      // A null may be called a wrong type or a missing value.
      let kind = failure.kind == .valueNotFound ? .typeMismatch : failure.kind
      outcomes.append("refused: \(kind.rawValue) at \(failure.spelledPath)")
    }
  }

  /// Its coding path, and how much it holds.
  ///
  /// A count of -1 stands for a list that does not tell its count.
  private static func shape(_ list: any UnkeyedDecodingContainer) -> String {
    "a list of \(list.count ?? -1) at \(list.codingPath.map(\.stringValue))"
  }

  private static func shape(_ map: KeyedDecodingContainer<PathKey>) -> String {
    "a map of \(map.allKeys.count) at \(map.codingPath.map(\.stringValue))"
  }

  /// The coding paths of a decoder and of its container for a single value.
  private static func place(of decoder: any Decoder) throws -> String {
    let single = try decoder.singleValueContainer()
    return "at \(decoder.codingPath.map(\.stringValue)), \(single.codingPath.map(\.stringValue))"
  }

  /// The calls of an unkeyed container, by number; from 23 on, what it looks like.
  private static func ask(
    _ list: inout any UnkeyedDecodingContainer,
    _ call: Int
  ) throws -> String {
    switch call {
    case 0: "\(try list.decode(Bool.self))"
    case 1: "\(try list.decode(String.self))"
    case 2: "\(try list.decode(Double.self))"
    case 3: "\(try list.decode(Float.self))"
    case 4: "\(try list.decode(Int.self))"
    case 5: "\(try list.decode(Int8.self))"
    case 6: "\(try list.decode(Int16.self))"
    case 7: "\(try list.decode(Int32.self))"
    case 8: "\(try list.decode(Int64.self))"
    case 9: "\(try list.decode(UInt.self))"
    case 10: "\(try list.decode(UInt8.self))"
    case 11: "\(try list.decode(UInt16.self))"
    case 12: "\(try list.decode(UInt32.self))"
    case 13: "\(try list.decode(UInt64.self))"
    case 14: "\(try list.decode([Int].self))"
    case 15: "\(try list.decode(Data.self))"
    case 16: "\(try list.decode(Date.self).timeIntervalSince1970)"
    // Behind the last element it is no, or refused: both are common.
    case 17: list.isAtEnd ? "at its end" : "nil: \(try list.decodeNil())"
    case 18: shape(try list.nestedContainer(keyedBy: PathKey.self))
    case 19: shape(try list.nestedUnkeyedContainer())
    case 20: try place(of: list.superDecoder())
    case 21: "\(try list.decodeIfPresent(Int.self).map { "\($0)" } ?? "nil")"
    case 22: "\(try list.decodeIfPresent([String].self).map { "\($0)" } ?? "nil")"
    default: shape(list)
    }
  }

  /// The calls of a keyed container, by number; from 23 on, what it looks like.
  private static func ask(
    _ map: KeyedDecodingContainer<PathKey>,
    _ key: PathKey,
    _ call: Int
  ) throws -> String {
    switch call {
    case 0: "\(try map.decode(Bool.self, forKey: key))"
    case 1: "\(try map.decode(String.self, forKey: key))"
    case 2: "\(try map.decode(Double.self, forKey: key))"
    case 3: "\(try map.decode(Float.self, forKey: key))"
    case 4: "\(try map.decode(Int.self, forKey: key))"
    case 5: "\(try map.decode(Int8.self, forKey: key))"
    case 6: "\(try map.decode(Int16.self, forKey: key))"
    case 7: "\(try map.decode(Int32.self, forKey: key))"
    case 8: "\(try map.decode(Int64.self, forKey: key))"
    case 9: "\(try map.decode(UInt.self, forKey: key))"
    case 10: "\(try map.decode(UInt8.self, forKey: key))"
    case 11: "\(try map.decode(UInt16.self, forKey: key))"
    case 12: "\(try map.decode(UInt32.self, forKey: key))"
    case 13: "\(try map.decode(UInt64.self, forKey: key))"
    case 14: "\(try map.decode([Int].self, forKey: key))"
    case 15: "\(try map.decode(Data.self, forKey: key))"
    case 16: "\(try map.decode(Date.self, forKey: key).timeIntervalSince1970)"
    case 17: "nil: \(try map.decodeNil(forKey: key))"
    case 18: shape(try map.nestedContainer(keyedBy: PathKey.self, forKey: key))
    case 19: shape(try map.nestedUnkeyedContainer(forKey: key))
    case 20: "there: \(map.contains(key))"
    // Where nothing stands a superclass shares the map.
    case 21: "\(try map.superDecoder(forKey: key).container(keyedBy: PathKey.self).allKeys.count)"
    // `nil` where nothing stands, as by `decodeIfPresent`.
    case 22: "\(try map.decode(Int?.self, forKey: key).map { "\($0)" } ?? "nil")"
    default: shape(map)
    }
  }

  /// The calls that answer `nil` for what is not there; a number from 16 on asks for a dictionary.
  private static func askIfPresent(
    _ map: KeyedDecodingContainer<PathKey>,
    _ key: PathKey,
    _ call: Int
  ) throws -> String {
    func text(_ value: (some Any)?) -> String { value.map { "\($0)" } ?? "nil" }
    return switch call {
    case 0: text(try map.decodeIfPresent(Bool.self, forKey: key))
    case 1: text(try map.decodeIfPresent(String.self, forKey: key))
    case 2: text(try map.decodeIfPresent(Double.self, forKey: key))
    case 3: text(try map.decodeIfPresent(Float.self, forKey: key))
    case 4: text(try map.decodeIfPresent(Int.self, forKey: key))
    case 5: text(try map.decodeIfPresent(Int8.self, forKey: key))
    case 6: text(try map.decodeIfPresent(Int16.self, forKey: key))
    case 7: text(try map.decodeIfPresent(Int32.self, forKey: key))
    case 8: text(try map.decodeIfPresent(Int64.self, forKey: key))
    case 9: text(try map.decodeIfPresent(UInt.self, forKey: key))
    case 10: text(try map.decodeIfPresent(UInt8.self, forKey: key))
    case 11: text(try map.decodeIfPresent(UInt16.self, forKey: key))
    case 12: text(try map.decodeIfPresent(UInt32.self, forKey: key))
    case 13: text(try map.decodeIfPresent(UInt64.self, forKey: key))
    case 14: text(try map.decodeIfPresent([Int].self, forKey: key))
    case 15: text(try map.decodeIfPresent(Data.self, forKey: key))
    default: text(try map.decodeIfPresent([String: Int].self, forKey: key))
    }
  }
}
