public import Testing

/// Expects that a property holds for all values of some recipes.
///
/// ```swift
/// @Test func reversingTwice() async throws {
///   try await expectProperty("reversing twice", of: .array(of: .int())) { list in
///     #expect(list.reversed().reversed() == list)
///   }
/// }
/// ```
///
/// A case fails where an expectation in the property does, where it throws, or where it returns `false`; a
/// comparison in `#expect` shows both sides, which a returned one does not. A trap is reported with
/// the value that it happened on. Each way of failing, by the place of the expectation or the type
/// of the error, is made small and recorded as one issue, with the value and the command that
/// judges it again. A page of it and its case file are attached; the latter is stored in
/// `__Touchstone__` beside the test, where it is tried first at the next run. Values that the
/// property says nothing of are left out by throwing ``Discarded``.
///
/// The first case is the simplest value of all. A property uses nothing that changes from case to case but
/// its values; one that does not fail again on the same value is reported as such.
///
/// - Parameters:
///   - name: What messages and files call the property; two of one test file need two names.
///   - values: Where values come from, one recipe for each parameter.
///   - cases: How many cases, ``LawSettings/defaultCases`` by default.
///   - seed: Where the choices start, 1 by default.
///   - time: When to stop early.
///   - sourceLocation: Where issues are recorded, and whose folder keeps the failures.
///   - property: What must hold. Only a `Bool` that it returns is looked at.
/// - Throws: ``JudgementError`` if too little was judged.
public func expectProperty<each Value: Sendable, Outcome>(
  _ name: String,
  of values: repeat Values<each Value>,
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ property: @escaping @Sendable (repeat each Value) async throws -> Outcome
) async throws {
  let expectation = PropertyExpectation(
    name: name,
    values: .tuple(repeat each values),
    property: { (all: (repeat each Value)) in isNotFalse(try await property(repeat each all)) }
  )
  try await recordFailures(at: sourceLocation) { folder in
    try await expectation.outcome(LawSettings(cases: cases, seed: seed, time: time), in: folder)
  }
}

/// The ways in which a property fails, for tests of XCTest and other places.
///
/// It fails by throwing, or by returning `false`.
///
/// `file`, `test` and `onNote` are those of ``lawFailures(of:with:samples:words:generators:tolerance:cases:seed:time:file:test:onNote:)``.
///
/// - Throws: ``JudgementError`` if too little was judged.
public func propertyFailures<each Value: Sendable, Outcome>(
  _ name: String,
  of values: repeat Values<each Value>,
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  file: String = #filePath,
  test: String = #function,
  onNote: (String) -> Void = { print($0) },
  _ property: @escaping @Sendable (repeat each Value) async throws -> Outcome
) async throws -> [ModelFailure] {
  let expectation = PropertyExpectation(
    name: name,
    values: .tuple(repeat each values),
    property: { (all: (repeat each Value)) in isNotFalse(try await property(repeat each all)) }
  )
  return try await expectation.outcome(
    LawSettings(cases: cases, seed: seed, time: time),
    in: FailureFolder(besideFile: file, test: test)
  ).failures(onNote)
}

/// Whether a property says that it holds: all but `false` does, or one that only compares would hold always.
private func isNotFalse<Outcome>(_ outcome: Outcome) -> Bool {
  outcome as? Bool ?? true
}
