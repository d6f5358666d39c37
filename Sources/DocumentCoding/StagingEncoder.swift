import CodingSupport
import Foundation

/// What a value encodes itself into: it holds the one thing that was asked for.
final class StagingEncoder: Encoder {
  let session: StagingSession
  let path: CodingPath
  /// Values around this one.
  let depth: Int
  /// Whether the value asked for a container itself, rather than passing another value on.
  private(set) var isContainer = false
  private var result: StagedValue?

  init(session: StagingSession, path: CodingPath, depth: Int, result: StagedValue? = nil) {
    self.session = session
    self.path = path
    self.depth = depth
    self.result = result
  }

  var codingPath: [any CodingKey] { path.codingKeys }
  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let map: StagedMap
    switch result {
    case nil:
      map = StagedMap(capacity: session.likelyCount)
      result = .map(map)
      isContainer = true
    case .map(let known): map = known
    default:
      map = StagedMap()
      refuse()
    }
    return KeyedEncodingContainer(
      KeyedStaging<Key>(session: session, map: map, path: path, depth: depth)
    )
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    let list: StagedList
    switch result {
    case nil:
      list = StagedList()
      result = .list(list)
      isContainer = true
    case .list(let known): list = known
    default:
      list = StagedList()
      refuse()
    }
    return UnkeyedStaging(session: session, list: list, path: path, depth: depth)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleStaging(encoder: self)
  }

  /// Takes the value of a single-value container.
  func set(_ value: StagedValue) {
    switch result {
    case nil: result = value
    case .map, .list: refuse()
    default: preconditionFailure("a second value through one single-value container, at \(path)")
    }
  }

  /// Containers cannot refuse when they are asked for: the refusal is thrown at the end.
  private func refuse() {
    session.fail(
      session.refusal(
        "\(path)",
        path,
        "one value asked its encoder for containers of two kinds"
      )
    )
  }

  /// What was written; a value that asked for nothing is an empty map.
  func finish() -> StagedValue {
    if case nil = result { isContainer = true }
    return result ?? .map(StagedMap())
  }
}
