import AutomergeDocument
import Logging

/// Sees that the library's log goes nowhere from now on; to be called once, before any document is made.
///
/// A document logs what it refuses, for the developer of an app. A run of laws offers it thousands of such bytes on
/// purpose, and a line for each would look like a finding.
package func silenceDocumentLog() {
  LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
}
