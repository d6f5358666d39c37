import CaseFiles
import Foundation
import Synchronization
import SystemCalls
import Texts

/// What the command writes to its standard output and error.
///
/// Neither may end the work in the middle: a terminal that is gone or a full disk costs the text and nothing else. A
/// reader of standard output that has ended is an ``Interruption``, after which the report is complete as well. Whether
/// output was lost is kept, and the exit status says so.
///
/// Two signals are ignored for the whole process, SIGPIPE and SIGXFSZ: each would end it at a write that
/// fails, before its report is written. What holds it: of SIGPIPE `OutputTests`, "A report is written whatever
/// happens to standard error, and the run holds" and "Lost output is said, and the exit status tells; the report
/// is written all the same"; of SIGXFSZ `ReportFolderTests`, "A disk that takes no more ends the run with 2, in
/// one clear line, and what was found is told".
// The state is guarded by a lock, as worker threads that cannot wait write as well.
enum Output {
  private static let lost = Mutex<String?>(nil)
  /// What stands in for descriptors that were closed; kept open for as long as the process lives.
  private static let placeholders = Mutex<[FileHandle]>([])

  private static let began = Atomic<Bool>(false)

  /// Whether anything was written to standard output, or was to be.
  static var hasBegun: Bool { began.load(ordering: .relaxed) }

  /// Why something meant for standard output was not written; `nil` if all was.
  static var loss: String? { lost.withLock { $0 } }

  /// To be called before anything is opened or written.
  static func prepare() {
    // A write to a pipe without a reader is an error that is reported, not the end.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow further, too.
    signal(SIGXFSZ, SIG_IGN)
    // The lowest free number goes to the next file that is opened: one that was closed by the
    // program that started this would become a report's, and get what is meant for a terminal. The null device
    // takes its place, open for reading alone, so that what is written there is still an error.
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where !Descriptor(descriptor).isOpen {
      guard let placeholder = FileHandle(forReadingAtPath: "/dev/null") else { return }
      placeholders.withLock { $0.append(placeholder) }
    }
  }

  /// Writes to standard output, exactly this.
  static func write(_ text: String) {
    began.store(true, ordering: .relaxed)
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      let reason = FileFailure.reason(of: error)
      lost.withLock { $0 = $0 ?? reason }
    }
  }

  /// Writes to standard output, or ends the process: for workers, whose work is for one reader alone.
  static func writeOrEnd(_ text: String) {
    write(text)
    if loss != nil { exit(2) }
  }

  /// Writes to standard error, exactly this, if it can be.
  static func complain(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Text of any origin as it may be shown: nothing in it acts on a terminal, no line is longer than
  /// ``lineLimit`` characters.
  static func visible(_ text: String) -> String {
    let visible = VisibleText(scalarLimit: lineLimit)
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { visible(String($0)) }.joined(separator: "\n")
  }

  /// The width of the terminal that standard output is, or the one that COLUMNS names; `nil` for a file.
  static var columns: Int? {
    if let named = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }), named > 0 {
      return named
    }
    return Descriptor.standardOutput.terminalWidth
  }

  /// Unicode scalars of a line that is printed.
  static let lineLimit = 10_000
}

/// Prints a line for people; what is not ours in it is shown and cannot act.
///
/// Takes the place of the standard library's function in this module, which ignores what cannot be
/// written and prints everything as it is.
func print(_ text: String) {
  Output.write(Output.visible(text) + "\n")
}
