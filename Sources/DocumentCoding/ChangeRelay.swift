#if canImport(Combine)
import AutomergeDocument
public import Combine
import Synchronization

/// Passes on to views what a document tells of one object, if the value changed with it.
///
/// The publisher is sent from the thread that changed the document.
///
/// Two changes that follow each other fast may be published as one: what was read last is compared,
/// and a value that went and came back between is no change. The lock is not held while the value
/// is read or views are notified.
final class ChangeRelay: @unchecked Sendable {
  let publisher = ObservableObjectPublisher()
  private let state = Mutex<(token: ObservationToken?, last: Int?)>((nil, nil))

  /// Follows an object of a document from now on, and no other.
  func follow(
    _ document: Document,
    _ object: ObjId,
    _ value: @escaping @Sendable () -> Int?
  ) {
    let now = value()
    let token = document.observe(object) { [weak self] event in
      if event.phase == .did { self?.look(value()) }
    }
    let old = state.withLock { state in
      let old = state.token
      state = (token, now)
      return old
    }
    old?.cancel()
  }

  func send() { publisher.send() }

  /// A document publishes each change of the object, and views want only other values.
  private func look(_ value: Int?) {
    let changed = state.withLock { state in
      defer { state.last = value }
      return state.last != value
    }
    if changed { publisher.send() }
  }
}

extension AutomergeText: ObservableObject {
  public var objectWillChange: ObservableObjectPublisher { relay.publisher }
}

extension Counter: ObservableObject {
  public var objectWillChange: ObservableObjectPublisher { relay.publisher }
}
#endif
