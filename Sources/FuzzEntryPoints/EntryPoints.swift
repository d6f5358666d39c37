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
