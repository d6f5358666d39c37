import Foundation
import SystemCalls

/// Sees to it that files, pipes and processes can be opened, before any is needed.
///
/// Where descriptors run out later, it is too late for words: the library that waits for processes ends
/// the program.
enum Descriptors {
  /// Free descriptors without which no command begins: what a run with four workers opens, and some more.
  static let neededCount = 64
  /// The number of open files that is asked of the system; macOS gives no more.
  private static let wantedLimit = 10_240
  /// Free descriptors are looked for below this one.
  private static let searchLimit = 1024

  /// To be called before anything is opened.
  ///
  /// - Returns: Why nothing can be done, if fewer than ``neededCount`` descriptors are free and the system
  ///   gives no more; otherwise `nil`.
  static func prepare() -> String? {
    guard let given = ProcessLimits.askForOpenFiles(wantedLimit) else { return nil }
    // Inherited from a program that had a higher limit: nothing here uses them, and while they are open
    // no process can be started.
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
    for descriptor in open.compactMap({ CInt($0) }) where descriptor >= given { close(descriptor) }
    let freeCount = (0..<min(given, searchLimit)).count { !isOpen($0) }
    guard freeCount < neededCount else { return nil }
    return "only \(freeCount) more files can be opened here, and \(neededCount) are needed: "
      + "raise the limit of open files (`ulimit -n 1024`)"
  }

  private static func isOpen(_ descriptor: Int) -> Bool { Descriptor(CInt(descriptor)).isOpen }
}
