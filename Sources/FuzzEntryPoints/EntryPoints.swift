import Foundation

/// The target *histories*: judges the history that a fuzzer's bytes choose.
///
/// Every input is valid, whatever its bytes. A law that the subject breaks is told on standard error,
/// with the history, the difference and how to replay it; then the process traps, which is how a
/// fuzzer learns of it.
///
/// - Returns: 0, which keeps an input that reaches something new in the fuzzer's corpus.
public func fuzzHistories(_ bytes: UnsafeRawBufferPointer, on subject: FuzzSubject) -> CInt {
  let input = HistoryInput(bytes: unsafe Array(bytes))
  guard let finding = input.finding(on: subject) else { return 0 }
  complain(input.words(for: finding, on: subject, file: nil))
  abort()
}

/// The target *load*: loads a fuzzer's bytes, as they are and with their checksum made right.
///
/// A law that the engine breaks is told on standard error; then the process traps.
///
/// - Returns: 0, which keeps an input that reaches something new in the fuzzer's corpus.
public func fuzzLoad(_ bytes: UnsafeRawBufferPointer) -> CInt {
  let input = LoadInput(bytes: unsafe Array(bytes))
  guard let finding = input.finding() else { return 0 }
  complain(input.words(for: finding, file: nil))
  abort()
}

/// A target of coders: judges the law and the sample that a fuzzer's bytes choose.
///
/// Every input is valid, whatever its bytes. A law that the subject breaks is told on standard error,
/// with the sample, the difference and how to replay it; then the process traps.
///
/// - Returns: 0, which keeps an input that reaches something new in the fuzzer's corpus.
public func fuzzCoder(
  _ bytes: UnsafeRawBufferPointer,
  _ target: CoderFuzzTarget,
  on subject: CoderFuzzSubject
) -> CInt {
  let input = CodingInput(bytes: unsafe Array(bytes), target, subject)
  guard let finding = input.finding(on: subject) else { return 0 }
  complain(input.words(for: finding, on: subject, file: nil))
  abort()
}

/// The mutator of the target *load*: what libFuzzer does by itself, with or without a right checksum,
/// or a wound that knows the format's habits.
///
/// - Parameters:
///   - buffer: The input, and room for a larger one.
///   - count: Bytes of the input.
///   - seed: What decides on the change.
///   - plain: libFuzzer's own mutator: changes the bytes at a place, of a count, up to a limit.
/// - Returns: Bytes of the new input.
public func mutateLoad(
  _ buffer: UnsafeMutableBufferPointer<UInt8>,
  count: Int,
  seed: UInt32,
  plain: (UnsafeMutablePointer<UInt8>?, Int, Int) -> Int
) -> Int {
  let input = LoadInput(bytes: unsafe Array(buffer.prefix(count)))
  let mutated = input.mutated(seed: seed) { bytes in
    // The fuzzer's buffer lends its room.
    let count = unsafe plain(buffer.baseAddress, bytes.count, buffer.count)
    return unsafe Array(buffer.prefix(count))
  }
  let kept = mutated.prefix(buffer.count)
  for (index, byte) in kept.enumerated() { unsafe buffer[index] = byte }
  return kept.count
}

/// Lets the process end as the operating system would have it when it traps.
///
/// The Swift runtime's backtracer installs handlers of its own, and libFuzzer, finding them, installs
/// none: no crash file would be written. A fuzzer calls this from `LLVMFuzzerInitialize`.
public func resetSignalHandlers() {
  for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
    signal(number, SIG_DFL)
  }
}

/// Writes to standard error at once: nothing may be left in a buffer when the process traps.
func complain(_ words: String) {
  // Nobody is left to be told if this fails.
  try? FileHandle.standardError.write(contentsOf: Data(words.utf8))
}
