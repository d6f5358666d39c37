import PropertyEngine

/// A public call of `Document` whose answer does not fit.
package struct PublicCallFault: Error, Hashable, CustomStringConvertible {
  /// Which call, and what is wrong with its answer.
  private(set) var reason: String
  /// Whether the reason names the object.
  private var isLocated = false

  init(_ reason: String) { self.reason = reason }

  /// The same fault with the object that was asked about; the first one that is named stays.
  func of(_ place: String) -> PublicCallFault {
    guard !isLocated else { return self }
    var fault = PublicCallFault("\(reason), of \(place)")
    fault.isLocated = true
    return fault
  }

  /// What a law says that finds it.
  var difference: Difference {
    Difference(
      kind: "call.wrong",
      summary: reason,
      expected: "what the call's documentation says"
    )
  }

  package var description: String { "the document's face is wrong: \(reason)" }
}

/// Throws a ``PublicCallFault`` that names the call, unless `holds`.
func expect(_ holds: Bool, _ call: @autoclosure () -> String) throws {
  if !holds { throw PublicCallFault(call()) }
}
