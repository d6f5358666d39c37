import Synchronization
import Testing

/// The issues that a property records: what a case shows is reported once, when it is small.
///
/// A run judges hundreds of cases, and a failing one again and again while it shrinks. None of these
/// issues reaches the test; warnings do.
// A lock and no actor: issues are recorded by synchronous code. It guards the list.
final class CaughtIssues: Sendable {
  private let issues = Mutex<[Issue]>([])

  /// Runs `body` so that issues of the current test are kept here.
  func during(_ body: @escaping @Sendable () async -> Void) async {
    // Outside of a test of Swift Testing, nothing records issues that could be caught.
    guard let test = Test.current else { return await body() }
    let trait: IssueHandlingTrait = .compactMapIssues { [self] issue in
      guard issue.isFailure else { return issue }
      issues.withLock { $0.append(issue) }
      return nil
    }
    // `body` throws nothing, and the trait nothing of its own.
    try? await trait.provideScope(for: test, testCase: Test.Case.current) { await body() }
  }

  /// Takes what was caught since the last time.
  func take() -> [Issue] {
    issues.withLock { issues in
      defer { issues = [] }
      return issues
    }
  }
}
