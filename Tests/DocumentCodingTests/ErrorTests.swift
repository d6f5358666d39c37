import DocumentCoding
import Foundation
import Testing

@Suite("Errors of bound values in sentences")
struct BindingErrorTests {
  @Test(
    "A refused binding says why in plain words",
    arguments: [
      (.InvalidPath("[0]"), "The path [0] leads to no value that can be bound."),
      (.NotText, "The value in the document is no text."),
      (.NotCounter, "The value in the document is no counter."),
      (.Unbound, "The instance is not bound to a document."),
    ] as [(BindingError, String)]
  )
  func sentence(_ error: BindingError, _ text: String) {
    #expect(error.description == text)
    #expect(error.localizedDescription == text)
  }
}
