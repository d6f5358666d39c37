/// Stand-in for Apple's `Combine`.
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  /// The stand-in for `receive(subscriber:)`.
  func subscribe(_ receive: @escaping (Output) -> Void) -> AnyCancellable
}

extension Publisher {
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(subscribe) }
}

extension Publisher where Failure == Never {
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    subscribe(receiveValue)
  }
}

/// A subscription, which ends with it.
public final class AnyCancellable {
  private var end: (() -> Void)?

  public init(_ cancel: @escaping () -> Void) { end = cancel }

  deinit { cancel() }

  public func cancel() {
    end?()
    end = nil
  }
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {
  private let source: (@escaping (Output) -> Void) -> AnyCancellable

  init(_ source: @escaping (@escaping (Output) -> Void) -> AnyCancellable) {
    self.source = source
  }

  public func subscribe(_ receive: @escaping (Output) -> Void) -> AnyCancellable {
    source(receive)
  }
}

/// The listeners, in the order of their subscriptions.
private final class Listeners<Output> {
  private var last = 0
  private var all: [(id: Int, receive: (Output) -> Void)] = []

  func add(_ receive: @escaping (Output) -> Void) -> AnyCancellable {
    last += 1
    let id = last
    all.append((id, receive))
    return AnyCancellable { [self] in all.removeAll { $0.id == id } }
  }

  func send(_ input: Output) {
    for listener in all { listener.receive(input) }
  }
}

public final class PassthroughSubject<Output, Failure: Error>: Publisher {
  private let listeners = Listeners<Output>()

  public init() {}

  public func send(_ input: Output) { listeners.send(input) }

  public func subscribe(_ receive: @escaping (Output) -> Void) -> AnyCancellable {
    listeners.add(receive)
  }
}

public final class ObservableObjectPublisher: Publisher {
  public typealias Output = Void
  public typealias Failure = Never

  private let listeners = Listeners<Void>()

  public init() {}

  public func send() { listeners.send(()) }

  public func subscribe(_ receive: @escaping (Output) -> Void) -> AnyCancellable {
    listeners.add(receive)
  }
}

public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangePublisher: Publisher
  where ObjectWillChangePublisher.Failure == Never
  var objectWillChange: ObjectWillChangePublisher { get }
}
