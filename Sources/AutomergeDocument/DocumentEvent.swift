/// One side of one mutating call: before it, or after it.
///
/// Each mutating call gives one event of each phase, also if it throws or turns out to change
/// nothing; a transaction, such as encoding a whole model, counts as one call.
///
///     put in a             will 1 (target a)    did 1 (changed: a)
///     encode, in a and b   will 2 (no target)   did 2 (changed: a, b)
///     merge of nothing     will 3 (no target)   did 3 (changed: none)
///     save                 none: it closes the open change, and shows nothing else than before
public struct DocumentEvent: Hashable, Sendable {
  /// Before or after.
  public enum Phase: Hashable, Sendable {
    /// The call has not changed anything yet.
    case will
    /// The call is over.
    case did
  }

  public let phase: Phase
  /// Numbers the document's mutating calls since it was first observed; both phases have the same.
  public let mutation: UInt64
  /// The object that the call named; `nil` for one that can reach any, such as a merge.
  public let target: ObjId?
  /// The objects that the call's operations wrote into; empty before the call.
  public let changed: Set<ObjId>
}

/// Keeps an observer registered, until it is cancelled or let go.
public final class ObservationToken: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  /// Ends the observation; more than once does no harm.
  public func cancel() { end() }

  deinit { end() }
}

extension Document {
  /// Calls `handler` before and after every mutating call, on the thread that makes the call.
  ///
  /// No lock is held meanwhile: the handler may read and edit this document and others. With
  /// `object`, it hears of calls that name that object, and of others that reached it; of those,
  /// such as a merge, both phases come after the call, since only then it is known what they reach.
  ///
  /// - Returns: what keeps the observation alive.
  public func observe(
    _ object: ObjId? = nil,
    _ handler: @escaping @Sendable (DocumentEvent) -> Void
  ) -> ObservationToken {
    let observer = Observer(object: object, handler: handler)
    observers.add(observer)
    return ObservationToken { [observers] in observers.remove(observer) }
  }

  /// The events of this document from now on, of all calls or of those that reach `object`.
  ///
  /// None is lost: events that were not taken yet are kept, as many as there are. The sequence ends
  /// when its task is cancelled, or when the document is let go.
  public func events(of object: ObjId? = nil) -> AsyncStream<DocumentEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: DocumentEvent.self)
    let observer = Observer(object: object) {
      continuation.yield($0)
    } onEnd: {
      continuation.finish()
    }
    observers.add(observer)
    continuation.onTermination = { [weak observers] _ in observers?.remove(observer) }
    return stream
  }
}
