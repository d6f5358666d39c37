/// A public call of `Document` whose answer does not fit.
package struct PublicCallFault: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = "the document's face is wrong: \(description)"
  }
}

/// Throws a ``PublicCallFault`` that names the call, unless `holds`.
func expect(_ holds: Bool, _ call: @autoclosure () -> String) throws {
  if !holds { throw PublicCallFault(call()) }
}
