package import Logging

/// How much a document or a coder tells the log.
///
/// Messages go to swift-log under the label ``logLabel``, whose backend the program chooses.
///
/// | verbosity | levels | what is logged |
/// |---|---|---|
/// | `errorOnly` | `error` | refused bytes, changes and merges |
/// | `debug` | and `debug` | life cycle: load, save, commit, fork, merge, changes, encode, decode |
/// | `tracing` | and `trace` | each edit, with the object's id; never the user's content |
public enum LogVerbosity: Int, Comparable, Hashable, Sendable {
  case errorOnly = 3
  case debug = 6
  case tracing = 8

  public static func < (left: LogVerbosity, right: LogVerbosity) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Whether messages of level `debug` are logged.
  public func canDebug() -> Bool { self >= .debug }

  /// Whether messages of level `trace` are logged.
  public func canTrace() -> Bool { self >= .tracing }

  /// The label of all messages.
  public static let logLabel = "touchstone.automerge"

  var level: Logger.Level {
    switch self {
    case .errorOnly: .error
    case .debug: .debug
    case .tracing: .trace
    }
  }
}

/// Where a document's or a coder's messages go.
///
/// The logger is made for each message, so that a backend chosen late hears, too.
package struct DocumentLog: Sendable {
  package let verbosity: LogVerbosity
  private let makeLogger: @Sendable () -> Logger

  /// Messages for the backend that the program chose.
  package init(_ verbosity: LogVerbosity) {
    self.init(verbosity) { Logger(label: LogVerbosity.logLabel) }
  }

  package init(_ verbosity: LogVerbosity, makeLogger: @escaping @Sendable () -> Logger) {
    self.verbosity = verbosity
    self.makeLogger = makeLogger
  }

  /// Tells of something refused.
  package func error(_ message: @autoclosure () -> String) {
    tell(.error, message())
  }

  /// Tells of a step of the life cycle, from `.debug` up.
  package func debug(_ message: @autoclosure () -> String) {
    if verbosity.canDebug() { tell(.debug, message()) }
  }

  /// Tells of one edit or field, with `.tracing`.
  package func trace(_ message: @autoclosure () -> String) {
    if verbosity.canTrace() { tell(.trace, message()) }
  }

  private func tell(_ level: Logger.Level, _ message: String) {
    var logger = makeLogger()
    logger.logLevel = verbosity.level
    logger.log(level: level, "\(message)")
  }
}
