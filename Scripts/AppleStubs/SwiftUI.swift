/// Stand-in for Apple's `SwiftUI`.
@propertyWrapper
public struct Binding<Value> {
  private let get: @isolated(any) @Sendable () -> Value

  public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    self.get = get
  }

  public var wrappedValue: Value? { nil }
}
