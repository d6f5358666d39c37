package import Testing

/// Issues of the test that runs, or an error where none runs.
///
/// Outside a test of Swift Testing no result shows an issue: a test of XCTest that recorded one would pass. There they are
/// thrown, as what fails a test of any kind.
package struct TestIssues {
  private let sourceLocation: SourceLocation
  /// Issues that nothing would show.
  private var unseen: [String] = []

  package init(at sourceLocation: SourceLocation) {
    self.sourceLocation = sourceLocation
  }

  /// Records a failure, with its files.
  package mutating func fail(_ text: String, attaching files: [(name: String, text: String)] = []) {
    guard Test.current != nil else { return unseen.append(text) }
    for file in files { attach(file.text, named: file.name) }
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
  }

  /// Attaches a file to the test that runs; nothing where none does.
  package func attach(_ text: String, named name: String) {
    guard Test.current != nil else { return }
    Attachment.record(text, named: name, sourceLocation: sourceLocation)
  }

  /// Records what is worth knowing and no failure.
  package func warn(_ text: String) {
    guard Test.current != nil else { return print(text) }
    Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: sourceLocation)
  }

  /// Ends the expectation.
  ///
  /// - Throws: ``ExpectationFailed`` if an issue could not be recorded.
  package func finish() throws {
    guard unseen.isEmpty else { throw ExpectationFailed(messages: unseen) }
  }
}

/// What an expectation found where no test of Swift Testing runs that could show it: in a test of XCTest, in a program, or
/// in a task that is detached from its test.
public struct ExpectationFailed: Error, Hashable, Sendable, CustomStringConvertible {
  /// What each issue would have said.
  public let messages: [String]

  public var description: String { messages.joined(separator: "\n\n") }
}
