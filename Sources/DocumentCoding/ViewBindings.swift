#if canImport(SwiftUI)
public import SwiftUI

extension AutomergeText {
  /// What a text field reads and writes: each keystroke goes to the document, without an encode.
  public func textBinding() -> SwiftUI.Binding<String> {
    SwiftUI.Binding(get: { self.value }, set: { self.value = $0 })
  }
}

extension Counter {
  /// What a stepper reads and writes: what it adds goes to the document, without an encode.
  public func valueBinding() -> SwiftUI.Binding<Int> {
    SwiftUI.Binding(get: { self.value }, set: { self.value = $0 })
  }
}
#endif
