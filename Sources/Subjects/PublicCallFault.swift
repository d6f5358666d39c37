/// A public call of `Document` whose answer does not fit.
package struct PublicCallFault: Error, Hashable, CustomStringConvertible {
  /// Which call, and what is wrong with its answer.
  let reason: String

  init(_ reason: String) { self.reason = reason }

  package var description: String { "the document's face is wrong: \(reason)" }
}

/// Throws a ``PublicCallFault`` that names the call, unless `holds`.
func expect(_ holds: Bool, _ call: @autoclosure () -> String) throws {
  if !holds { throw PublicCallFault(call()) }
}
