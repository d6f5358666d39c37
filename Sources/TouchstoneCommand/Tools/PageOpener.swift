import Foundation
import Programs

/// Opens a report's page with the program that the system, or the person, has for that.
enum PageOpener {
  /// Starts the program, and does not wait for it.
  ///
  /// - Parameters:
  ///   - page: The path of the page.
  ///   - environment: Its `BROWSER` names a program; without one the system's is taken.
  /// - Returns: Whether there is such a program, and it could be started.
  static func open(_ page: String, environment: [String: String]) -> Bool {
    #if os(macOS)
    let usual = "open"
    #else
    let usual = "xdg-open"
    #endif
    let chosen = environment["BROWSER"].flatMap { $0.isEmpty ? nil : $0 } ?? usual
    guard let program = Subprogram.find(chosen, along: environment["PATH"] ?? "") else {
      return false
    }
    let process = Process()
    // The shell ends at once and leaves the program to itself: a browser may run for hours.
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "\"$0\" \"$1\" >/dev/null 2>&1 &", program.path, page]
    process.standardInput = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      return false
    }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
