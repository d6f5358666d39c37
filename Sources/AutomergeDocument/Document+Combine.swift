#if canImport(Combine)
public import Combine

/// The publishers of one document.
///
/// Not checked by the compiler: both are made once, and may be sent to from any thread.
final class DocumentPublishers: @unchecked Sendable {
  let willChange = ObservableObjectPublisher()
  let didChange = PassthroughSubject<(), Never>()

  func publish(_ event: DocumentEvent) {
    switch event.phase {
    case .will: willChange.send()
    case .did: didChange.send(())
    }
  }
}

extension Document: ObservableObject {
  /// Sends before each mutating call, on the thread that makes it.
  public var objectWillChange: ObservableObjectPublisher { madePublishers.willChange }

  /// Sends after each mutating call, on the thread that made it.
  public var objectDidChange: AnyPublisher<(), Never> {
    madePublishers.didChange.eraseToAnyPublisher()
  }

  /// Observed from the first question on: a document without subscribers pays nothing.
  private var madePublishers: DocumentPublishers {
    lock.withLock {
      if let publishers { return publishers }
      let made = DocumentPublishers()
      publishers = made
      observers.add(Observer(object: nil, handler: made.publish))
      return made
    }
  }
}
#endif
