/// Code that libFuzzer runs on its inputs, and how new inputs are made of others.
package protocol FuzzedCode: Sendable {
  /// Called once, before the first input.
  func begin()

  /// Called as the process ends, unless an input made it end.
  func end()

  /// Judges an input: 0 keeps what reaches something new, and -1 does not.
  func judge(_ bytes: [UInt8]) -> CInt

  /// An input with a change, decided by `seed`.
  ///
  /// `plain` is libFuzzer's own mutator: new bytes out of others, no more than the limit.
  func mutated(
    _ bytes: [UInt8],
    seed: UInt32,
    by plain: (_ bytes: [UInt8], _ countLimit: Int) -> [UInt8]
  ) -> [UInt8]

  /// An input made of two others; empty if none was made, after which libFuzzer goes on with another mutation.
  func crossed(_ first: [UInt8], _ second: [UInt8], seed: UInt32) -> [UInt8]
}

extension FuzzedCode {
  package func begin() {}
  package func end() {}
}
