#if os(Linux) || os(macOS)
import Foundation

/// Which signals reach a thread.
package enum Signals {
  /// Lets signals through to the calling thread, which may have begun without.
  package static func letThrough(_ numbers: [CInt]) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in numbers { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Does something while all signals reach the calling thread, as programs that are started meanwhile
  /// inherit.
  package static func lettingAllThrough<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var (none, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }
}
#endif
