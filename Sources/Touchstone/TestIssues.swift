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
  package mutating func fail(_ failure: TestFailure) {
    if Test.current != nil {
      for file in failure.attachments { attach(file.text, named: file.name) }
    }
    fail(failure.text)
  }

  /// Records that a run failed without a failure of its own, such as one in which nothing was judged.
  package mutating func fail(_ text: String) {
    guard Test.current != nil else { return unseen.append(text) }
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

/// A failure as a test tells it: the words of its issue, and the files that its results show.
package struct TestFailure: Sendable {
  /// A file that a test attaches.
  package struct File: Hashable, Sendable {
    /// Its extension is that by which results choose what opens it.
    package let name: String
    package let text: String
  }

  private let told: FailureText
  private let name: String
  private let caseFile: String?
  private let reproducer: String?

  /// - Parameters:
  ///   - told: What the issue and the page say.
  ///   - name: What the files are called, without their extensions.
  ///   - caseFile: The case as a file, if there is one.
  ///   - reproducer: A test of the case in Swift, if there is one.
  package init(
    _ told: FailureText,
    name: String,
    caseFile: String?,
    reproducer: String? = nil
  ) {
    self.told = told
    self.name = name
    self.caseFile = caseFile
    self.reproducer = reproducer
  }

  /// All that a person needs.
  package var text: String { told.text }

  /// What every expectation attaches, whatever it judges: the case file, the page, and a test of the case.
  package var attachments: [File] {
    let files = [("case", caseFile), ("html", FailurePage(text: told).html), ("swift", reproducer)]
    return files.compactMap { ending, text in text.map { File(name: "\(name).\(ending)", text: $0) }
    }
  }
}

/// What an expectation found where no test of Swift Testing runs that could show it: in a test of XCTest, in a program, or
/// in a task that is detached from its test.
public struct ExpectationFailed: Error, Hashable, Sendable, CustomStringConvertible {
  /// What each issue would have said.
  public let messages: [String]

  public var description: String { messages.joined(separator: "\n\n") }
}
