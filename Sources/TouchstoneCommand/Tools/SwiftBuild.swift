import Foundation
import Programs
import Texts

/// One call of `swift build`, which may take an hour.
struct SwiftBuild {
  /// Behind `swift build`.
  let arguments: [String]
  var environment: [String: String] = [:]
  /// The file of what it prints.
  let log: URL

  /// A build that ended with errors.
  struct Failed: Error {
    /// The lines that say what is wrong, the first ones.
    let errors: [String]
  }

  private static let secondsLimit = 3600.0

  /// Builds.
  ///
  /// - Throws: ``Failed``; `Subprogram.Interrupted`; what the system says if it cannot be started.
  func run(isInterrupted: () -> Bool) throws {
    let end = try Subprogram.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["swift", "build"] + arguments,
      environment: environment,
      output: log,
      secondsLimit: Self.secondsLimit,
      isInterrupted: isInterrupted
    )
    if isInterrupted() { throw Subprogram.Interrupted() }
    guard end == .exited(0) else { throw Failed(errors: Self.errors(in: log)) }
  }

  /// The lines of a build's log that say what is wrong, each once.
  static func errors(in log: URL) -> [String] {
    lenientText(of: log).split(separator: "\n").filter { $0.contains("error:") }
      .uniqued().prefix(20).map(String.init)
  }
}
