#if canImport(SwiftUI)
public import SwiftUI

extension AutomergeText {
  /// What a text field reads and writes: each keystroke goes to the document, without an encode.
  public func textBinding() -> SwiftUI.Binding<String> {
    SwiftUI.Binding(get: { self.value }, set: { self.value = $0 })
  }

  #if !os(tvOS) && !os(watchOS)
  /// What an editor selects, tied to the characters: it moves with them when a peer types.
  ///
  ///     @State private var anchor: TextAnchor?
  ///     TextEditor(text: note.body.textBinding(), selection: note.body.selectionBinding($anchor))
  ///
  /// Of several selected pieces the whole stretch from the first to the last is kept.
  public func selectionBinding(
    _ anchor: SwiftUI.Binding<TextAnchor?>
  ) -> SwiftUI.Binding<TextSelection?> {
    SwiftUI.Binding(
      get: {
        anchor.wrappedValue.flatMap { self.selection(of: $0) }.map { TextSelection(range: $0) }
      },
      set: { selection in
        switch selection?.indices {
        case .selection(let range)?: anchor.wrappedValue = self.anchor(range)
        case .multiSelection(let ranges)?:
          let pieces = ranges.ranges
          anchor.wrappedValue =
            pieces.first.flatMap { first in
              pieces.last.flatMap { self.anchor(first.lowerBound..<$0.upperBound) }
            }
        default: anchor.wrappedValue = nil
        }
      }
    )
  }
  #endif
}

extension Counter {
  /// What a stepper reads and writes: what it adds goes to the document, without an encode.
  public func valueBinding() -> SwiftUI.Binding<Int> {
    SwiftUI.Binding(get: { self.value }, set: { self.value = $0 })
  }
}
#endif
