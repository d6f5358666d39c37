/// Makes samples: a pure function of the choices it draws.
///
/// A smaller choice gives a simpler sample, so that shrinking needs no code of its own.
package struct Generator<Value>: Sendable {
  let body: @Sendable (inout Choices) -> Value

  package init(_ draw: @escaping @Sendable (inout Choices) -> Value) {
    body = draw
  }

  /// Draws one sample.
  package func draw(_ choices: inout Choices) -> Value {
    body(&choices)
  }
}

extension Generator {
  /// The samples of this generator, each transformed.
  package func map<Other>(
    _ transform: @escaping @Sendable (Value) -> Other
  ) -> Generator<Other> {
    Generator<Other> { transform(draw(&$0)) }
  }
}
